/** `esign drift unmanaged`: the unmanaged resources of an account, and the code for them. */
import { existsSync, readdirSync, statSync } from "node:fs";
import type { Command } from "commander";
import type { CompanyFilter } from "../../../account-folder/company-filter";
import type { ConfigSource, IgnoredDifference } from "../../../account-folder/diff/comparison";
import { resourceName } from "../../../account-folder/diff/format-diff";
import { folderSource } from "../../../account-folder/diff/from-folder";
import { type Duplicate, findDuplicates, findUnmanaged, modelOf } from "../../../account-folder/diff/unmanaged";
import { accountFiles } from "../../../account-folder/folder/write-folder";
import { promote } from "../../../account-folder/promote/promote";
import { groupBy } from "../../../definitions/group-by";
import { kinds, onRequestKindsIn } from "../../../definitions/index";
import type { KindDefinition } from "../../../definitions/kind";
import { plural } from "../../../definitions/text/display";
import { asUsageError } from "../../output/describe-error";
import { ExitError, UsageError } from "../../output/errors";
import { Exit } from "../../output/exit-codes";
import { printNotes } from "../../output/print-lines";
import { colours, note, print, setMustFinish } from "../../output/terminal";
import { writeFiles } from "../../output/write-files";
import { openProject } from "../../project/open-project";
import { projectFolderHere } from "../../project/project-files";
import { withCompanyFilter } from "../../references/companies-option";
import { withInclude } from "../../references/include-option";
import { type OpenedReference, openReference, scopedTo } from "../../references/open-reference";
import { parseReference } from "../../references/reference";
import { newSecretUrls } from "../export/webhook-secrets";
import { referencesHint } from "../help/topics";

interface UnmanagedOptions {
  companies?: CompanyFilter;
  include?: KindDefinition[];
  managedBy?: string[];
  out?: string;
  exitCode?: boolean;
  json?: boolean;
}

export function addUnmanaged(drift: Command): void {
  withInclude(withCompanyFilter(drift.command("unmanaged")))
    .description("List what an account has and no code declares.")
    .argument("[account]", "the account (default: account)")
    .option("--managed-by <names...>", "folders and stacks that manage resources (default: this project's stacks)")
    .option("-o, --out <folder>", "add code for them to this folder")
    .option("--exit-code", "exit with 1 if there are unmanaged resources")
    .option("-j, --json", "as JSON")
    .addHelpText(
      "after",
      `${referencesHint}

Exit codes: 0 compared, 1 unmanaged resources (with --exit-code),
2 could not compare.

Examples:
  $ esign drift unmanaged
  $ esign drift unmanaged account:prod --managed-by stack:prod ./other
  $ esign drift unmanaged --out ./account`,
    )
    .action(async (name: string | undefined, options: UnmanagedOptions) => {
      const count = await listUnmanaged(name ?? "account", options).catch((error) => {
        throw asUsageError(error);
      });
      if (count > 0 && options.exitCode) throw new ExitError(Exit.failed);
    });
}

async function listUnmanaged(name: string, options: UnmanagedOptions): Promise<number> {
  const named = parseReference(name);
  if (named.kind !== "account") throw new UsageError(`drift unmanaged lists an account, not "${name}"`);
  const owned = (options.managedBy ?? (await projectStacks())).map(parseReference);
  // `--managed-by` takes all names after it: an account that was meant as the argument would manage itself.
  const self = owned.find(({ kind }) => kind === "account");
  if (self !== undefined)
    throw new UsageError(
      `--managed-by takes folders and stacks, "${self.text}" is an account. It takes all names after it: put the account first`,
    );
  const owners: OpenedReference[] = [];
  for (const owner of owned) owners.push(await openReference(owner));
  const account = await openReference(named, {
    include: [...owners.flatMap(({ side }) => onRequestKindsIn(side.model)), ...(options.include ?? [])],
    ...(options.companies && { companies: options.companies }),
  });
  try {
    const left = findUnmanaged(
      account.side,
      owners.map((owner) => scopedTo(account, owner)),
    );
    const duplicates = findDuplicates(left, account.side);
    const addable = left.filter((item) => !duplicates.some((duplicate) => duplicate.item === item));
    if (options.out !== undefined) setMustFinish(true);
    if (options.json) print(JSON.stringify(left, null, 2));
    else show(name, left, owners);
    printNotes(duplicates.map(describeDuplicate));
    if (options.out !== undefined) await write(options.out, account.side, addable, options.json ? note : print);
    else if (addable.length > 0 && !options.json)
      print(`To add ${addable.length === 1 ? "it" : "them"} to code: esign drift unmanaged ${name} --out <folder>`);
    return left.length;
  } finally {
    await account.close();
  }
}

/** Outside of a project there are none: then everything is unmanaged. */
async function projectStacks(): Promise<string[]> {
  if (projectFolderHere() === undefined) return [];
  const project = await openProject();
  return (await project.listStacks()).map((stack) => `stack:${stack.name}`);
}

function show(name: string, left: readonly IgnoredDifference[], owners: readonly OpenedReference[]): void {
  const reason = projectFolderHere() === undefined ? "no project here" : "this project has no stack";
  const labels = owners.map(({ side }) =>
    side.label.startsWith("stack:") ? side.label.replace(":", " ") : side.label,
  );
  print(colours.bold(`Unmanaged (${owners.length > 0 ? `compared with ${labels.join(", ")}` : reason}):`));
  // Two of one name are two, and told apart.
  const resources = groupBy(left, (item) => [resourceName(item), ...idsOf(item)].join("\n"));
  const names = groupBy(resources.values(), ([item]) => resourceName(item!));
  for (const items of resources.values()) {
    const fields = items
      .filter((item) => item.action === "change")
      .flatMap((item) => item.fields.map(({ field }) => field));
    const resource = resourceName(items[0]!);
    const which = names.get(resource)!.length > 1 ? ` (${idsOf(items[0]!).join("/")})` : "";
    print(`  ${resource}${which}${fields.length > 0 ? `: ${fields.join(", ")}` : ""}`);
  }
  if (left.length === 0) print(`  none: code manages everything in ${name}`);
  else print(`${plural(resources.size, "unmanaged resource")} in ${name}.`);
}

/** A program declares an object once, so that only a deletion ends its being unmanaged. */
function describeDuplicate({ item, of }: Duplicate): string {
  const company = item.companyId === undefined ? "" : ` --company ${item.companyId}`;
  return `${resourceName(item)} (id ${item.id}) is identical to id ${of}, and a program declares only one of them. Delete the other: esign ${kinds[item.kind].nouns[1]} delete ${item.id}${company}`;
}

const idsOf = ({ companyId, id }: IgnoredDifference) => [companyId, id].filter((each) => each !== undefined);

async function write(
  folder: string,
  account: ConfigSource,
  left: readonly IgnoredDifference[],
  say: (line: string) => void,
): Promise<void> {
  if (left.length === 0) return say("Nothing to write.");
  const model = modelOf(left, account.model);
  const { files, notes } = isInUse(folder)
    ? promote({ model, label: account.label, isAuthoritative: false }, folderSource(folder, { label: folder }), {
        only: "additions",
        whole: account,
        folder: {},
      })
    : accountFiles(model);
  await writeFiles(folder, files, say);
  printNotes([...notes, ...newSecretUrls(model, files)]);
}

/** An empty folder is as good as none. */
const isInUse = (path: string) => existsSync(path) && !(statSync(path).isDirectory() && readdirSync(path).length === 0);
