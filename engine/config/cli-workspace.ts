/**
 * What the CLI remembers in its home folder, shared with it: where it is logged in, and which stack of a project is
 * the current one.
 *
 * Used for: $PULUMI_HOME/credentials.json (read only) and $PULUMI_HOME/workspaces.
 */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import path from "node:path";
import { writeDurably } from "../../fs/atomic-write";
import { readText } from "../../fs/optional-files";
import { EngineError, messageOf } from "../errors";

/** As for the CLI, a user's folder is that of the system's accounts: the runners of CI set HOME to another one in containers. */
function userFolder(): string {
  try {
    return userInfo().homedir || homedir();
  } catch {
    // In a container a user may have no account.
    return homedir();
  }
}

export const homeOf = (env: NodeJS.ProcessEnv): string => env.PULUMI_HOME || path.join(userFolder(), ".pulumi");

/** A JSON file of the CLI. A damaged file counts as missing, since it only stores preferences. */
async function readJson(file: string): Promise<Record<string, unknown>> {
  try {
    return (JSON.parse((await readText(file)) ?? "{}") as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

/** The address of the backend that the CLI is logged in to. */
export async function currentLogin(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const current = (await readJson(path.join(homeOf(env), "credentials.json"))).current;
  return typeof current === "string" && current !== "" ? current : undefined;
}

interface WorkspaceSettings {
  stack?: string;
  stacks?: Record<string, string>;
}

/** The path of a file as the CLI records it: if the shell entered the folder by a symbolic link, the path of the link. */
function asEntered(file: string, env: NodeJS.ProcessEnv): string {
  const isSame = (a: string, b: string): boolean => {
    const [one, other] = [a, b].map((place) => statSync(place));
    return one?.ino === other?.ino && one?.dev === other?.dev;
  };
  const entered = env.PWD ?? "";
  try {
    const named = path.resolve(entered, path.relative(process.cwd(), file));
    if (path.isAbsolute(entered) && isSame(entered, ".") && isSame(named, file)) return named;
  } catch {
    // PWD names a folder that does not exist.
  }
  return file;
}

const settingsFile = (env: NodeJS.ProcessEnv, project: string, projectFile: string): string => {
  const hash = createHash("sha1").update(asEntered(projectFile, env)).digest("hex");
  return path.join(homeOf(env), "workspaces", `${project}-${hash}-workspace.json`);
};

/** The selected stack's name, without organization and project. */
export async function selectedStack(
  env: NodeJS.ProcessEnv,
  project: string,
  projectFile: string,
  backendUrl: string,
): Promise<string | undefined> {
  const settings = (await readJson(settingsFile(env, project, projectFile))) as WorkspaceSettings;
  return (settings.stacks?.[backendUrl] ?? settings.stack)?.split("/").at(-1);
}

export async function selectStack(
  env: NodeJS.ProcessEnv,
  project: string,
  projectFile: string,
  backendUrl: string,
  stack: string,
): Promise<void> {
  const file = settingsFile(env, project, projectFile);
  const name = `organization/${project}/${stack}`;
  const settings = (await readJson(file)) as WorkspaceSettings;
  // Older versions of the CLI know only `stack`, newer ones prefer `stacks`.
  const text = JSON.stringify({ ...settings, stack: name, stacks: { ...settings.stacks, [backendUrl]: name } });
  try {
    await writeDurably(file, text);
  } catch (error) {
    // The home folder of a container is often read-only. Only the selection is lost: states are stored elsewhere.
    throw new EngineError(
      `stack ${stack} cannot be noted as the selected one (${messageOf(error)}): name it with --stack or PULUMI_STACK, or name a folder that can be written with PULUMI_HOME`,
      "not-selected",
      { cause: error },
    );
  }
}
