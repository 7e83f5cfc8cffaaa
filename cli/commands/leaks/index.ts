/** `esign leaks`: scans state, logs and files for API keys. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { kindOfType } from "../../../definitions/index";
import { plural } from "../../../definitions/text/display";
import type { Project } from "../../../engine/index";
import { shortestKey } from "../../../redaction/shortest-secrets";
import { ApiError, connect } from "../../../sdk";
import { announceWaits } from "../../../sdk/request/announce-waits";
import { ExitError, UsageError } from "../../output/errors";
import { Exit } from "../../output/exit-codes";
import { colours, errorColours, note, print } from "../../output/terminal";
import { openConfiguration, openProject } from "../../project/open-project";
import { configuredStacks, localFolder, projectFolderHere, stackConfigPath } from "../../project/project-files";
import { filesOf, type KnownKey, type Leak, Scanner } from "./scanner";

interface LeaksOptions {
  offline?: boolean;
  json?: boolean;
}

export function addLeaks(program: Command): void {
  program
    .command("leaks")
    .description("Scan state, logs and files for API keys. Keys are never printed.")
    .argument("[paths...]", "more files and folders, such as CI logs; - is stdin")
    .option("--offline", "do not fetch the keys of a partner's subaccounts")
    .option("-j, --json", "the places, as JSON")
    .addHelpText(
      "after",
      `
Scans the project's state, backups, history, stack configurations, .esign and
*.log, and the paths. Searches for the keys of the environment (ESIGN_API_KEY,
ESIGN_<PROFILE>_API_KEY), of stacks' configurations and states, of the
emulator and of the partner's subaccounts: in plain text, JSON, URLs, HTML,
hex and base64, in UTF-8 and UTF-16 and in .gz files. Not in wrapped base64,
nor in archives.
Follows links; ignores node_modules, .git and the emulator's own data.

Exit codes: 0 no keys, 1 keys were found, 2 none was found, but not everything
was scanned.

Examples:
  $ esign leaks
  $ esign leaks ci.log ./artifacts
  $ esign up --yes 2>&1 | tee up.log; esign leaks up.log
  $ some-command | esign leaks -`,
    )
    .action(leaks);
}

async function leaks(paths: string[], options: LeaksOptions): Promise<void> {
  const folder = projectFolderHere();
  if (folder === undefined && paths.length === 0) {
    throw new UsageError("nothing to scan: there is no Pulumi.yaml here or above, and no path");
  }
  const missing = paths.find((path) => path !== "-" && !existsSync(path));
  if (missing !== undefined) throw new UsageError(`there is no file or folder ${missing}`);

  const project = folder === undefined ? undefined : await openProject().catch(warnUnreadable);
  const keys = await collectKeys(project, folder, options.offline ?? false);
  if (keys.length === 0) {
    throw new UsageError(
      "no key to search for: set ESIGN_API_KEY, or run this in a project whose stacks have one (with PULUMI_CONFIG_PASSPHRASE)",
    );
  }
  const scanner = new Scanner(keys);
  // Reported: the result must not claim more than was scanned.
  let failures = 0;
  const failed = (path: string, error: NodeJS.ErrnoException) => {
    // What was removed since, as a run's temporary files are, holds nothing.
    if (error.code === "ENOENT") return;
    failures++;
    note(errorColours.yellow(`warning: ${relative(process.cwd(), path) || "."} cannot be scanned: ${error.message}`));
  };
  const seen = new Set<string>();
  const own = folder === undefined ? undefined : join(localFolder(folder), "service.json");
  if (own !== undefined && existsSync(own)) seen.add(realpathSync(own));
  const files: string[] = [];
  for (const path of [...projectPaths(project, folder), ...paths.filter((path) => path !== "-")])
    files.push(...(await filesOf(resolve(path), seen, failed)));
  const found: Leak[] = [];
  for (const file of files) found.push(...(await scanner.scanFile(file, (error) => failed(file, error))));
  if (paths.includes("-")) {
    const input = process.stdin.setEncoding("latin1");
    found.push(...(await scanner.scan("-", input, (error) => failed("standard input", error))));
  }

  for (const leak of found) if (leak.file !== "-") leak.file = relative(process.cwd(), leak.file);
  if (options.json) print(JSON.stringify(found, null, 2));
  else for (const leak of found) print(formatLeak(leak));
  const scanned = `${plural(keys.length, "key")}, ${plural(files.length + (paths.includes("-") ? 1 : 0), "file")} scanned`;
  if (found.length === 0) {
    note(`No leaked keys (${scanned}).`);
    if (failures > 0) throw new ExitError(Exit.usage);
    return;
  }
  note(
    errorColours.red(`Leaked keys in ${plural(found.length, "place")} (${scanned}).`) +
      " Rotate those keys, and remove the files or lines.",
  );
  throw new ExitError(Exit.failed);
}

function formatLeak({ file, line: n, key, encoding }: Leak): string {
  const how = encoding === "clear" ? "in plain text" : `as ${encoding}`;
  return `${colours.bold(`${file === "-" ? "(standard input)" : file}:${n}`)}: the key of ${key}, ${how}`;
}

/** A project whose state is elsewhere, such as in Pulumi Cloud: the files on this machine are scanned all the same. */
function warnUnreadable(error: Error): undefined {
  note(errorColours.yellow(`warning: the project's state is not scanned: ${error.message}`));
}

/** Where deployments of a project leave something. */
function projectPaths(project: Project | undefined, folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const backend = project === undefined ? [] : [project.backend.folder];
  const configurations = dirname(stackConfigPath(folder, "any"));
  const beside = [folder, configurations, project?.programDirectory ?? folder].flatMap((place) => [
    localFolder(place),
    ...(existsSync(place) ? readdirSync(place) : [])
      .filter((name) => /^Pulumi\..*(ya?ml|json)$|\.log$/.test(name))
      .map((name) => join(place, name)),
  ]);
  return [...backend, ...beside].filter((path) => existsSync(path));
}

/** Every key of the environment, stacks, emulator and subaccounts. Those that cannot be read are reported. */
async function collectKeys(
  project: Project | undefined,
  folder: string | undefined,
  offline: boolean,
): Promise<KnownKey[]> {
  const keys = new Map<string, string>();
  const accounts: { baseUrl: string; apiKey: string }[] = [];
  const add = (key: unknown, name: string) => {
    if (typeof key !== "string" || key === "" || keys.has(key)) return;
    if (key.length < shortestKey) note(errorColours.yellow(`warning: the key of ${name} is too short to search for`));
    else keys.set(key, name);
  };
  for (const [variable, value] of Object.entries(process.env)) {
    const profile = /^ESIGN_((?:\w+_)?)API_KEY$/.exec(variable)?.[1];
    if (profile === undefined || !value) continue;
    add(value, variable);
    const baseUrl = process.env[`ESIGN_${profile}BASE_URL`] ?? process.env.ESIGN_BASE_URL;
    if (baseUrl) accounts.push({ baseUrl, apiKey: value });
  }
  const deployed = ((await project?.listStacks()) ?? []).map(({ name }) => name);
  for (const name of new Set([...deployed, ...(folder === undefined ? [] : configuredStacks(folder))])) {
    try {
      const config = await (await openConfiguration(name)).configuration.config.list({ showSecrets: true });
      const apiKey = config.get("esign:apiKey")?.value;
      const baseUrl = config.get("esign:baseUrl")?.value ?? process.env.ESIGN_BASE_URL;
      add(apiKey, `stack ${name}`);
      if (apiKey && baseUrl) accounts.push({ baseUrl, apiKey });
      if (!deployed.includes(name)) continue;
      for (const resource of await (await project!.openStack(name)).resources({ showSecrets: true })) {
        const { outputs: secrets = {} } = kindOfType(resource.type) ?? {};
        const names = Object.keys(secrets).filter((output) => secrets[output]!.isSecret);
        // An explicit provider has its key among its inputs.
        for (const value of [
          resource.inputs.apiKey,
          resource.outputs.apiKey,
          ...names.map((key) => resource.outputs[key]),
        ])
          add(value, `${resource.name} in stack ${name}`);
      }
    } catch (error) {
      note(errorColours.yellow(`warning: cannot read the keys of stack ${name}: ${(error as Error).message}`));
    }
  }
  for (const [key, name] of folder === undefined ? [] : localKeys(join(localFolder(folder), "service.json")))
    add(key, name);
  if (!offline) await Promise.all(accounts.map((account) => addCompanies(account, add)));
  return [...keys].map(([key, name]) => ({ key, name }));
}

/** Keys of the emulator's accounts. */
function localKeys(file: string): [key: string | undefined, name: string][] {
  try {
    const { accounts } = JSON.parse(readFileSync(file, "utf8")) as {
      accounts: { key: string; testKey?: string; name: string }[];
    };
    return accounts.flatMap(({ key, testKey, name }) => [
      [key, `${name} (emulator)`],
      [testKey, `${name} (emulator, test key)`],
    ]);
  } catch {
    return [];
  }
}

async function addCompanies(
  account: { baseUrl: string; apiKey: string },
  add: (key: unknown, name: string) => void,
): Promise<void> {
  try {
    for await (const company of connect({ ...account, onWait: announceWaits(note) }).companies.list()) {
      add(company.company_api_key, `company ${company.company_id}`);
    }
  } catch (error) {
    if (error instanceof ApiError && error.isNotPartner) return;
    note(errorColours.yellow(`warning: cannot read the keys of subaccounts: ${(error as Error).message}`));
  }
}
