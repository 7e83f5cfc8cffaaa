/**
 * The plugin of this package for the Pulumi CLI, where no other is installed: a program in YAML names none, and the CLI would look for one
 * on the network. A generated SDK names its version, which this one need not be.
 */
import { join } from "node:path";
import { installedVersions } from "../../engine/plugin/installed-plugins";
import { withCommandFolder } from "../../fs/path-variable";
import { packageFolder } from "../output/version";

/** The environment with the folder of the plugin at the end of PATH: another one there, or one that the project names, goes before it. */
export const withOwnPlugin = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  installedVersions(env, "esign").length > 0 ? env : withCommandFolder(env, join(packageFolder, "dist/plugin/bin"));
