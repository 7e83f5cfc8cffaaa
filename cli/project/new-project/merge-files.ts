/** What `init` does about files that the folder has already: keep them, complete them, or stop. It never overwrites a user's file. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "../../../account-folder/folder/write-folder";
import { projectFileNames } from "../../../engine/config/file-names";
import { UsageError } from "../../output/errors";

/** True for the files of an account, as a program of `AccountConfig` deploys them. */
export const hasAccountFiles = (folder: string): boolean =>
  ["account.yaml", "emails", "companies"].some((name) => existsSync(join(folder, name)));

/** @throws {UsageError} if the folder is a project */
export function rejectProject(folder: string): void {
  const file = projectFileNames.find((name) => existsSync(join(folder, name)));
  if (file !== undefined)
    throw new UsageError(`${join(folder, file)} exists: this folder is a project already. Name another folder`);
}

/** True for what package managers and git leave in a folder, so that it counts as empty. */
export const isOfTools = (name: string): boolean =>
  /^(package\.json|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|node_modules|\.git|\.gitignore|\.npmrc)$/.test(name);

/** The files to write beside those that are there: an account's are kept. @throws {UsageError} if one would be overwritten */
export function mergeFiles(folder: string, files: Files, keepsAccount: boolean): Files {
  const merged = completeFiles(folder, keepsAccount ? withoutAccount(files) : files);
  for (const path of ["README.md", "tsconfig.json"]) if (existsSync(join(folder, path))) merged.delete(path);
  const conflicts = [...merged.keys()].filter((path) => !(path in completions) && existsSync(join(folder, path)));
  if (conflicts.length > 0) {
    throw new UsageError(
      `${folder} has files that the project would overwrite: ${conflicts.join(", ")}. Move them away, or name another folder`,
    );
  }
  return merged;
}

/** The files that a killed `init` did not come to. Existing ones it wrote whole; they may have been edited since. */
export function missingFiles(folder: string, files: Files, keepsAccount: boolean): Files {
  const completed = completeFiles(folder, keepsAccount ? withoutAccount(files) : files);
  return new Map([...completed].filter(([path]) => path in completions || !existsSync(join(folder, path))));
}

const withoutAccount = (files: Files): Files =>
  new Map([...files].filter(([path]) => path !== "account.yaml" && !path.startsWith("emails/")));

const completions: Record<string, (existing: string, wanted: string) => string> = {
  ".gitignore": completeLines,
  "package.json": completeManifest,
  ".vscode/settings.json": (existing) => existing,
};

/** The same files; those that are the user's as well keep what the folder's have. */
export function completeFiles(folder: string, files: Files): Files {
  const completed: Files = new Map(files);
  for (const [path, complete] of Object.entries(completions)) {
    const [file, wanted] = [join(folder, path), files.get(path)];
    if (wanted !== undefined && existsSync(file)) completed.set(path, complete(readFileSync(file, "utf8"), wanted));
  }
  return completed;
}

function completeLines(existing: string, wanted: string): string {
  const lines = new Set(existing.split(/\r?\n/));
  const missing = wanted
    .split("\n")
    .filter((line) => line !== "" && !lines.has(line) && !lines.has(line.replace(/\/$/, "")));
  if (missing.length === 0) return existing;
  return `${existing}${existing === "" || existing.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`;
}

interface Manifest extends Record<string, unknown> {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** A package.json. @throws {UsageError} if it is not valid */
export function parseManifest(text: string): Manifest {
  try {
    return JSON.parse(text) as Manifest;
  } catch (error) {
    throw new UsageError(
      `package.json is not valid JSON: ${(error as Error).message}. Correct it, and rerun the command`,
    );
  }
}

/** `npm init` writes a test that fails. */
const withoutPlaceholder = (scripts: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(scripts).filter(([, command]) => !command.includes("no test specified")));

/** Such as the one that `npm install pulumi-esign` writes into an empty folder. What it has wins, but for how modules are read. */
function completeManifest(existing: string, wanted: string): string {
  const has = parseManifest(existing);
  const { dependencies, devDependencies, ...rest } = JSON.parse(wanted) as Manifest;
  const present = { ...has.dependencies, ...has.devDependencies };
  const missing = (needed: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(needed).filter(([name]) => present[name] === undefined));
  const section = (name: keyof Manifest, entries: object) =>
    has[name] === undefined && Object.keys(entries).length === 0 ? undefined : entries;
  const manifest = {
    ...rest,
    ...has,
    main: rest.main,
    type: rest.type,
    scripts: section("scripts", { ...rest.scripts, ...withoutPlaceholder(has.scripts) }),
    dependencies: { ...has.dependencies, ...missing(dependencies) },
    devDependencies: section("devDependencies", { ...has.devDependencies, ...missing(devDependencies) }),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
