/** Resolves a name such as `account:production` to an account: from environment variables, otherwise from the stack of that name. */
import { environmentName } from "../../provider/core/setting-names";
import { type ConfigName, configNames } from "../../provider/session/provider-config";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { UsageError } from "../output/errors";
import { openProject } from "../project/open-project";
import { configuredStacks, projectFolderHere } from "../project/project-files";
import { type Connection, openConnection } from "./connect";

/** @throws {UsageError} if neither has the name */
export async function openProfile(profile: string, account: { company?: string }): Promise<Connection> {
  const env = profileEnvironment(profile);
  if (env) return openConnection({ ...account, env });
  const stacks = await stackNames();
  if (stacks !== undefined && !stacks.includes(profile)) throw unknownAccount(profile, stacks);
  return openConnection({ ...account, stack: profile });
}

/** Of the project here, by state or configuration; undefined where only its engine can list them. */
async function stackNames(): Promise<string[] | undefined> {
  const folder = projectFolderHere();
  if (folder === undefined) return [];
  try {
    const stacks = await (await openProject()).listStacks();
    return [...new Set([...stacks.map(({ name }) => name), ...configuredStacks(folder)])];
  } catch {
    return undefined;
  }
}

function unknownAccount(profile: string, stacks: readonly string[]): UsageError {
  const suffix = /^ESIGN_(\w+)_API_KEY$/;
  const profiles = Object.keys(process.env).flatMap((name) => suffix.exec(name)?.[1]?.toLowerCase() ?? []);
  const names = [...new Set([...profiles, ...stacks])];
  const near = closeMatch(profile, names);
  const others = names.length === 0 ? "" : ` There are: ${names.map((name) => `account:${name}`).join(", ")}.`;
  return new UsageError(
    `there is no account "${profile}"${near === undefined ? "" : `, did you mean account:${near}?`}\n` +
      `Neither is ${variableOf(profile, "apiKey")} set, nor is there a stack of this name.${near === undefined ? others : ""}`,
  );
}

const variableOf = (profile: string, name: ConfigName): string =>
  environmentName(name).replace(/^ESIGN_/, `ESIGN_${profile.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_`);

/** The environment with the profile's variables in place of the general ones; undefined when it has no key. */
function profileEnvironment(profile: string): NodeJS.ProcessEnv | undefined {
  const variable = (name: ConfigName) => variableOf(profile, name);
  if (!process.env[variable("apiKey")]) return undefined;
  const env = { ...process.env };
  for (const name of configNames) {
    const value = process.env[variable(name)];
    if (value) env[environmentName(name)] = value;
  }
  return env;
}
