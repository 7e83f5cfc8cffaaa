/** npm, pnpm, Yarn or Bun: the one that runs this command, as in `pnpm dlx pulumi-esign init`, installs the project. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Files } from "../../../account-folder/folder/write-folder";
import { ExitError } from "../../output/errors";
import { Exit } from "../../output/exit-codes";
import { errorColours, note } from "../../output/terminal";

/** What runs a command of an installed package. */
const runners = { npm: "npx", pnpm: "pnpm", yarn: "yarn", bun: "bunx" } as const;
type PackageManager = keyof typeof runners;

/** They identify themselves to what they run. */
export const packageManager = (env: NodeJS.ProcessEnv = process.env): PackageManager =>
  (/^(npm|pnpm|yarn|bun)\//.exec(env.npm_config_user_agent ?? "")?.[1] as PackageManager | undefined) ?? "npm";

/** A text with npm's command lines, for another package manager. */
export const adaptCommands = (text: string, manager: PackageManager): string =>
  text.replace(/\bnpx(?= )/g, runners[manager]).replace(/\bnpm(?= (install|run|start|test)\b)/g, manager);

/** What a project needs beside what npm takes. */
export function filesFor(manager: PackageManager, folder: string): Files {
  if (manager === "yarn") return new Map([[".gitignore", ".yarn/\n.pnp.*\n"]]);
  if (manager !== "pnpm" || isInPnpmWorkspace(resolve(folder))) return new Map();
  return new Map([["pnpm-workspace.yaml", pnpmSettings]]);
}

/** pnpm fails on scripts of packages that it has not been told of, and pnpm 9 on settings without packages. */
const pnpmSettings = `packages: ["."]
# Both work without their scripts: one checks a version, the other shortens its own start.
allowBuilds:
  esbuild: false
  protobufjs: false
`;

const isInPnpmWorkspace = (folder: string): boolean =>
  existsSync(join(folder, "pnpm-workspace.yaml")) || (dirname(folder) !== folder && isInPnpmWorkspace(dirname(folder)));

export async function install(folder: string): Promise<void> {
  const manager = packageManager();
  note(errorColours.dim(`Running ${manager} install…`));
  // The very one that runs this, which need not be on PATH.
  const path = process.env.npm_execpath ?? manager;
  const [command, ...args] = /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path];
  // On Windows package managers are scripts, which only a shell runs. No argument is the user's.
  const shell = process.platform === "win32" && args.length === 0;
  // In CI, Yarn makes no lockfile of its own accord.
  const env = { ...process.env, YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };
  const child = spawn(command!, [...args, "install"], { cwd: folder, env, shell, stdio: ["ignore", 2, 2] });
  const [code] = (await once(child, "exit").catch(() => [null])) as [number | null];
  if (code === 0) return;
  note(`error: ${manager} install failed; the project's files are written. Run it again in ${folder}`);
  throw new ExitError(Exit.failed);
}
