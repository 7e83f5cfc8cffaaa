/** `esign promote <from> <to>`: copies changes as edits of the target's files, for review. */
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Command } from "commander";
import { createTwoFilesPatch } from "diff";
import type { CompanyFilter } from "../../../account-folder/company-filter";
import type { Comparison, ResourceChange } from "../../../account-folder/diff/comparison";
import { formatComparison, resourceName } from "../../../account-folder/diff/format";
import { type FolderSource, folderSource } from "../../../account-folder/diff/from-folder";
import { modelOf } from "../../../account-folder/diff/unmanaged";
import { isAccountFolder } from "../../../account-folder/folder/read";
import type { AccountModel } from "../../../account-folder/model";
import { type Promotion, promote } from "../../../account-folder/promote/promote";
import { plural } from "../../../account-folder/text/display";
import { UsageError } from "../../output/exit-codes";
import { printLines, printNotes, withoutSecretTexts } from "../../output/print";
import { colours, print, setMustFinish } from "../../output/terminal";
import { writeFiles } from "../../output/write-files";
import { projectFolder, stackConfigPath } from "../../project/project-files";
import { openProject } from "../../project/session";
import { rejectUnknownCompanies, withCompanyFilter } from "../../targets/company-filter";
import { type FolderValues, folderValues, setFolderValue } from "../../targets/stack-values";
import { openAccount, openTarget, parseTarget, scopedTo, type Target, valuesOf } from "../../targets/target";
import { validate } from "../export/deployable";
import { newSecretUrls } from "../export/webhook-secrets";
import { referencesHint } from "../help-topics";
import { countOpenEnvelopes, describeOpenEnvelopes, type OpenEnvelopes } from "./open-envelopes";

interface PromoteOptions {
  companies?: CompanyFilter;
  targetAccount?: string;
  managedOnly?: boolean;
  withValues?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function addPromote(program: Command): void {
  withCompanyFilter(program.command("promote"))
    .description("Copy changes into the target's files, for review. `esign up` then deploys them.")
    .argument("<from>", "account, folder or stack")
    .argument("<to>", "folder, or stack whose project has one")
    .option(
      "--target-account <account>",
      "the target's account, to count its open envelopes (default: the account of its stack)",
    )
    .option("--managed-only", "only resources that the target manages already")
    .option("--with-values", "also copy placeholder values into the target stack's configuration")
    .option("--dry-run", "show the edits and write nothing")
    .option("-j, --json", "the plan, as JSON")
    .addHelpText(
      "after",
      `${referencesHint}

Examples:
  $ esign promote account:staging ./account@production
  $ esign promote ./staging ./production
  $ esign promote account:staging stack:production --dry-run`,
    )
    .action(run);
}

async function run(fromName: string, toName: string, options: PromoteOptions): Promise<void> {
  const from = parseTarget(fromName);
  const target = await destinationOf(parseTarget(toName));
  const fromValues = await valuesOf(from, target.path);
  const own = target.stack === undefined ? undefined : await folderValues(target.path, target.stack);
  const folderOptions = {
    ...(own && { values: own.values, environment: target.stack! }),
    ...(fromValues && { otherValues: fromValues.values }),
  };
  const to = folderSource(target.path, { label: toName, ...folderOptions });
  const source = await openTarget(from, {
    ...(options.companies && { companies: options.companies }),
    ...(own && { otherValues: own }),
  });
  try {
    const side = scopedTo({ side: to }, source);
    rejectUnknownCompanies([side, to], options.companies);
    const values = options.withValues ? changedValues(fromValues, own) : {};
    const promotion = promote(side, to, {
      ...(options.managedOnly && { only: "managed" as const }),
      ...(options.companies && { companies: options.companies }),
      folder: { ...folderOptions, ...(own && { values: { ...own.values, ...values } }) },
    });
    const given = to.inferValues(side);
    // A value that is secret here is a secret there as well, and may have been inferred.
    const learnt = [...(own?.encrypted ?? [])].flatMap((name) => given[name] ?? []);
    const secrets = [...source.secrets, ...(fromValues?.secrets ?? []), ...(own?.secrets ?? []), ...learnt];
    const hide = withoutSecretTexts(secrets, [promotion.comparison, promotion.remaining]);
    const encrypted = new Set([...(fromValues?.encrypted ?? []), ...(own?.encrypted ?? [])]);
    promotion.notes.push(
      ...plainSecrets(fromName, promotion.files, to, hide),
      ...newSecretUrls(additionsOf(promotion.comparison.changes, side.model), promotion.files),
      ...missingValues(target, promotion.missing, encrypted),
    );
    const inFlight = await countFor(target, options.targetAccount, promotion.comparison);
    const unfit = rejectedFor(target, promotion.comparison.changes, side.model);
    const plan = { to: toName, promotion, values, inFlight, unfit, target };
    // It finishes even if its output is closed.
    if (!options.dryRun) setMustFinish(true);
    if (options.json) print(JSON.stringify(hide(asJson(fromName, plan)), null, 2));
    else show(plan, hide);
    if (options.dryRun) {
      if (!options.json) showEdits(plan, hide);
      return;
    }
    await write(plan, encrypted, options.json ? () => {} : print);
  } finally {
    await source.close();
  }
}

interface Destination {
  path: string;
  stack?: string;
}

interface Plan {
  to: string;
  promotion: Promotion;
  /** New values of the target stack's configuration. */
  values: Record<string, string>;
  /** By subaccount; the target's own under "". A reason where they could not be counted. */
  inFlight: ReadonlyMap<string, OpenEnvelopes | string>;
  /** What the resources will reject. */
  unfit: string[];
  target: Destination;
}

/** Notes about secrets that the edits add to files in plain text. */
function plainSecrets(
  from: string,
  files: ReadonlyMap<string, string>,
  to: FolderSource,
  hide: (text: string) => string,
): string[] {
  const holds = (text = "") => hide(text) !== text;
  return [...files]
    .filter(([path, text]) => holds(text) && !holds(to.loaded.sources.get(path)?.text))
    .map(
      ([path]) =>
        `${path} would contain a secret of ${from} in plain text. Write \${token} there, and run: esign config set --secret --path values.token`,
    );
}

/** Notes about values that only the source's environment has: the target cannot be deployed without them. */
function missingValues(
  { stack = "" }: Destination,
  names: readonly string[],
  encrypted: ReadonlySet<string>,
): string[] {
  return names.map((name) => {
    const path = name.includes(".") ? `'values["${name}"]'` : `values.${name}`;
    const secret = encrypted.has(name) ? "--secret " : "";
    return `stack ${stack} has no value for \${${name}}: esign config set --stack ${stack} ${secret}--path ${path} <value>, or promote with --with-values`;
  });
}

/** What some changes add, as a configuration of its own. */
const additionsOf = (changes: readonly ResourceChange[], from: AccountModel): AccountModel =>
  modelOf(
    changes.filter(({ action }) => action !== "remove"),
    from,
  );

/** What the resources of the target will reject of the new values. */
function rejectedFor({ stack }: Destination, changes: readonly ResourceChange[], from: AccountModel): string[] {
  const { notes, allowUnknownValues } = validate(additionsOf(changes, from));
  const set = `esign config set${stack === undefined ? "" : ` --stack ${stack}`} esign:allowUnknownValues true`;
  return [
    ...notes.map((text) => text.replace(" is left out: it", " will be refused: it")),
    ...(allowUnknownValues
      ? [`the changes have variables or types that this version does not know; they need: ${set}`]
      : []),
  ];
}

/** The folder to edit. That of a stack is found in its project. */
async function destinationOf(named: Target): Promise<Destination> {
  switch (named.kind) {
    case "folder":
      return { path: named.path, ...(named.stack !== undefined && { stack: named.stack }) };
    case "stack": {
      const project = await openProject();
      const found = await accountFolders(project.programDirectory);
      if (found.length === 1) return { path: found[0]!, stack: named.stack };
      const list = found.map((path) => `./${relative(process.cwd(), path)}@${named.stack}`).join(", ");
      throw new UsageError(
        found.length === 0
          ? `the project of ${named.text} has no account folder (with account.yaml, emails/ or companies/). Create one: esign export`
          : `the project of ${named.text} has several account folders; choose one: ${list}`,
      );
    }
    default:
      throw new UsageError(
        `promote writes files, never to an account: the target must be a folder or a stack, not "${named.text}"`,
      );
  }
}

/** Account folders, outermost first and none inside another. */
async function accountFolders(root: string): Promise<string[]> {
  if (isAccountFolder(root)) return [root];
  const found: string[] = [];
  // Folders that cannot be read, such as a container's data, are not accounts.
  for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
    const path = join(root, entry.name);
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) found.push(...(await accountFolders(path)));
    // A link may lead back here, so it is not followed.
    else if (entry.isSymbolicLink() && isAccountFolder(path)) found.push(path);
  }
  return found.sort();
}

/** The values of the source's environment that differ from the target's. */
function changedValues(from: FolderValues | undefined, own: FolderValues | undefined): Record<string, string> {
  if (!from || !own) {
    throw new UsageError(
      "--with-values needs two stacks: name source and target with theirs, as in ./account@staging ./account@production",
    );
  }
  return Object.fromEntries(Object.entries(from.values).filter(([name, value]) => own.values[name] !== value));
}

/** Counts the open envelopes of each account whose templates change, where possible. */
async function countFor(
  target: Destination,
  account: string | undefined,
  comparison: Comparison,
): Promise<Map<string, OpenEnvelopes | string>> {
  const emails = comparison.changes.filter((change) => change.kind === "BrandingEmail");
  const counts = new Map<string, OpenEnvelopes | string>();
  const name = account ?? (target.stack === undefined ? undefined : `account:${target.stack}`);
  const named = name === undefined ? undefined : parseTarget(name);
  if (named !== undefined && named.kind !== "account") {
    throw new UsageError(`--target-account takes an account, not "${name}"`);
  }
  for (const company of new Set(emails.map((change) => change.company ?? ""))) {
    if (named === undefined) counts.set(company, "use --target-account to count them");
    else counts.set(company, await countOf(company === "" ? named : { ...named, company }, account === undefined));
  }
  return counts;
}

async function countOf(named: Target & { kind: "account" }, tolerant: boolean): Promise<OpenEnvelopes | string> {
  try {
    const connection = await openAccount(named);
    try {
      return await countOpenEnvelopes(connection.client);
    } finally {
      await connection.close();
    }
  } catch (error) {
    // The plan is about files, and useful without the count. A subaccount may be new.
    if (!tolerant && named.company === undefined) throw error;
    const which = named.company === undefined ? named.text : `${named.text}/${named.company}`;
    return `${which} cannot be read: ${(error as Error).message.split("\n")[0]}`;
  }
}

function show({ to, promotion, values, inFlight, unfit }: Plan, hide: <T>(value: T) => T): void {
  const [comparison, remaining] = [hide(promotion.comparison), hide(promotion.remaining)];
  printLines(formatComparison(comparison));
  const emails = comparison.changes.filter((change) => change.kind === "BrandingEmail");
  if (emails.length > 0) print(`\n${colours.bold("Open envelopes")}`);
  for (const change of emails) {
    const count = inFlight.get(change.company ?? "")!;
    const words =
      typeof count === "object"
        ? describeOpenEnvelopes(change.name ?? "", count)
        : `open envelopes were not counted: ${count}`;
    print(`  ${resourceName(change)}: ${words}`);
  }
  printNotes(hide([...promotion.notes, ...unfit]));
  printNotes(remaining.changes.map((change) => `${to} will still differ in ${resourceName(change)}`));
  if (Object.keys(values).length > 0) print(`\n${colours.bold("Values")}`);
  for (const [name, value] of Object.entries(values)) print(`  ${name}: ${hide(value)}`);
}

/** The edits of files, as a unified diff. */
function showEdits({ promotion: { files }, target }: Plan, hide: <T>(value: T) => T): void {
  if (files.size === 0) {
    print("\nNothing to write.");
    return;
  }
  print(`\n${colours.bold(plural(files.size, "edited file"))}:`);
  for (const [path, text] of files) {
    const file = join(target.path, path);
    const before = existsSync(file) ? readFileSync(file, "utf8") : "";
    for (const line of createTwoFilesPatch(file, file, hide(before), hide(text)).trimEnd().split("\n").slice(1)) {
      const paint = line.startsWith("+") ? colours.green : line.startsWith("-") ? colours.red : colours.dim;
      print(paint(line));
    }
  }
}

async function write(
  { promotion: { files }, target, values }: Plan,
  encrypted: ReadonlySet<string>,
  say: (line: string) => void,
): Promise<void> {
  const names = Object.keys(values);
  const count = files.size + (names.length > 0 ? 1 : 0);
  if (count === 0) return say("\nNothing to write.");
  say(`\n${colours.bold(plural(count, "file"))}, for review:`);
  await writeFiles(target.path, files, say);
  for (const name of names) await setFolderValue(target.path, target.stack!, name, values[name]!, encrypted.has(name));
  if (names.length > 0) say(`  wrote ${basename(stackConfigPath(projectFolder(target.path), target.stack!))}`);
  say(`Then: esign preview${target.stack === undefined ? "" : ` --stack ${target.stack}`}`);
}

function asJson(from: string, { to, promotion, values, inFlight, unfit }: Plan) {
  const { comparison, files, notes, remaining } = promotion;
  return {
    from,
    to,
    ...comparison,
    files: Object.fromEntries(files),
    values,
    inFlight: inFlight.get(""),
    inFlightOfCompanies: Object.fromEntries([...inFlight].filter(([company]) => company !== "")),
    notes: [...notes, ...unfit],
    remaining: remaining.changes,
  };
}
