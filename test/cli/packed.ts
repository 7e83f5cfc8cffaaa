/** What a registry would give: the tarball of this package, unpacked as npm does. */
import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "./esign";

const exec = promisify(execFile);

/** Packs it, once for all tests of a run; resolves to the path of the tarball. */
async function pack(): Promise<string> {
  const tarball = join(tmpdir(), "pulumi-esign.tgz");
  if (existsSync(tarball)) return tarball;
  const folder = mkdtempSync(join(tmpdir(), "pack-"));
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  // --ignore-scripts: `npm test` has just built; a clean build here would pull dist/ from under the other tests.
  await exec(command, [...args, "pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  renameSync(join(folder, readdirSync(folder)[0]!), tarball);
  return tarball;
}

/** Installs it in a folder, beside links to other packages by their names. Nothing else can be found from there. */
export async function installPacked(folder: string, packages: readonly string[]): Promise<string> {
  const tarball = "pulumi-esign-packed.tgz";
  copyFileSync(await pack(), join(folder, tarball));
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

/** What a command says that packs the package for a project. */
export const archived = "is not released yet: the project has its archive";

/** A project's package is one that is in the project. */
export async function expectArchive(project: string): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const archive = join(project, dependencies["pulumi-esign"].replace("file:", ""));
  const { stdout } = await exec("tar", ["tzf", archive]);
  for (const file of ["package.json", "dist/cli/main.js", "templates/account/index.ts"])
    expect(stdout.split("\n")).toContain(`package/${file}`);
}
