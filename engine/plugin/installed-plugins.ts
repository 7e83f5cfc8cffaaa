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
  return (
    entries
      .filter((entry) => entry.startsWith(prefix) && !/\.(partial|lock)$/.test(entry))
      // The CLI's mark of a download that has not come to its end.
      .filter((entry) => !entries.includes(`${entry}.partial`))
      .map((entry) => entry.slice(prefix.length))
      .sort(compareVersions)
  );
}

/** A pre-release comes before its release. */
function compareVersions(a: string, b: string): number {
  const compare = (one: string, other: string) => one.localeCompare(other, "en", { numeric: true });
  const [core = "", otherCore = ""] = [a, b].map((version) => version.split("-", 1)[0]);
  if (core !== otherCore) return compare(core, otherCore);
  return Number(a === core) - Number(b === core) || compare(a, b);
}
