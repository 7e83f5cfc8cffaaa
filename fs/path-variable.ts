/** The variable with the folders of commands. Windows calls it `Path`, and a copy of an environment tells upper case from lower. */
import { delimiter } from "node:path";

const nameIn = (env: NodeJS.ProcessEnv): string =>
  (process.platform === "win32" && Object.keys(env).find((name) => name.toUpperCase() === "PATH")) || "PATH";

/** The folders of commands, in their order. */
export const commandFolders = (env: NodeJS.ProcessEnv): string[] =>
  (env[nameIn(env)] ?? "").split(delimiter).filter((folder) => folder !== "");

/** The environment with one more folder of commands, behind the others. */
export const withCommandFolder = (env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv => ({
  ...env,
  [nameIn(env)]: [env[nameIn(env)], folder].filter(Boolean).join(delimiter),
});
