/**
 * Packs this build for the new project if it is not in the registry, such as before the release: the project gets the archive and
 * installs it.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { writeDurably } from "../../../fs/atomic-write";
import { errorColours, note } from "../../output/terminal";
import { isReleased, packageFolder, version } from "../../output/version";
import { packageManager } from "./package-manager";

const exec = promisify(execFile);
const range = `^${version}`;

/** Where it runs within another program, such as the tests of this package, it is packed only for a project that installs it at once. */
const isCommand = require.main?.filename.startsWith(join(packageFolder, "dist")) === true;

/** Has a project's `package.json` name the archive, unless it names the package in its own way. */
export async function addOwnPackage(folder: string, installs = false): Promise<void> {
  const file = join(folder, "package.json");
  if (isReleased || !(isCommand || installs) || !existsSync(file)) return;
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { dependencies?: Record<string, string> };
  if (manifest.dependencies?.["pulumi-esign"] !== range) return;
  try {
    const archive = await pack(resolve(folder));
    manifest.dependencies["pulumi-esign"] = `file:./${archive}`;
    await writeDurably(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
    note(errorColours.dim(`pulumi-esign ${version} is not released yet: the project has its archive, ${archive}.`));
  } catch (error) {
    note(
      errorColours.yellow(
        `note: pulumi-esign ${version} is not released yet, and cannot be packed: ${(error as Error).message}`,
      ),
    );
    note("    Install its archive in the project: npm install <pulumi-esign-….tgz>");
  }
}

/** Packs this package into a folder; resolves to the archive's name. */
async function pack(folder: string): Promise<string> {
  const path = packageManager() === "npm" ? process.env.npm_execpath : undefined;
  const [command, args] = path === undefined ? ["npm", []] : [process.execPath, [path]];
  // npm cannot read what Yarn's Plug'n'Play keeps in an archive, and ends without a word in pnpm's store.
  const isInstalled = /[\\/]node_modules[\\/]/.test(packageFolder);
  const copy = isInstalled ? mkdtempSync(join(tmpdir(), "esign-pack-")) : undefined;
  if (copy !== undefined) {
    const inner = join(packageFolder, "node_modules");
    cpSync(packageFolder, copy, { recursive: true, filter: (path) => path !== inner });
  }
  try {
    const options = ["pack", copy ?? packageFolder, "--ignore-scripts", "--silent", "--pack-destination", folder];
    const shell = process.platform === "win32" && path === undefined;
    const { stdout } = await exec(command!, [...(args as string[]), ...options], { cwd: folder, shell });
    return stdout.trim().split("\n").at(-1)!;
  } finally {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  }
}
