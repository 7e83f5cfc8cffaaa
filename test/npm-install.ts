/** Packages that a nightly test needs and an installation of the project does not. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** Installs packages into the `node_modules` of a folder, without running their scripts. */
export async function npmInstall(folder: string, ...packages: string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
  await exec(command, [...args, "install", ...options, ...packages], { cwd: folder });
}
