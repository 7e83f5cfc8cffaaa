/** `esign drift`: what was changed in an account since it was deployed, by the rules of a refresh. */
import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import type { Comparison, FieldChange, ResourceChange } from "../../account-folder/diff/comparison";
import { formatComparison, formatMarkdown, type Line } from "../../account-folder/diff/format";
import { stateModel } from "../../account-folder/diff/from-state";
import type { StateResource } from "../../account-folder/kinds/config-kind";
import { kindOfType } from "../../account-folder/kinds/index";
import { plural } from "../../account-folder/text/display";
import { fieldsIn, flatten, onlyAtCreation } from "../../provider/core/resource-definition";
import { createHandlers } from "../../provider/hooks";
import { definitionOf, handlerOf } from "../../provider/resources/index";
import { Session } from "../../provider/session/session";
import type { Configuration } from "../../provider/session/settings";
import { asUsageError } from "../output/error";
import { Exit, ExitError, UsageError } from "../output/exit-codes";
import { printLines, printNotes, withoutSecretTexts } from "../output/print";
import { errorColours, note, print } from "../output/terminal";
import { openProject } from "../project/session";
import { exportedResources, stackResources } from "../targets/target";

interface DriftOptions {
  stack?: string;
  state?: string;
  exitCode?: boolean;
  json?: boolean;
  markdown?: boolean;
}

/** Resources read at the same time; what hooks of one account read is shared, and requests are bounded besides. */
const AT_ONCE = 16;

export function addDrift(program: Command): void {
  program
    .command("drift")
    .description("Report changes made outside Pulumi since the last `up`. Neither account nor state is changed.")
    .option("-s, --stack <name>", "the stack (default: the selected one)")
    .addOption(
      new Option(
        "--state <file>",
        "the output of `pulumi stack export --show-secrets`, for a state that is kept elsewhere",
      ).conflicts("stack"),
    )
    .option("--exit-code", "exit with 1 if something drifted")
    .option("-j, --json", "as JSON, with whole texts")
    .addOption(new Option("--markdown", "as Markdown, for an issue or a message").conflicts("json"))
    .addHelpText(
      "after",
      `
What the API itself changes in a value (copied logos, colour case, line ends)
is not drift.

Exit codes: 0 compared, 1 drift (with --exit-code), 2 could not compare.

Examples:
  $ esign drift --stack production --exit-code
  $ esign drift --markdown >> "$GITHUB_STEP_SUMMARY"
  $ esign refresh && esign up          revert the drift`,
    )
    .action(async (options: DriftOptions) => {
      const drifted = await drift(options).catch((error) => {
        throw asUsageError(error);
      });
      if (drifted > 0 && options.exitCode) throw new ExitError(Exit.failed);
    });
}

async function drift(options: DriftOptions): Promise<number> {
  const { stack, resources, secrets, config } =
    options.state === undefined ? await deployedStack(options.stack) : deployedInFile(options.state);
  const found: Comparison = { changes: await driftOf(resources, config), environment: [], unmanaged: [] };
  const comparison = withoutSecretTexts(secrets, [found])(found);
  const { changes } = comparison;
  printNotes(missingOutputs(resources));
  if (options.json) print(JSON.stringify({ stack, changes }, null, 2));
  else if (options.markdown) print(formatMarkdown(comparison, `Drift of ${stack}`));
  else printLines(driftLines(comparison));
  return changes.length;
}

/** What was deployed, and the settings of the account. */
interface Deployed {
  stack: string;
  resources: StateResource[];
  secrets: string[];
  config: Configuration;
}

async function deployedStack(wanted: string | undefined): Promise<Deployed> {
  const project = await openProject();
  const stack = wanted ?? (await project.currentStack());
  if (stack === undefined)
    throw new UsageError('no stack is selected. Use --stack <name>, or "esign stack select <name>"');
  const values = await (await project.openStack(stack)).config.list({ showSecrets: true });
  return { stack, ...(await stackResources(stack)), config: { get: (key) => values.get(key)?.value } };
}

/** A file knows no settings: those of the environment count. */
function deployedInFile(path: string): Deployed {
  if (!existsSync(path)) throw new UsageError(`there is no file "${path}" (--state)`);
  return { ...exportedResources(path), config: { get: () => undefined } };
}

/** The lines of a comparison, but for its last word: what is compared is the account with its own past. */
function driftLines(comparison: Comparison): Line[] {
  const lines = formatComparison(comparison).slice(0, -1);
  const { length } = comparison.changes;
  return [...lines, { kind: "heading", text: length === 0 ? "No drift." : `${plural(length, "resource")} drifted.` }];
}

/** How the account departs from what was deployed. Asks the handlers that a refresh asks. */
async function driftOf(resources: readonly StateResource[], config: Configuration): Promise<ResourceChange[]> {
  const session = new Session({ log: (notice) => note(errorColours.dim(notice)) });
  const handlers = createHandlers(session);
  session.configure(config);
  const companies = new Map((stateModel(resources).companies ?? []).map((company) => [company.id, company.name]));
  const ours = resources.flatMap((resource) => {
    const kind = kindOfType(resource.type);
    return kind && resource.id !== undefined
      ? [{ ...resource, id: resource.id, kind, handler: handlerOf(kind.kind) }]
      : [];
  });
  const changes: (ResourceChange | undefined)[] = [];
  const rest = [...ours.entries()];
  const work = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) {
      const [index, { kind, handler, ...resource }] = next;
      const { id, inputs, outputs } = resource;
      const live = await handlers[handler].read(id, outputs);
      const definition = definitionOf(handler);
      const [declared, now] = [flatten(definition, inputs), flatten(definition, live.inputs ?? {})];
      const account = inputs.account as string | undefined;
      const name = kind.nameOf(kind.fromState(resource));
      const change: Omit<ResourceChange, "action" | "fields"> = {
        kind: kind.kind,
        ...(name !== undefined && { name }),
        ...(account !== undefined && { company: companies.get(account) ?? account }),
        id,
      };
      if (!live.id) changes[index] = { ...change, action: "remove", fields: [] };
      else {
        const problems = Object.keys(definition.problems ?? {});
        const fields = [
          ...fieldsIn(definition, declared).flatMap((field) => fieldChange(field, declared[field], now[field])),
          ...problems.flatMap((field) => problemOf(field, live.props?.[field])),
        ];
        if (fields.length > 0) changes[index] = { ...change, action: "change", fields };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return changes.filter((change) => change !== undefined);
}

/** What only the creation of an object returns, where other resources have it: it was lost, or the object adopted. */
function missingOutputs(resources: readonly StateResource[]): string[] {
  const ours = resources.filter(({ type, id }) => kindOfType(type) !== undefined && id !== undefined);
  return ours.flatMap((resource) => {
    const names = definitionOf(handlerOf(kindOfType(resource.type)!.kind)).returnedOnce ?? [];
    const isMissing = (name: string) =>
      resource.outputs[name] === undefined && ours.some(({ type, outputs }) => type === resource.type && outputs[name]);
    return names.filter(isMissing).map((name) => `${resource.name} has no ${name}: ${onlyAtCreation}`);
  });
}

/** Shown as long as it lasts, whether a refresh has recorded it or not. */
const problemOf = (field: string, value: unknown): FieldChange[] =>
  value === undefined ? [] : [{ field, after: String(value) }];

function fieldChange(field: string, before: unknown, after: unknown): FieldChange[] {
  if (before === undefined || before === after) return [];
  return [{ field, before: String(before), ...(after !== undefined && { after: String(after) }) }];
}
