/** `esign inventory`: what an account has that no code owns, and the way to turn it into code. */
import { existsSync, readdirSync, statSync } from "node:fs";
import type { Command } from "commander";
import type { CompanyFilter } from "../../account-folder/company-filter";
import type { ConfigSource, IgnoredDifference } from "../../account-folder/diff/comparison";
import { plural, resourceName } from "../../account-folder/diff/format";
import { folderSource } from "../../account-folder/diff/from-folder";
import { findUnmanaged, modelOf } from "../../account-folder/diff/unmanaged";
import { accountFiles } from "../../account-folder/folder/write";
import { promote } from "../../account-folder/promote/promote";
import { groupBy } from "../../account-folder/text/group-by";
import { UsageError } from "../output/exit-codes";
import { printNotes } from "../output/print";
import { colours, note, print, setMustFinish } from "../output/terminal";
import { writeFiles } from "../output/write-files";
import { projectFolderHere } from "../project/project-files";
import { openProject } from "../project/session";
import { withCompanyFilter } from "../targets/company-filter";
import { type OpenTarget, openTarget, parseTarget, referenceHelp, scopedTo } from "../targets/target";
import { newSecretUrls } from "./export/webhook-secrets";

interface InventoryOptions {
  companies?: CompanyFilter;
  ownedBy?: string[];
  write?: string;
  json?: boolean;
}

export function addInventory(program: Command): void {
  withCompanyFilter(program.command("inventory"))
    .description("List what an account has that no code owns.")
    .argument("[account]", "the account", "account")
    .option("--owned-by <names...>", "folders and stacks that own something (default: all stacks of this project)")
    .option("--write <folder>", "turn it into code: add it to this folder, or make it")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `${referenceHelp}

Examples:
  $ esign inventory
  $ esign inventory account:production --owned-by stack:production ./other-account
  $ esign inventory --write ./account`,
    )
    .action(run);
}

async function run(name: string, options: InventoryOptions): Promise<void> {
  const named = parseTarget(name);
  if (named.kind !== "account") throw new UsageError(`inventory is taken of an account, not of "${name}"`);
  const owned = (options.ownedBy ?? (await projectStacks())).map(parseTarget);
  // `--owned-by` takes all names behind it: an account that was meant to be looked at would own itself.
  const self = owned.find(({ kind }) => kind === "account");
  if (self !== undefined)
    throw new UsageError(
      `folders and stacks own something, "${self.text}" is an account (--owned-by takes all names behind it: the account comes before it)`,
    );
  const owners: OpenTarget[] = [];
  for (const owner of owned) owners.push(await openTarget(owner));
  const account = await openTarget(named, options.companies ? { companies: options.companies } : {});
  try {
    const left = findUnmanaged(
      account.side,
      owners.map((owner) => scopedTo(account, owner)),
    );
    if (options.write !== undefined) setMustFinish(true);
    if (options.json) print(JSON.stringify(left, null, 2));
    else show(name, left, owners);
    if (options.write !== undefined) await write(options.write, account.side, left, options.json ? note : print);
    else if (left.length > 0 && !options.json) print(`Turn it into code: esign inventory ${name} --write <folder>`);
  } finally {
    await account.close();
  }
}

/** Outside of a project there are none: whoever has no code yet wants to know what there is to take over. */
async function projectStacks(): Promise<string[]> {
  if (projectFolderHere() === undefined) return [];
  const project = await openProject();
  return (await project.listStacks()).map((stack) => `stack:${stack.name}`);
}

function show(name: string, left: readonly IgnoredDifference[], owners: readonly OpenTarget[]): void {
  const nothing = projectFolderHere() === undefined ? "there is no project here" : "this project has no stack";
  const by = owners.length > 0 ? owners.map(({ side }) => side.label).join(", ") : `nothing: ${nothing}`;
  print(colours.dim(`Owned by ${by}`));
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
  if (left.length === 0) print(`All that ${name} has is owned by code.`);
  else
    print(
      colours.bold(
        `${plural(resources.size, "resource")} of ${name} ${resources.size === 1 ? "is" : "are"} owned by no code.`,
      ),
    );
}

const idsOf = ({ companyId, id }: IgnoredDifference) => [companyId, id].filter((each) => each !== undefined);

async function write(
  folder: string,
  account: ConfigSource,
  left: readonly IgnoredDifference[],
  say: (line: string) => void,
): Promise<void> {
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
