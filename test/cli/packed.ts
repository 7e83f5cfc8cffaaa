/** What a registry would give: the tarball of this package, unpacked as npm does. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "./esign";

const exec = promisify(execFile);

/** Installs it in a folder, beside links to other packages by their names. Nothing else can be found from there. */
export async function installPacked(folder: string, packages: readonly string[]): Promise<string> {
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  // --ignore-scripts: `npm test` has just built; a clean build here would pull dist/ from under the other tests.
  await exec(command, [...args, "pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  await exec("tar", ["xzf", tarball], { cwd: folder });
  const installed = join(folder, "node_modules/pulumi-esign");
  for (const name of packages) link(folder, name);
  mkdirSync(dirname(installed), { recursive: true });
  renameSync(join(folder, "package"), installed);
  return installed;
}

export function link(folder: string, name: string): void {
  const path = join(folder, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, "node_modules", name), path);
}
