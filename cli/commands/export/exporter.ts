/** Reads an account and writes its project; resumes an interrupted export. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseDocument } from "yaml";
import type { CompanyFilter } from "../../../account-folder/company-filter";
import { listCompanies, readCompanies, readOwnAccount } from "../../../account-folder/diff/from-service";
import { loadFolder } from "../../../account-folder/folder/load-folder";
import { LinkError, rejectLinks } from "../../../account-folder/folder/symbolic-links";
import { accountFiles, companyFiles, type Files } from "../../../account-folder/folder/write-folder";
import { findYamlErrors } from "../../../account-folder/folder/yaml-errors";
import { EMAIL_FILES } from "../../../definitions/branding-email";
import { companyName } from "../../../definitions/company";
import { accountKinds } from "../../../definitions/index";
import { isOnePerAccount, type KindDefinition } from "../../../definitions/kind";
import type { AccountModel, Item } from "../../../definitions/model";
import { plural } from "../../../definitions/text/display";
import { removeTemporaryFiles, writeDurably } from "../../../fs/atomic-write";
import { appendJsonLine, parseJsonLines } from "../../../fs/json-lines";
import { makeFolder } from "../../../fs/make-folder";
import type { Client } from "../../../sdk";
import { UsageError } from "../../output/errors";
import { printNotes } from "../../output/print-lines";
import { ProgressBar } from "../../output/progress-bar";
import { colours, errorColours, note, print, setMustFinish } from "../../output/terminal";
import { stackKey } from "../../project/encrypt-key";
import type { Language } from "../../project/new-project/languages";
import { completeFiles, isOfTools } from "../../project/new-project/merge-files";
import type { ModuleFormat } from "../../project/new-project/module-format";
import type { Connection } from "../../references/connect";
import { noteRefusedList } from "../../references/note-refused-list";
import { DeclaredLogos } from "./declared-logo";
import { importFileOptions } from "./import-file-options";
import { type ExportedCompany, identified, withNames, withPreviousNames } from "./previous-export";
import { IMPORT_FILE, projectFiles } from "./project-template";
import { type Validated, validate, validateCompany } from "./validate-account";
import { secretUrls } from "./webhook-secrets";

export interface ExportOptions {
  out: string;
  companies?: CompanyFilter;
  include?: KindDefinition[];
  name?: string;
  stackName?: string;
  force?: boolean;
  module?: ModuleFormat;
  /** Default: TypeScript. */
  language?: Language;
  parallel?: string;
  /** Called when nothing prevents the export any more, before its first file. */
  onBegin?: () => Promise<void>;
}

/** The files that contain URLs of webhooks. */
const HOLDERS = `account.yaml and ${IMPORT_FILE}`;

/** The resume file of an export, beside its output: a line for each subaccount. */
const JOURNAL = ".esign-export";

export const isInterrupted = (out: string): boolean => existsSync(join(out, JOURNAL));

export class Export {
  readonly #out: string;
  readonly #journal: string;
  readonly #notes: string[] = [];
  #allowUnknownValues = false;
  #count = 0;
  readonly #client: Client;
  readonly #logos: DeclaredLogos;
  readonly #connection: Connection;
  readonly #options: ExportOptions;
  readonly #project: { name: string; stackName: string; parallel: number };

  constructor(
    connection: Connection,
    options: ExportOptions,
    project: { name: string; stackName: string; parallel: number },
  ) {
    this.#connection = connection;
    this.#options = options;
    this.#project = project;
    this.#client = connection.client;
    this.#logos = new DeclaredLogos(this.#client.baseUrl);
    this.#out = resolve(options.out);
    this.#journal = join(this.#out, JOURNAL);
  }

  /** Resolves to whether the stack's configuration has the key. */
  async run(): Promise<boolean> {
    // It finishes even if its output is closed.
    setMustFinish(true);
    const account = `${this.#client.baseUrl} ${await this.#client.keyFingerprint()}`;
    rejectLinks(this.#out, [JOURNAL, `Pulumi.${this.#project.stackName}.yaml`, IMPORT_FILE]);
    const done = await this.#loadResumeState(account);
    const earlier = this.#previousExport();
    const read = this.#collect(validate(await readOwnAccount(this.#client, this.#options.include)));
    const own = withNames(read, earlier);
    const kept = await this.#logos.keep(own, earlier);
    const { files, notes } = accountFiles(kept.account);
    this.#notes.push(...kept.notes, ...notes, ...secretUrls(own.Webhook, HOLDERS));
    const chosen = await listCompanies(this.#client, this.#options.companies ?? "all", noteRefusedList);
    const companies = chosen && withPreviousNames(chosen, done, earlier?.Company);
    rejectLinks(this.#out, [...files.keys(), ...(companies ?? []).map(({ name }) => `companies/${name}`)]);
    this.#rejectLeftovers(files, "", companies ?? []);
    await makeFolder(this.#out);
    if (!isInterrupted(this.#out)) await writeDurably(this.#journal, `${account}\n`);
    await this.#options.onBegin?.();
    await this.#write(files);
    const model = companies ? { ...own, Company: await this.#companies(companies, done, earlier) } : own;
    const hasKey = await this.#writeProject(model);
    await rm(this.#journal, { force: true });
    this.#report(model);
    return hasKey;
  }

  /** Checks the folder: empty, an interrupted export, or files that must not be lost. */
  async #loadResumeState(account: string): Promise<Map<string, ExportedCompany>> {
    const done = new Map<string, ExportedCompany>();
    if (isInterrupted(this.#out)) {
      const [head, ...lines] = readFileSync(this.#journal, "utf8").split("\n");
      if (head !== account) {
        throw new UsageError(
          `${this.#options.out} contains an interrupted export of another account: use another folder, or delete it`,
        );
      }
      for (const each of parseJsonLines<ExportedCompany>(lines.join("\n"))) done.set(each.id, each);
      note(errorColours.dim(`Resuming: ${plural(done.size, "subaccount")} already exported.`));
      return done;
    }
    // Of an export that was killed before its journal was whole.
    await removeTemporaryFiles(this.#journal);
    const there = existsSync(this.#out) ? await readdir(this.#out) : [];
    if (there.some((name) => !isOfTools(name)) && !this.#options.force) {
      throw new UsageError(`${this.#options.out} is not empty: use another folder, or overwrite it with --force`);
    }
    return done;
  }

  /**
   * The first `up` would create in the account what only the folder has, such as files of a renamed subaccount. That may be
   * intended, so the user decides.
   */
  #rejectLeftovers(files: Files, base: string, companies?: readonly Item[]): void {
    const slugs = companies?.map(({ name }) => `companies/${name}`);
    const others = [
      ...(this.#has(`${base}account.yaml`) && !files.has(`${base}account.yaml`) ? [`${base}account.yaml`] : []),
      ...this.#foldersIn(`${base}emails`).flatMap((email) => {
        const texts = Object.values(EMAIL_FILES).map((name) => `${email}/${name}`);
        if (!texts.some((path) => files.has(path))) return [email];
        return texts.filter((path) => this.#has(path) && !files.has(path));
      }),
      ...(slugs ? this.#foldersIn("companies").filter((path) => !slugs.includes(path)) : []),
    ];
    if (others.length === 0) return;
    throw new UsageError(
      [
        `${this.#options.out} has files that this export does not write. Remove them, or rename them as in the account:`,
        ...others.sort().map((path) => `    ${path}`),
      ].join("\n"),
    );
  }

  #has(path: string): boolean {
    return existsSync(join(this.#out, path));
  }

  #foldersIn(path: string): string[] {
    const isFolder = (each: string) => this.#has(each) && statSync(join(this.#out, each)).isDirectory();
    if (!isFolder(path)) return [];
    const names = readdirSync(join(this.#out, path)).filter((name) => !name.startsWith("."));
    return names.map((name) => `${path}/${name}`).filter(isFolder);
  }

  /**
   * A previous export in the folder. Its names of webhooks and directories are parts of the names of resources: with other
   * names, `up` would confuse objects.
   */
  #previousExport(): AccountModel | undefined {
    try {
      return loadFolder(this.#out, { allowUnknownValues: true }).account.model;
    } catch (error) {
      if (error instanceof LinkError) throw error;
      return undefined;
    }
  }

  #collect<T>(result: Validated<T>): T {
    this.#notes.push(...result.notes);
    this.#allowUnknownValues ||= result.allowUnknownValues;
    return result.value;
  }

  async #companies(
    named: readonly Item[],
    done: ReadonlyMap<string, ExportedCompany>,
    earlier: AccountModel | undefined,
  ): Promise<Item[]> {
    const progress = new ProgressBar(named.length, "subaccounts");
    const results = new Map<string, Validated<Item>>();
    const open: Item[] = [];
    for (const company of named) {
      const before = done.get(company.id!);
      const restored = before && this.#restore(company, before);
      if (restored) results.set(company.id!, restored);
      else open.push(company);
    }
    progress.step(results.size);
    await readCompanies(this.#client, open, {
      ...(this.#options.include && { include: this.#options.include }),
      parallel: this.#project.parallel,
      onCompany: async (read) => {
        const { value: company, notes, allowUnknownValues } = validateCompany(read);
        const [slug, name] = [company.name!, companyName(company)];
        const before = earlier?.Company?.find((each) => each.name === slug)?.account;
        const account = withNames(company.account!, before);
        const kept = await this.#logos.keep(account, before, name);
        const written = companyFiles({ ...company, account: kept.account }, slug);
        this.#rejectLeftovers(written.files, `companies/${slug}/`);
        await this.#write(written.files);
        const entry: ExportedCompany = {
          id: company.id!,
          ...{ slug, name },
          ...(company.fields.email !== undefined && { email: company.fields.email }),
          items: identified(account),
          notes: [...notes, ...kept.notes, ...written.notes, ...secretUrls(account.Webhook, HOLDERS, name)],
          allowUnknownValues,
        };
        appendJsonLine(this.#journal, entry);
        results.set(company.id!, { value: { ...company, account }, notes: entry.notes, allowUnknownValues });
        progress.step(1, name);
      },
    });
    progress.end();
    // In their order, not in that in which they were read: the same account gives the same files.
    return named.map((company) => this.#collect(results.get(company.id!)!));
  }

  /** A subaccount that an earlier run has written, from its files; the rest is in the resume file. */
  #restore(company: Item, before: ExportedCompany): Validated<Item> | undefined {
    const folder = join(this.#out, "companies", before.slug);
    rejectLinks(this.#out, [`companies/${before.slug}`]);
    if (!existsSync(folder) || companyName(company) !== before.name || company.fields.email !== before.email)
      return undefined;
    const { notes, allowUnknownValues } = before;
    const { model } = loadFolder(folder, { allowUnknownValues: true, soleCompany: true }).account;
    return {
      value: { ...company, account: { ...model, ...before.items } },
      notes,
      allowUnknownValues,
    };
  }

  /** Writes the project around the account; resolves to whether its configuration contains the key. */
  async #writeProject(model: AccountModel): Promise<boolean> {
    const { name, stackName: stack } = this.#project;
    const { apiKey, company } = this.#connection;
    const language = this.#options.language ?? "typescript";
    const { importFile } = await import("../../../provider/components/pulumi-import-file.js");
    const allowUnknownValues = this.#allowUnknownValues;
    const project = { folder: this.#out, name, stack, company, language, allowUnknownValues };
    let resources: string | undefined;
    try {
      const imported = company === undefined ? model : { Company: [{ id: company, fields: {}, account: model }] };
      resources = importFile(imported, importFileOptions(project));
    } catch (error) {
      this.#notes.push(`${IMPORT_FILE} was not written: ${(error as Error).message}`);
    }
    const file = join(this.#out, `Pulumi.${stack}.yaml`);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const configuration = parseDocument(text);
    const [fault] = findYamlErrors(configuration, text);
    if (fault !== undefined)
      throw new UsageError(`${file} is not valid YAML: ${fault.message}\nCorrect or remove it, and rerun the command.`);
    const secret = apiKey === undefined ? undefined : await stackKey(configuration.toJS(), apiKey);
    await this.#write(
      completeFiles(
        this.#out,
        projectFiles({
          name,
          stack,
          baseUrl: this.#client.baseUrl,
          allowUnknownValues,
          partner: (model.Company ?? []).length > 0,
          ...(company !== undefined && { company }),
          module: this.#options.module ?? "commonjs",
          language,
          ...(secret && { secret }),
          configuration,
          notes: this.#notes,
        }),
      ),
    );
    if (resources === undefined) await rm(join(this.#out, IMPORT_FILE), { force: true });
    else await this.#write(new Map([[IMPORT_FILE, resources]]));
    return secret !== undefined;
  }

  async #write(files: Files): Promise<void> {
    rejectLinks(this.#out, files.keys());
    for (const [path, text] of files) {
      const absolute = join(this.#out, path);
      await makeFolder(dirname(absolute));
      // A file that a kill truncates is written again: the resume file gets its line afterwards.
      await writeFile(absolute, text);
      this.#count++;
    }
  }

  #report(model: AccountModel): void {
    const parts = accountKinds.flatMap((kind) => {
      const items = model[kind.kind] ?? (kind.isOnRequest ? undefined : []);
      if (items === undefined || isOnePerAccount(kind)) return [];
      return `${items.length} ${kind.nouns[items.length === 1 ? 0 : 1]}`;
    });
    const settings = model.Settings?.flatMap(({ fields }) => Object.keys(fields));
    if (settings) parts.push(plural(settings.length, "setting"));
    if (model.Company) parts.push(plural(model.Company.length, "subaccount"));
    parts.push(plural(this.#count, "file"));
    print(`${colours.bold(this.#options.out)}: ${parts.join(", ")}.`);
    printNotes(this.#notes);
  }
}
