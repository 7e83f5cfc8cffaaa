/**
 * Turns the differences between a configuration and a folder into edits of the folder's files. Nothing is written to an
 * account: the edits are for review, and deploying them is a step of its own.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Document, parseDocument } from "yaml";
import { canonicalName, canonicalText, canonicalUrl, isSameName } from "./canonical";
import { type Comparison, compare, type FieldChange, type FieldPlace, type ResourceChange, type Side } from "./compare";
import { applyEdits, asTemplate, type Edit, editTemplate } from "./edit";
import type { AccountFolder } from "./folder";
import { type FolderSide, type FolderSideOptions, folderSide } from "./folder-side";
import { kindOf } from "./known-values";
import { namedValues, type Values } from "./load";
import type { AccountModel, CompanyModel, WebhookModel } from "./model";
import { plainTextOf } from "./plain-text";
import { removeSetting, setSetting, settingIn } from "./setting-edits";
import { SourceFile } from "./source";
import { escapeTemplate, parseTemplate, type Template, type Value } from "./template";
import { resourceName } from "./words";
import { companyFiles, companySlugs, EMAIL_FILES, nameWebhooks, unfitType } from "./write";

export interface PromoteOptions {
  /** Only what the folder manages already, or only what it does not (both). */
  only?: "managed" | "additions";
  /** What the change is a part of, where it is one: sub accounts of one name may not both be in it. */
  whole?: Side;
  /** For loading the folder again, to see what the edits come to; with the values that it will have then. */
  folder: Omit<FolderSideOptions, "label">;
}

export interface Promotion {
  /** What the edits change, from the target's point of view. */
  comparison: Comparison;
  /** New texts of files, by their path below the folder. */
  files: Map<string, string>;
  /** What was not done, or is worth a look, in words. */
  notes: string[];
  /** What still differs once the edits are made. */
  remaining: Comparison;
  /** Values that the edited files name and the folder will not be given: the target's environment does not know them yet. */
  missing: string[];
}

/** Works the edits out that make the folder `to` like `from`. Writes nothing to the folder. */
export function promote(from: Side, to: FolderSide, options: PromoteOptions): Promotion {
  const { comparison, notes } = feasible(chosen(compare(to, from), options.only), from, to, options.whole);
  let plan = new Plan(from, to, "partials");
  let result = plan.run(comparison);
  let rehearsal = rehearse(from, to, result.files, options);
  // An edit of a partial changes every e-mail that includes it. Where that is not what was asked for, each e-mail gets its own text.
  if (hasStrays(to, rehearsal.edited, comparison) || rehearsal.remaining.changes.some(isEmail)) {
    plan = new Plan(from, to, "own files");
    result = plan.run(comparison);
    rehearsal = rehearse(from, to, result.files, options);
  }
  const { remaining, missing } = rehearsal;
  return { comparison, files: result.files, notes: [...notes, ...result.notes], remaining, missing };
}

const isEmail = ({ kind }: ResourceChange) => kind === "BrandingEmail";

/** Whether e-mails have other texts now that nobody spoke of: those of a sub account that the change is not about, too. */
function hasStrays(to: FolderSide, edited: FolderSide, { changes }: Comparison): boolean {
  const wished = changes.filter(isEmail);
  return [to.loaded.account, ...to.loaded.account.companies].some(({ folder, model }) => {
    const slug = folder.company?.slug;
    const companies = edited.loaded.account.companies;
    const after = slug === undefined ? edited.loaded.account : companies.find((each) => each.company.slug === slug);
    const isWished = (type: string) =>
      wished.some(({ name, company }) => name === type && companyOf(to, company)?.slug === slug);
    return Object.entries(model.emails).some(
      ([type, texts]) => !isWished(type) && !isDeepStrictEqual(texts, after?.model.emails[type]),
    );
  });
}

/** What edits of a folder can bring about, and what they cannot, in words. */
function feasible(
  comparison: Comparison,
  from: Side,
  to: Side,
  whole: Side = from,
): { comparison: Comparison; notes: string[] } {
  const notes: string[] = [];
  const gone = new Set(
    comparison.changes.filter(({ kind, action }) => kind === "Company" && action === "remove").map(({ name }) => name),
  );
  const isTwin = twins(from, comparison.changes);
  const shared = new Set([...sharedNames(to), ...sharedNames(whole)]);
  const renamed = renamings(from, to, whole, comparison.changes);
  const changes = comparison.changes.flatMap((change): ResourceChange[] => {
    const company = change.kind === "Company" ? change.name : change.company;
    if (company !== undefined && shared.has(canonicalName(company))) {
      const refused = `several sub accounts are called ${company}: which files are whose is for you to say, and none are edited`;
      if (!notes.includes(refused)) notes.push(refused);
      return [];
    }
    const renaming = renamed.find(({ before, after }) => company === before.name || company === after.name);
    if (renaming !== undefined) {
      const { before, after } = renaming;
      const refused = `sub account ${after.name} has the e-mail address of ${before.name}: if that is its new name, write it into companies/${before.slug}/company.yaml, else move that directory away, and promote again; neither is edited`;
      if (!notes.includes(refused)) notes.push(refused);
      return [];
    }
    // Its files stay as a whole, and one sentence says so.
    if (change.company !== undefined && gone.has(change.company)) return [];
    if (change.kind === "BrandingEmail") {
      const refused = unfitType(change.name ?? "");
      if (refused !== undefined) notes.push(refused);
      if (refused !== undefined) return [];
    }
    if (change.kind === "Webhook" && change.action === "add" && isTwin(change)) {
      notes.push(`${resourceName(change)} is there twice in ${from.label}: a program may declare it once`);
      return [];
    }
    if (change.action !== "change" || !from.complete) return [change];
    // An account cannot be told to have no text or no logo: what another account lacks stays as it is.
    const fields = change.fields.filter((field) => {
      if (field.after === undefined)
        notes.push(`${from.label} has no ${field.field} for ${resourceName(change)}: the target's stays`);
      return field.after !== undefined;
    });
    return fields.length > 0 ? [{ ...change, fields }] : [];
  });
  return { comparison: { ...comparison, changes }, notes };
}

/** Names that more than one sub account has: a change says by name whose it is. */
const sharedNames = ({ model }: Side): string[] =>
  (model.companies ?? []).map(({ name }) => canonicalName(name)).filter((name, i, all) => all.indexOf(name) !== i);

/**
 * Sub accounts that seem to have got another name: written anew beside its old files, one sub account would be in the program
 * twice. An address that several have, such as the partner's own, tells nothing.
 */
function renamings(from: Side, to: Side, whole: Side, changes: readonly ResourceChange[]) {
  const added = changes.filter(({ kind, action }) => kind === "Company" && action === "add").map(({ name }) => name);
  const emailOf = ({ email, userEmail }: CompanyModel) => (email ?? userEmail)?.toLowerCase();
  const companiesOf = ({ model }: Side) => model.companies ?? [];
  const gone = companiesOf(to).filter(({ name }) => !companiesOf(whole).some((each) => isSameName(each.name, name)));
  return companiesOf(from).flatMap((after) => {
    const email = added.includes(after.name) ? emailOf(after) : undefined;
    const isShared = [whole, to].some((side) => companiesOf(side).filter((each) => emailOf(each) === email).length > 1);
    const before = email === undefined || isShared ? undefined : gone.find((each) => emailOf(each) === email);
    return before === undefined ? [] : [{ before, after }];
  });
}

/** Tells the second of two equal webhooks: one of them is in the folder already, or comes just before. */
function twins({ model }: Side, changes: readonly ResourceChange[]): (change: ResourceChange) => boolean {
  const keyOf = (company: string | undefined, { type, url }: WebhookModel) =>
    [company ?? "", type, canonicalUrl(url)].join("\n");
  const count = (keys: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const keyOfNew = ({ company, fields }: ResourceChange) => {
    const value = (field: string) => fields.find((each) => each.field === field)?.after ?? "";
    return keyOf(company, { type: value("type"), url: value("url") });
  };
  const all = count([
    ...model.webhooks.map((webhook) => keyOf(undefined, webhook)),
    ...(model.companies ?? []).flatMap(({ name, account }) => account?.webhooks.map((each) => keyOf(name, each)) ?? []),
  ]);
  const news = count(changes.filter(({ kind, action }) => kind === "Webhook" && action === "add").map(keyOfNew));
  const come = new Set<string>();
  return (change) => {
    const key = keyOfNew(change);
    return (news.get(key) ?? 0) < (all.get(key) ?? 0) || come.has(key) || !come.add(key);
  };
}

/** The differences that become edits. What the target does not manage yet is one of them, unless it is not wanted. */
function chosen(comparison: Comparison, only: PromoteOptions["only"]): Comparison {
  if (only === "managed") return comparison;
  const changes = only === "additions" ? comparison.changes.flatMap(additionsOf) : [...comparison.changes];
  for (const { reason: _, ...item } of comparison.unmanaged) {
    const same = changes.findIndex(
      (change) => change.action === "change" && item.action === "change" && resourceName(change) === resourceName(item),
    );
    if (same >= 0) changes[same] = { ...changes[same]!, fields: [...changes[same]!.fields, ...item.fields] };
    else changes.push(item);
  }
  return { ...comparison, changes, unmanaged: [] };
}

function additionsOf(change: ResourceChange): ResourceChange[] {
  if (change.action !== "change") return change.action === "add" ? [change] : [];
  const fields = change.fields.filter((field) => field.before === undefined);
  return fields.length > 0 ? [{ ...change, fields }] : [];
}

/** Makes the edits in a copy and compares again. */
function rehearse(
  from: Side,
  to: FolderSide,
  files: ReadonlyMap<string, string>,
  options: PromoteOptions,
): Pick<Promotion, "remaining" | "missing"> & { edited: FolderSide } {
  const given = options.folder.values;
  const copy = mkdtempSync(join(tmpdir(), "esign-promote-"));
  try {
    for (const { path, text } of [
      ...to.loaded.sources.values(),
      ...[...files].map(([path, text]) => ({ path, text })),
    ]) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text);
    }
    // A value that only the source's environment has stands for itself: without any, the folder could not be read.
    const values = given && { values: { ...to.valuesOf(from), ...given } };
    const edited = folderSide(copy, { ...options.folder, ...values, label: to.label });
    const remaining = feasible(chosen(compare(edited, from), options.only), from, edited, options.whole).comparison;
    return { edited, remaining, missing: given ? missingValues(edited.loaded.folder, Object.keys(given)) : [] };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function missingValues(folder: AccountFolder, outer: readonly string[]): string[] {
  const given = [...outer, ...Object.keys(folder.company?.settings.settings?.values ?? {})];
  const missing = namedValues(folder).filter(({ name }) => !given.includes(name));
  const below = folder.companies.flatMap((company) => missingValues(company, given));
  return [...new Set([...missing.map(({ name }) => name), ...below])].sort();
}

const companyOf = ({ model }: Side, company: string | undefined): CompanyModel | undefined =>
  model.companies?.find(({ name }) => isSameName(name, company));

const accountOf = (side: Side, company: string | undefined): AccountModel | undefined =>
  company === undefined ? side.model : companyOf(side, company)?.account;

/** Collects the edits of one promotion. */
class Plan {
  private readonly edits: Edit[] = [];
  private readonly files = new Map<string, string>();
  private readonly yaml = new Map<string, Document>();
  private readonly notes: string[] = [];
  /** All that have a directory, those that the change is not about among them, and those that get one. */
  private readonly companies: CompanyModel[];

  constructor(
    private readonly from: Side,
    private readonly to: FolderSide,
    private readonly reach: "partials" | "own files",
  ) {
    this.companies = to.loaded.account.companies.map(({ company }) => company);
  }

  run(comparison: Comparison): Pick<Promotion, "files" | "notes"> {
    // An e-mail whose sub account is new comes with the sub account's files.
    const newCompanies = new Set(
      comparison.changes.filter((c) => c.kind === "Company" && c.action === "add").map((c) => c.name),
    );
    for (const change of comparison.changes) {
      if (change.company !== undefined && newCompanies.has(change.company)) continue;
      this.one(change);
    }
    const edited = applyEdits(this.edits);
    if (edited) for (const [path, text] of edited) this.files.set(path, text);
    else this.notes.push("edits of a partial contradict each other");
    const { sources } = this.to.loaded;
    for (const [path, document] of this.yaml) {
      const before = sources.get(path)?.text ?? "";
      if (String(document) === String(parseDocument(before))) continue;
      const indent = /^( +)[^\s#-]/m.exec(before)?.[1]?.length ?? 2;
      this.files.set(path, withLineEndsOf(before, document.toString({ lineWidth: 0, indent })));
    }
    const changed = [...this.files].filter(([path, text]) => sources.get(path)?.text !== text);
    return { files: new Map(changed.sort(([a], [b]) => (a < b ? -1 : 1))), notes: this.notes };
  }

  private one(change: ResourceChange): void {
    switch (change.kind) {
      case "Branding":
        for (const field of change.fields) this.setting(change, ["branding", field.field], field.after);
        break;
      case "BrandingEmail":
        for (const field of change.fields) this.emailText(change, field);
        this.derivedText(change);
        break;
      case "Webhook":
        this.webhook(change);
        break;
      case "Company":
        this.company(change);
        break;
    }
  }

  private folderOf(company: string | undefined): AccountFolder | undefined {
    if (company === undefined) return this.to.loaded.folder;
    const { slug } = companyOf(this.to, company)!;
    return this.to.loaded.folder.companies.find((folder) => folder.company?.slug === slug);
  }

  private below(change: Pick<ResourceChange, "company">, path: string): string {
    const folder = this.folderOf(change.company);
    return folder?.path ? `${folder.path}/${path}` : path;
  }

  private emailText(change: ResourceChange, { field, after: given }: FieldChange): void {
    const name = EMAIL_FILES[field as keyof typeof EMAIL_FILES];
    const path = this.below(change, `emails/${change.name}/${name}`);
    const content = this.wished(change)?.content;
    const values = this.to.valuesOf(this.from, change.company, given);
    if (given === undefined) {
      // An empty file says that the text is not managed.
      this.files.set(path, "");
      return;
    }
    const place: FieldPlace = { kind: "BrandingEmail", ...named(change), field };
    const template = this.to.templateOf(place);
    const after = withLineEndsOf(template?.source.text ?? "", given);
    if (template?.source.path === "") {
      if (content !== undefined && canonicalText(plainTextOf(content)) === canonicalText(after)) return;
      this.notes.push(`${path}: the plain text is no longer derived from the HTML`);
    }
    if (template && template.source.path !== "") {
      const edits = editTemplate(template, after, values, kindOf(field));
      const own = edits?.every((edit) => edit.source.path === path);
      if (edits && (own || this.reach === "partials")) {
        this.edits.push(...edits);
        this.unknownGone(path, template, edits, values);
        for (const other of new Set(
          edits.filter((edit) => edit.source.path !== path).map((edit) => edit.source.path),
        )) {
          this.notes.push(`${other}: changed for ${resourceName(change)}, and so for every e-mail that includes it`);
        }
        return;
      }
      this.notes.push(`${path}: written as a whole, because the change is not in this file alone`);
    }
    this.files.set(path, wholeTemplate(template, after, values, kindOf(field)));
    const plain = this.below(change, `emails/${change.name}/${EMAIL_FILES.contentPlain}`);
    // A new HTML body without plain text would get one derived.
    if (field === "content" && !template && this.wished(change)?.contentPlain === undefined) this.files.set(plain, "");
  }

  /** A value that is not known cannot be told from the text beside it: what comes in its place may hold it. */
  private unknownGone(path: string, { parts }: Template, edits: readonly Edit[], values: Values): void {
    const gone = parts.filter(
      (part) =>
        part.kind === "value" &&
        !Object.hasOwn(values, part.name) &&
        edits.some(
          ({ source, offset, length }) =>
            source === part.source && offset <= part.offset && part.offset < offset + length,
        ),
    );
    for (const name of new Set(gone.map((part) => (part as Value).name)))
      this.notes.push(
        `${path}: \${${name}} goes, and what it stands for in ${this.from.label} is not known: see that the new text does not hold it`,
      );
  }

  /** A plain text that was equal would change with the HTML body that it is derived from: who edits one alone means the other to stay. */
  private derivedText(change: ResourceChange): void {
    const changes = (field: string) => change.fields.some((each) => each.field === field);
    const field = "contentPlain";
    const template = this.to.templateOf({ kind: "BrandingEmail", ...named(change), field });
    const after = this.wished(change)?.[field];
    if (template?.source.path === "" && changes("content") && !changes(field) && after !== undefined)
      this.emailText(change, { field, after });
  }

  /** The e-mail as it is on the other side. */
  private wished(change: ResourceChange) {
    return accountOf(this.from, change.company)?.emails[change.name ?? ""];
  }

  private webhook(change: ResourceChange): void {
    const known = accountOf(this.to, change.company)?.webhooks.find(
      (webhook) => `${webhook.type} ${webhook.url}` === change.name,
    );
    if (change.action === "add") {
      const value = (field: string) => change.fields.find((f) => f.field === field)?.after ?? "";
      const added: WebhookModel = { type: value("type"), url: value("url") };
      const others = this.webhookNames(change).map((name) => ({ name, type: name, url: "" }));
      const name = nameWebhooks([...others, added]).at(-1)!.name!;
      this.setting(change, ["webhooks", name, "type"], added.type);
      this.setting(change, ["webhooks", name, "url"], added.url);
    } else if (change.action === "remove") {
      if (known?.name) removeSetting(this.document(change), ["webhooks", known.name]);
    } else if (known?.name) {
      for (const field of change.fields) this.setting(change, ["webhooks", known.name, field.field], field.after);
    }
  }

  private webhookNames(change: ResourceChange): string[] {
    const settings = this.document(change).toJS() as { webhooks?: Record<string, unknown> } | null;
    return Object.keys(settings?.webhooks ?? {});
  }

  private company(change: ResourceChange): void {
    if (change.action === "remove") {
      this.notes.push(
        `sub account ${change.name} is not in ${this.from.label}: its files stay, since deploying without them would delete it`,
      );
      return;
    }
    if (change.action === "add") {
      const company = companyOf(this.from, change.name);
      if (company) this.newCompany(company);
      return;
    }
    const inside = { company: change.name! };
    for (const { field, after } of change.fields) this.setting(inside, [field], after, "company.yaml");
  }

  private newCompany(company: CompanyModel): void {
    const { id: _, slug: __, ...rest } = company;
    const slug = companySlugs([...this.companies, rest]).at(-1)!;
    this.companies.push({ ...rest, slug });
    const { files, notes } = companyFiles(rest, slug, (text, kind) =>
      asTemplate(text, this.to.valuesOf(this.from), kind),
    );
    for (const [path, text] of files) this.files.set(path, text);
    this.notes.push(...notes);
  }

  private document(change: Pick<ResourceChange, "company">, file = "account.yaml"): Document {
    const path = this.below(change, file);
    const known = this.yaml.get(path);
    if (known) return known;
    const document = parseDocument(this.to.loaded.sources.get(path)?.text ?? "");
    this.yaml.set(path, document);
    return document;
  }

  private setting(
    change: Pick<ResourceChange, "company">,
    path: string[],
    after: string | undefined,
    file?: string,
  ): void {
    const document = this.document(change, file);
    if (after === undefined) {
      removeSetting(document, path);
      return;
    }
    const raw = settingIn(document, path);
    const values = this.to.valuesOf(this.from, change.company, after);
    const text = raw === undefined ? asTemplate(after, values, "text") : edited(raw, after, values);
    if (text !== raw) setSetting(document, path, text);
  }
}

/** A text in one file, with the values where the template has them, whose partials were files of their own. */
function wholeTemplate(template: Template | undefined, after: string, values: Values, kind: "text" | "html"): string {
  const text = template?.parts.map((part) => (part.kind === "value" ? `\${${part.name}}` : escapeTemplate(part.text)));
  const whole = parseTemplate(new SourceFile("whole", text?.join("") ?? ""), () => undefined, []);
  const edits = editTemplate(whole, after, values, kind);
  return (edits && (applyEdits(edits)?.get("whole") ?? whole.source.text)) ?? asTemplate(after, values, kind);
}

/** One setting, its values kept where they stand. */
function edited(raw: string, after: string, values: Values): string {
  const template = parseTemplate(new SourceFile("setting", raw), () => undefined, []);
  const edits = editTemplate(template, after, values, "text");
  return (edits && (edits.length === 0 ? raw : applyEdits(edits)?.get("setting"))) ?? asTemplate(after, values, "text");
}

/** A text with the line ends of another: a form in a browser writes its own, and no line would be as before. */
function withLineEndsOf(before: string, text: string): string {
  const end = /\r\n|\r|\n/.exec(before)?.[0];
  return end === undefined ? text : text.replace(/\r\n|\r|\n/g, end);
}

/** Name and sub account of a change, where it has them. */
const named = ({ name, company }: ResourceChange) => ({
  ...(name !== undefined && { name }),
  ...(company !== undefined && { company }),
});
