/**
 * The generated parts of docs/reference and registry: what stands between `<!-- generated: name argument -->` and `<!-- end -->`. `npm run docs`
 * writes them; a test fails when they are stale.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lintRules } from "./account-folder";
import { clientOptions, methods } from "./client";
import { apiCommands, apiOptions, commands, globalOptions } from "./commands";
import { emailVariables, neededByType } from "./email-variables";
import { controlEndpoints, emulatorSettings, faultMatchers, faults, strictness } from "./emulator";
import { apiErrors, providerErrors } from "./errors";
import { componentArgs, componentOutputs, example, importing } from "./examples";
import { policies, policySettings } from "./policies";
import { examplesToMake } from "./provider-schema";
import { eventIdentity, eventMembers, receiverErrors } from "./receiver";
import { registryExample, registryFolder } from "./registry";
import { writeReleaseNames } from "./release-names";
import { args, component, functions, outputs, receiverOptions, settings } from "./resources";
import { inventions, responseSources } from "./response-members";
import { writeSchemas } from "./schema-files";

const blocks: Record<string, (argument: never) => string | Promise<string>> = {
  args,
  outputs,
  component,
  componentArgs,
  componentOutputs,
  example,
  importing,
  functions,
  settings,
  commands,
  globalOptions,
  apiCommands,
  apiOptions,
  clientOptions,
  methods,
  apiErrors,
  providerErrors,
  emailVariables,
  neededByType,
  lintRules,
  policies,
  policySettings,
  responseSources,
  inventions,
  emulatorSettings,
  faultMatchers,
  faults,
  strictness,
  controlEndpoints,
  eventMembers,
  eventIdentity,
  receiverErrors,
  receiverOptions,
  registryExample,
};

const block = /(<!-- generated: (\w+)(?: (\w+))? -->\n)[\s\S]*?(<!-- end -->)/g;

/** A page with its generated parts as they must be. */
export async function fill(page: string): Promise<string> {
  let filled = "";
  let at = 0;
  for (const match of page.matchAll(block)) {
    const [whole, begin, name = "", argument, end] = match;
    const make = blocks[name];
    if (make === undefined) throw new Error(`there is no generated part called ${name}`);
    filled += `${page.slice(at, match.index)}${begin}\n${await make(argument as never)}\n\n${end}`;
    at = match.index + whole.length;
  }
  return filled + page.slice(at);
}

const referenceFolder = join(__dirname, "../../docs/reference");

/** The pages that have generated parts. */
export const pages: string[] = [referenceFolder, registryFolder].flatMap((folder) =>
  (readdirSync(folder, { recursive: folder === referenceFolder }) as string[])
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

async function writeReference(): Promise<void> {
  for (const path of pages) {
    const page = readFileSync(path, "utf8");
    const filled = await fill(page);
    if (filled !== page) writeFileSync(path, filled);
  }
}

if (require.main === module) {
  // The examples are part of the schema.
  writeReleaseNames();
  writeSchemas();
  for (const line of examplesToMake()) process.stderr.write(`${line}\n`);
  writeReference();
}
