/** `esign promote <from> <to>`: copies changes as edits of the target's files, for review. */
import { basename } from "node:path";
import type { Command } from "commander";
import type { CompanyFilter } from "../../../account-folder/company-filter";
import { folderSource } from "../../../account-folder/diff/from-folder";
import { promote } from "../../../account-folder/promote/promote";
import { onRequestKindsIn } from "../../../definitions/index";
import type { KindDefinition } from "../../../definitions/kind";
import { plural } from "../../../definitions/text/display";
import { UsageError } from "../../output/errors";
import { withoutSecretTexts } from "../../output/print-lines";
import { colours, print, setMustFinish } from "../../output/terminal";
import { writeFiles } from "../../output/write-files";
import { projectFolder, stackConfigPath } from "../../project/project-files";
import { rejectUnknownCompanies, withCompanyFilter } from "../../references/companies-option";
import { withInclude } from "../../references/include-option";
import { comparedSides, type OpenedReference, openReference, scopedTo } from "../../references/open-reference";
import { parseReference } from "../../references/reference";
import { type FolderValues, folderValues, setFolderValue } from "../../references/stack-values";
import { valuesOfReference } from "../../references/values-of-reference";
import { newSecretUrls } from "../export/webhook-secrets";
import { referencesHint } from "../help/topics";
import { destinationOf } from "./destination";
import { countFor } from "./open-envelopes";
import { type Plan, planAsJson, printEdits, printPlan } from "./promotion-plan";
import { additionsOf, missingValues, plainSecrets, rejectedFor } from "./review-notes";

interface PromoteOptions {
  companies?: CompanyFilter;
  include?: KindDefinition[];
  targetAccount?: string;
  all?: boolean;
  withValues?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function addPromote(program: Command): void {
  withInclude(withCompanyFilter(program.command("promote")))
    .description("Copy changes into the target's files, for review. `esign up` then deploys them.")
    .argument("<from>", "account, folder or stack")
    .argument("<to>", "folder, or stack whose project has one")
    .option(
      "--target-account <account>",
      "the target's account, to count its open envelopes (default: the account of its stack)",
    )
    .option("--all", "also add what the target does not manage yet")
    .option("--with-values", "also copy placeholder values into the target stack's configuration")
    .option("--dry-run", "show the edits and write nothing")
    .option("-j, --json", "the plan, as JSON")
    .addHelpText(
      "after",
      `${referencesHint}

Examples:
  $ esign promote account:staging ./account@production
  $ esign promote account:staging ./account@production --all
  $ esign promote ./staging ./production
  $ esign promote account:staging stack:production --dry-run`,
    )
    .action(run);
}

async function run(fromName: string, toName: string, options: PromoteOptions): Promise<void> {
  const from = parseReference(fromName);
  const target = await destinationOf(parseReference(toName));
  const fromValues = await valuesOfReference(from, target.path);
  const own = target.stack === undefined ? undefined : await folderValues(target.path, target.stack);
  const folderOptions = {
    ...(own && { values: own.values, environment: target.stack! }),
    ...(fromValues && { otherValues: fromValues.values }),
  };
  const to = folderSource(target.path, { label: toName, ...folderOptions });
  const folder: OpenedReference = { side: to, folder: to, secrets: [], close: async () => {} };
  const source = await openReference(from, {
    include: [...onRequestKindsIn(to.model), ...(options.include ?? [])],
    ...(options.companies && { companies: options.companies }),
    ...(own && { otherValues: own }),
  });
  try {
    const scoped = scopedTo({ side: to }, source);
    rejectUnknownCompanies([scoped, to], options.companies);
    const [side, { pictureAt }] = await comparedSides({ side: scoped, opened: source }, { side: to, opened: folder });
    const values = options.withValues ? changedValues(fromValues, own) : {};
    const promotion = promote(side, pictureAt === undefined ? to : { ...to, pictureAt }, {
      ...(!options.all && { only: "managed" as const }),
      ...(options.companies && { companies: options.companies }),
      folder: { ...folderOptions, ...(own && { values: { ...own.values, ...values } }) },
    });
    const inferred = to.inferValues(side);
    // A value that is secret here is a secret there as well, and may have been inferred.
    const learnt = [...(own?.encrypted ?? [])].flatMap((name) => inferred[name] ?? []);
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
    const plan = { to: toName, promotion, values, inFlight, unfit, target, sources: to.loaded.sources };
    // It finishes even if its output is closed.
    if (!options.dryRun) setMustFinish(true);
    if (options.json) print(JSON.stringify(hide(planAsJson(fromName, plan)), null, 2));
    else printPlan(plan, hide);
    if (options.dryRun) {
      if (!options.json) printEdits(plan, hide);
      return;
    }
    await write(plan, encrypted, options.json ? () => {} : print);
  } finally {
    await source.close();
  }
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
