/** Plugins that the Pulumi CLI has installed in its home folder. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { homeOf } from "../config/cli-workspace";

/** Their folder. */
export const installedPlugins = (env: NodeJS.ProcessEnv): string => path.join(homeOf(env), "plugins");

/** The versions of a plugin in the CLI's home folder, the newest last. */
export function installedVersions(env: NodeJS.ProcessEnv, name: string): string[] {
  const prefix = `resource-${name}-v`;
  const folder = installedPlugins(env);
  const entries = existsSync(folder) ? readdirSync(folder) : [];
  return entries
    .filter((entry) => entry.startsWith(prefix) && !/\.(partial|lock)$/.test(entry))
    .map((entry) => entry.slice(prefix.length))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
