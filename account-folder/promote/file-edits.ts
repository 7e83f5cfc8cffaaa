/** Turns differences into edits of a folder's files, and keeps comments, placeholders and partials. */

import { type Document, parseDocument } from "yaml";
import { EMAIL_FILES, emailTexts } from "../../definitions/branding-email";
import { companyName } from "../../definitions/company";
import { kinds, type StoredInSection } from "../../definitions/index";
import { isOnePerAccount, settingPath } from "../../definitions/kind";
import { type AccountModel, type Item, isSubaccount } from "../../definitions/model";
import { isSameName, normalizeText } from "../../definitions/text/normalize";
import type { Comparison, ConfigSource, FieldChange, FieldPlace, ResourceChange } from "../diff/comparison";
import { resourceName } from "../diff/format-diff";
import type { FolderSource } from "../diff/from-folder";
import { formatOf, type TextFormat } from "../diff/match-placeholders";
import type { AccountFolder } from "../folder/account-folder";
import { toFileName } from "../folder/file-names";
import type { Values } from "../folder/fill-folder";
import { companySlugs, newName } from "../folder/new-names";
import { typedSetting } from "../folder/write-account-yaml";
import { companyFiles } from "../folder/write-folder";
import { removeSetting, setSetting, settingIn } from "../folder/yaml-edit";
import {
  escapePlaceholders,
  type Placeholder,
  type PlaceholderText,
  parsePlaceholders,
} from "../placeholders/placeholder-text";
import { SourceFile } from "../placeholders/source-map";
import { htmlToText } from "../text/html/to-text";
import { OtherValues } from "./other-values";
import { applyEdits, asPlaceholderText, type Edit, editPlaceholderText, withLineEndsOf } from "./placeholder-edit";

/** A subaccount by its name. */
export const companyOf = ({ model }: ConfigSource, company: string | undefined): Item | undefined =>
  model.Company?.find((each) => isSameName(companyName(each), company));

const accountOf = (side: ConfigSource, company: string | undefined): AccountModel | undefined =>
  company === undefined ? side.model : companyOf(side, company)?.account;

/** Collects the edits of one promotion, with notes on what to review. */
export class PromotionEdits {
  readonly #edits: Edit[] = [];
  readonly #files = new Map<string, string>();
  readonly #yaml = new Map<string, Document>();
  readonly #notes: string[] = [];
  /** Partials that are edited, with the names of the email templates whose change it is. */
  readonly #partials = new Map<string, string[]>();
  /** What was taken for the values that are not known. */
  readonly otherValues = new OtherValues();
  /** All subaccounts with a directory, also those without a difference, and new ones. */
  readonly #companies: Item[];

  readonly #from: ConfigSource;
  readonly #to: FolderSource;
  readonly #reach: "partials" | "own files";
  readonly #learnt: OtherValues;

  constructor(from: ConfigSource, to: FolderSource, reach: "partials" | "own files", learnt: OtherValues) {
    this.#from = from;
    this.#to = to;
    this.#reach = reach;
    this.#learnt = learnt;
    this.#companies = to.loaded.account.companies.map(({ company }) => company);
  }

  run(comparison: Comparison): { files: Map<string, string>; notes: string[] } {
    // The content of a new subaccount is written with the subaccount's files.
    const newCompanies = new Set(
      comparison.changes.filter((c) => isSubaccount(c.kind) && c.action === "add").map((c) => c.name),
    );
    for (const change of comparison.changes) {
      if (change.company !== undefined && newCompanies.has(change.company)) continue;
      this.#one(change);
    }
    const edited = applyEdits(this.#edits);
    if (edited) for (const [path, text] of edited) this.#files.set(path, text);
    else this.#notes.push("edits of a partial contradict each other");
    for (const [path, names] of this.#partials)
      this.#notes.push(`${path}: changed for ${names.join(", ")}, and so for every email template that includes it`);
    this.#notes.push(...this.otherValues.notes(this.#from.label));
    const { sources } = this.#to.loaded;
    for (const [path, document] of this.#yaml) {
      const before = sources.get(path)?.text ?? "";
      if (String(document) === String(parseDocument(before))) continue;
      const indent = /^( +)[^\s#-]/m.exec(before)?.[1]?.length ?? 2;
      this.#files.set(path, withLineEndsOf(before, document.toString({ lineWidth: 0, indent })));
    }
    const changed = [...this.#files].filter(([path, text]) => sources.get(path)?.text !== text);
    return { files: new Map(changed.sort(([a], [b]) => (a < b ? -1 : 1))), notes: this.#notes };
  }

  #one(change: ResourceChange): void {
    switch (change.kind) {
      case "BrandingEmail":
        for (const field of change.fields) this.#emailText(change, field);
        this.#derivedText(change);
        break;
      case "Company":
        this.#company(change);
        break;
      default:
        this.#inSection(kinds[change.kind] as StoredInSection, change);
    }
  }

  #valuesFor(company: string | undefined, text: string | undefined): Values {
    const own = this.#folderOf(company)?.company?.file.content?.values ?? {};
    const values = this.#to.inferValues(this.#from, company, text);
    const agreed = this.#learnt.agreed(company, own, text ?? "");
    for (const [name, value] of Object.entries(agreed))
      if (!Object.hasOwn(values, name)) this.otherValues.take(company, name, value);
    return { ...agreed, ...values };
  }

  #folderOf(company: string | undefined): AccountFolder | undefined {
    if (company === undefined) return this.#to.loaded.folder;
    const { name } = companyOf(this.#to, company)!;
    return this.#to.loaded.folder.companies.find((folder) => folder.company?.slug === name);
  }

  #below(change: Pick<ResourceChange, "company">, path: string): string {
    const folder = this.#folderOf(change.company);
    return folder?.path ? `${folder.path}/${path}` : path;
  }

  #emailDirectory(change: ResourceChange): string {
    const { name = "", company } = change;
    const existing = this.#folderOf(company)?.emails.find(({ type }) => type === name);
    return existing?.place.file ?? this.#below(change, `emails/${toFileName(name)}`);
  }

  #emailText(change: ResourceChange, { field, after: wanted }: FieldChange): void {
    const name = EMAIL_FILES[field as keyof typeof EMAIL_FILES];
    const directory = this.#emailDirectory(change);
    const path = `${directory}/${name}`;
    const content = this.#wished(change)?.content;
    const values = this.#valuesFor(change.company, wanted);
    if (wanted === undefined) {
      // An empty file means that the text is not managed.
      this.#files.set(path, "");
      return;
    }
    const place: FieldPlace = { kind: "BrandingEmail", ...named(change), field };
    const unfilled = this.#to.writtenText(place);
    const after = withLineEndsOf(unfilled?.source.text ?? "", wanted);
    if (unfilled?.source.path === "") {
      if (content !== undefined && normalizeText(htmlToText(content)) === normalizeText(after)) return;
      this.#notes.push(`${path}: the plain text is no longer derived from the HTML`);
    }
    if (unfilled && unfilled.source.path !== "") {
      const add = (value: string, text: string) => this.otherValues.add(change.company, value, text);
      const edits = editPlaceholderText(unfilled, after, values, formatOf({ kind: change.kind, field }), add);
      const own = edits?.every((edit) => edit.source.path === path);
      if (edits && (own || this.#reach === "partials")) {
        this.#edits.push(...edits);
        this.#unknownGone(path, unfilled, edits, values);
        for (const other of new Set(
          edits.filter((edit) => edit.source.path !== path).map((edit) => edit.source.path),
        )) {
          const names = this.#partials.get(other) ?? [];
          if (!names.includes(resourceName(change))) this.#partials.set(other, [...names, resourceName(change)]);
        }
        return;
      }
      this.#notes.push(`${path}: written as a whole, because the change is not in this file alone`);
    }
    this.#files.set(path, wholeText(unfilled, after, values, formatOf({ kind: change.kind, field })));
    const plain = `${directory}/${EMAIL_FILES.contentPlain}`;
    // A new HTML body without plain text would get one derived.
    if (field === "content" && !unfilled && this.#wished(change)?.contentPlain === undefined)
      this.#files.set(plain, "");
  }

  /** An unknown value cannot be told from the text around it: the new text may contain it. */
  #unknownGone(path: string, { parts }: PlaceholderText, edits: readonly Edit[], values: Values): void {
    const gone = parts.filter(
      (part) =>
        part.kind === "value" &&
        !Object.hasOwn(values, part.name) &&
        edits.some(
          ({ source, offset, length }) =>
            source === part.source && offset <= part.offset && part.offset < offset + length,
        ),
    );
    for (const name of new Set(gone.map((part) => (part as Placeholder).name)))
      this.#notes.push(
        `${path}: \${${name}} was removed; its value in ${this.#from.label} is not known, so check that the new text does not contain it`,
      );
  }

  /** An unchanged plain text would change with the HTML body that it is derived from: it gets a file of its own. */
  #derivedText(change: ResourceChange): void {
    const changes = (field: string) => change.fields.some((each) => each.field === field);
    const field = "contentPlain";
    const unfilled = this.#to.writtenText({ kind: "BrandingEmail", ...named(change), field });
    const after = this.#wished(change)?.[field];
    if (unfilled?.source.path === "" && changes("content") && !changes(field) && after !== undefined)
      this.#emailText(change, { field, after });
  }

  /** The email template in the source. */
  #wished(change: ResourceChange) {
    const account = accountOf(this.#from, change.company);
    return account && emailTexts(account)[change.name ?? ""];
  }

  #inSection(kind: StoredInSection, change: ResourceChange): void {
    const { section } = kind.storage;
    const values = Object.fromEntries(change.fields.map(({ field, after }) => [field, after]));
    let name: string | undefined;
    if (change.action === "add") {
      name = newName(kind, { fields: values }, new Set(this.#namesIn(change, section)));
    } else if (!isOnePerAccount(kind)) {
      const account = accountOf(this.#to, change.company);
      name = account && kind.items(account).find((item) => kind.nameOf(item) === change.name)?.name;
      if (name === undefined) return;
      if (change.action === "remove") {
        removeSetting(this.#document(change), [section, name]);
        return;
      }
    }
    for (const { field, after } of change.fields)
      this.#setting(change, settingPath(kind, name, field), after, (text) => typedSetting(kind, field, text));
  }

  #namesIn(change: ResourceChange, section: string): string[] {
    const settings = this.#document(change).toJS() as Record<string, object | undefined> | null;
    return Object.keys(settings?.[section] ?? {});
  }

  #company(change: ResourceChange): void {
    if (change.action === "remove") {
      this.#notes.push(
        `subaccount ${change.name} is not in ${this.#from.label}: its files stay, since deploying without them would delete it`,
      );
      return;
    }
    if (change.action === "add") {
      const company = companyOf(this.#from, change.name);
      if (company) this.#newCompany(company);
      return;
    }
    const inside = { company: change.name! };
    for (const { field, after } of change.fields) this.#setting(inside, [field], after, undefined, "company.yaml");
  }

  #newCompany(company: Item): void {
    const { id: _, name: __, ...rest } = company;
    const slug = companySlugs([...this.#companies, rest]).at(-1)!;
    this.#companies.push({ ...rest, name: slug });
    const { files, notes } = companyFiles(rest, slug, (text, kind) =>
      asPlaceholderText(text, this.#to.inferValues(this.#from), kind),
    );
    for (const [path, text] of files) this.#files.set(path, text);
    this.#notes.push(...notes);
  }

  #document(change: Pick<ResourceChange, "company">, file = "account.yaml"): Document {
    const path = this.#below(change, file);
    const open = this.#yaml.get(path);
    if (open) return open;
    const document = parseDocument(this.#to.loaded.sources.get(path)?.text ?? "");
    this.#yaml.set(path, document);
    return document;
  }

  #setting(
    change: Pick<ResourceChange, "company">,
    path: string[],
    after: string | undefined,
    write: (text: string) => string | number | boolean = (text) => text,
    file?: string,
  ): void {
    const document = this.#document(change, file);
    if (after === undefined) {
      removeSetting(document, path);
      return;
    }
    const raw = settingIn(document, path);
    const values = this.#valuesFor(change.company, after);
    const add = (value: string, found: string) => this.otherValues.add(change.company, value, found);
    const text = raw === undefined ? asPlaceholderText(after, values, "text") : edited(raw, after, values, add);
    if (text !== raw) setSetting(document, path, write(text));
  }
}

/** A text in one file, with the placeholders of one that had partials. */
function wholeText(unfilled: PlaceholderText | undefined, after: string, values: Values, format: TextFormat): string {
  const text = unfilled?.parts.map((part) =>
    part.kind === "value" ? `\${${part.name}}` : escapePlaceholders(part.text),
  );
  const whole = parsePlaceholders(new SourceFile("whole", text?.join("") ?? ""), () => undefined, []);
  const edits = editPlaceholderText(whole, after, values, format);
  return (edits && (applyEdits(edits)?.get("whole") ?? whole.source.text)) ?? asPlaceholderText(after, values, format);
}

/** One setting, with its placeholders kept. */
function edited(
  raw: string,
  after: string,
  values: Values,
  onOtherValue: (name: string, text: string) => void,
): string {
  const unfilled = parsePlaceholders(new SourceFile("setting", raw), () => undefined, []);
  const edits = editPlaceholderText(unfilled, after, values, "text", onOtherValue);
  return (
    (edits && (edits.length === 0 ? raw : applyEdits(edits)?.get("setting"))) ??
    asPlaceholderText(after, values, "text")
  );
}

/** Name and subaccount of a change, where it has them. */
const named = ({ name, company }: ResourceChange) => ({
  ...(name !== undefined && { name }),
  ...(company !== undefined && { company }),
});
