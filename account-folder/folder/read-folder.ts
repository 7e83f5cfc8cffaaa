/**
 * Reads an account's folder: its settings, email templates, partials and subaccounts. All problems are collected as findings
 * with their locations; no request is sent.
 */
import { basename, resolve } from "node:path";
import { kinds, type SectionKind, sectionKinds } from "../../definitions/index";
import { isOnePerAccount, type KindDefinition } from "../../definitions/kind";
import { brandingEmailTypes } from "../../sdk";
import { emailType } from "../../sdk/enum-schemas";
import { didYouMean } from "../../sdk/text/did-you-mean";
import type { Finding } from "../finding";
import {
  type FindPartial,
  type PlaceholderIssue,
  type PlaceholderText,
  parsePlaceholders,
} from "../placeholders/placeholder-text";
import { SourceFile } from "../placeholders/source-map";
import { AccountFile } from "./account-file";
import type { AccountFolder, CompanyFile, EmailFiles, FolderItem } from "./account-folder";
import { checkAliases } from "./company-aliases";
import { fromFileName } from "./file-names";
import { FolderFiles, namesIn } from "./folder-files";
import {
  type Misnamed,
  misnamedEmailFiles,
  misnamedParts,
  misnamedSections,
  misnamedSettings,
  misplacedCompany,
  misplacedEmail,
  nestedCompanies,
} from "./misnamed-files";
import type { AccountContent } from "./settings-schema";
import { FolderError } from "./symbolic-links";

/** A folder with the findings of reading it. */
export interface FolderReading {
  /** The folder's path, as the user wrote it. */
  root: string;
  folder: AccountFolder;
  /** All files by path, for showing the lines of findings. */
  sources: ReadonlyMap<string, SourceFile>;
  findings: Finding[];
}

export interface ReadFolderOptions {
  /** Accept email template types that this version does not know (default: false). */
  allowUnknownValues?: boolean;
  /** True for the folder of one subaccount: it may have a company.yaml, but no `companies/` (default: false). */
  soleCompany?: boolean;
  /** The folder's files by path, in place of those on disk. */
  texts?: ReadonlyMap<string, string>;
}

/** The directories of a folder. */
const PARTS = ["emails", "partials", "companies"];
/** What makes a directory an account's folder, for messages. */
export const ACCOUNT_FOLDER_PARTS =
  "an account.yaml, email templates (emails/<type>/) or subaccounts (companies/<name>/company.yaml)";

/** Whether a directory looks like an account's folder. Any part may be missing; a subaccount's folder belongs to the one above. */
export function isAccountFolder(path: string): boolean {
  try {
    return (
      namesIn(path).includes("account.yaml") ||
      namesIn(path, "emails").some((type) => (brandingEmailTypes as readonly string[]).includes(type)) ||
      namesIn(path, "companies").some((name) => namesIn(path, `companies/${name}`).includes("company.yaml"))
    );
  } catch {
    // A directory that cannot be read, such as a container's data.
    return false;
  }
}

/** Reads a folder. Throws when there is no folder, or a link leads out of it; all other problems are findings. */
export function readFolder(root: string, options: ReadFolderOptions = {}): FolderReading {
  return new Reader(root, options).read();
}

class Reader {
  readonly #findings: Finding[] = [];
  readonly #files: FolderFiles;
  readonly #faults: PlaceholderIssue[] = [];
  readonly #usedPartials = new Set<string>();

  readonly #root: string;
  readonly #options: ReadFolderOptions;

  constructor(root: string, options: ReadFolderOptions) {
    this.#root = root;
    this.#options = options;
    this.#files = new FolderFiles(root, this.#findings, options.texts);
  }

  read(): FolderReading {
    const folder = this.#account("", () => undefined);
    const company = this.#options.soleCompany ? this.#files.file("company.yaml") : undefined;
    if (company) folder.company = this.#companyFile(basename(resolve(this.#root)), company);
    if (this.#options.soleCompany) this.#misnamedFile("", "company.yaml");
    this.#reportUnusedPartials("");
    for (const { source, offset, length, rule, message, fix } of this.#faults) {
      this.#findings.push({ ...source.place(offset, offset + length), rule, severity: "error", message, fix });
    }
    this.#findings.push(...checkAliases(folder));
    this.#rejectNothing(folder);
    return { root: this.#root, folder, sources: this.#files.sources, findings: this.#findings };
  }

  /** A folder without configuration is most likely another one than was meant. */
  #rejectNothing({ emails, companies, company }: AccountFolder): void {
    const isError = this.#findings.some(({ severity }) => severity === "error");
    if (isError || company || emails.length > 0 || companies.length > 0 || this.#files.file("account.yaml")) return;
    const found = this.#findings.map(({ file, message, fix }) => `\n  ${file}: ${message}; ${fix}`);
    throw new FolderError(
      `"${this.#root}" is not an account folder: it does not have ${ACCOUNT_FOLDER_PARTS}${found.join("")}`,
    );
  }

  #account(path: string, outerPartial: FindPartial): AccountFolder {
    const findPartial: FindPartial = (fileName) => {
      const file = this.#files.file(below(path, `partials/${fileName}`));
      if (file) this.#usedPartials.add(file.path);
      return file ?? outerPartial(fileName);
    };
    const isPartner = path === "" && !this.#options.soleCompany;
    const parts = isPartner ? PARTS : PARTS.filter((part) => part !== "companies");
    for (const each of misnamedParts(this.#files, path, parts)) this.#misnamed(path, each);
    if (!isPartner) for (const each of nestedCompanies(this.#files, path)) this.#misnamed(path, each);
    this.#misnamedFile(path, "account.yaml");
    const name = below(path, "account.yaml");
    const source = this.#files.file(name) ?? new SourceFile(name, "");
    const file = AccountFile.account(source, this.#findings, this.#faults);
    for (const each of misnamedSections(this.#files, path, file.content ?? {})) this.#misnamed(path, each);
    const folder: AccountFolder = {
      path,
      file,
      items: readItems(file),
      emails: this.#emails(path, findPartial),
      companies: [],
    };
    if (isPartner) {
      for (const slug of this.#files.entries("companies")) folder.companies.push(...this.#company(slug, findPartial));
    }
    return folder;
  }

  #company(slug: string, findPartial: FindPartial): AccountFolder[] {
    const path = below("companies", slug);
    if (!this.#files.isDirectory(path)) {
      this.#misnamed("companies", misplacedCompany(slug));
      return [];
    }
    const file = this.#files.file(below(path, "company.yaml"));
    if (!file) {
      const other = misnamedSettings(this.#files, path, "company.yaml");
      const fix = other?.fix ?? "add one with at least name, userName and userEmail";
      const found = `"${path}" has no company.yaml${other ? `; "${other.name}" is not read` : ""}`;
      this.#missingFile(below(path, "company.yaml"), found, fix);
      return [];
    }
    this.#misnamedFile(path, "company.yaml");
    const folder = this.#account(path, findPartial);
    this.#reportUnusedPartials(path);
    return [{ ...folder, company: this.#companyFile(slug, file) }];
  }

  #companyFile(slug: string, source: SourceFile): CompanyFile {
    const file = AccountFile.company(source, this.#findings, this.#faults);
    return { slug, file, texts: readTexts(kinds.Company, file, [], file.content ?? {}) };
  }

  #emails(path: string, findPartial: FindPartial): EmailFiles[] {
    const emails: EmailFiles[] = [];
    const all = below(path, "emails");
    for (const name of this.#files.entries(all)) {
      const directory = below(all, name);
      const type = fromFileName(name);
      if (!this.#files.isDirectory(directory)) {
        this.#misnamed(all, misplacedEmail(this.#files, all, name));
        continue;
      }
      const isListed = (brandingEmailTypes as readonly string[]).includes(type);
      if (!isListed && !this.#options.allowUnknownValues) {
        const isNew = emailType.safeParse(type).success;
        this.#findings.push({
          ...new SourceFile(directory, "").place(0),
          rule: "unknown-email",
          severity: isNew ? "warning" : "error",
          message: isNew
            ? `the email template type "${type}" is new to this version; it is sent as it is`
            : `unknown email template type "${type}"${didYouMean(type, brandingEmailTypes)}`,
          fix: isNew
            ? "check the name; esign:allowUnknownValues ends this warning"
            : `rename the directory to one of ${brandingEmailTypes.join(", ")}; or set esign:allowUnknownValues`,
        });
        if (!isNew) continue;
      }
      for (const each of misnamedEmailFiles(this.#files, directory)) this.#misnamed(directory, each);
      emails.push(this.#email(type, directory, findPartial));
    }
    return emails;
  }

  #email(type: string, directory: string, findPartial: FindPartial): EmailFiles {
    const email: EmailFiles = {
      type,
      place: new SourceFile(directory, "").place(0),
      hasPlainFile: this.#files.file(`${directory}/body.txt`) !== undefined,
      empty: [],
    };
    const textIn = (file: string, lineEnd = /$^/): PlaceholderText | undefined => {
      const source = this.#files.file(`${directory}/${file}`);
      if (!source) return undefined;
      const text = source.text.replace(lineEnd, "");
      if (text === "") {
        email.empty.push(source.place(0));
        return undefined;
      }
      const suffix = file.slice(file.lastIndexOf("."));
      return parsePlaceholders(source, (name) => findPartial(`${name}${suffix}`), this.#faults, text);
    };
    const [subject, content, contentPlain] = [textIn("subject.txt", /\r?\n$/), textIn("body.html"), textIn("body.txt")];
    return {
      ...email,
      ...(subject && { subject }),
      ...(content && { content }),
      ...(contentPlain && { contentPlain }),
    };
  }

  #reportUnusedPartials(path: string): void {
    for (const entry of this.#files.entries(below(path, "partials"))) {
      const file = below(path, `partials/${entry}`);
      if (this.#usedPartials.has(file)) continue;
      this.#unknownFile(file, `no email template includes the partial "${entry}"`, "include it, or delete the file");
    }
  }

  #misnamedFile(path: string, name: string): void {
    const other = misnamedSettings(this.#files, path, name);
    if (other) this.#misnamed(path, other);
  }

  #misnamed(directory: string, { name, fix, isError }: Misnamed): void {
    const report = isError ? this.#missingFile : this.#unknownFile;
    report.call(this, below(directory, name), `"${name}" is not read`, fix);
  }

  #missingFile(path: string, message: string, fix: string): void {
    this.#findings.push({
      ...new SourceFile(path, "").place(0),
      rule: "missing-file",
      severity: "error",
      message,
      fix,
    });
  }

  #unknownFile(path: string, message: string, fix: string): void {
    this.#findings.push({
      ...new SourceFile(path, "").place(0),
      rule: "unused-file",
      severity: "warning",
      message,
      fix,
    });
  }
}

const below = (path: string, name: string) => (path === "" ? name : `${path}/${name}`);

/** The objects in the sections of account.yaml. */
function readItems(file: AccountFile<AccountContent>): AccountFolder["items"] {
  const itemsOf = (kind: (typeof sectionKinds)[number]): FolderItem[] => {
    const { section } = kind.storage;
    const content: object = file.content?.[section] ?? {};
    if (Object.keys(content).length === 0) return [];
    if (isOnePerAccount(kind)) return [{ texts: readTexts(kind, file, [section], content) }];
    return Object.entries(content).map(([name, settings]) => ({
      name,
      texts: readTexts(kind, file, [section, name], settings as object),
    }));
  };
  const lists = sectionKinds.map((kind) => [kind.kind, itemsOf(kind)]);
  return Object.fromEntries(lists) as Record<SectionKind, FolderItem[]>;
}

/** The fields of a kind in a settings file, below a path, as placeholder texts. */
function readTexts(
  { fields, otherFields }: KindDefinition,
  file: AccountFile<unknown>,
  path: string[],
  settings: object,
): Record<string, PlaceholderText> {
  const all = settings as Record<string, string | Record<string, string>>;
  const section = otherFields?.section ?? "";
  const others = Object.entries(all[section] ?? {}).map(([name, text]) => [`${section}.${name}`, text] as const);
  const texts = Object.entries(all as Record<string, string>).filter(([name]) => Object.hasOwn(fields, name));
  return Object.fromEntries(
    [...texts, ...others].map(([field, text]) => [field, file.placeholderText([...path, ...field.split(".")], text)]),
  );
}
