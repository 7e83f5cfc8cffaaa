/**
 * What a folder has under a name that is not read, although it looks like one that is. Where that one is missing, it is most
 * likely meant, and all that is in it would be deleted or restored. Beside it, another spelling of the same name is an error,
 * too: what is in there would silently not be deployed. Other names are of other things: drafts, sources, notes.
 */

import { EMAIL_FILES } from "../../definitions/branding-email";
import { sectionKinds } from "../../definitions/index";
import { brandingEmailTypes } from "../../sdk";
import { closeMatch, isTypoOf } from "../../sdk/text/did-you-mean";
import type { FolderFiles } from "./folder-files";
import type { AccountContent } from "./settings-schema";
import { FolderError } from "./symbolic-links";

const EMAIL_FILE_NAMES: readonly string[] = Object.values(EMAIL_FILES);

/** Something that is not read. */
export interface Misnamed {
  name: string;
  fix: string;
  /** True if it is an error: nothing that is read has its place. */
  isError: boolean;
}

/** What is in the place of a settings file: one of another case, ending or spelling, or a directory. */
export function misnamedSettings(files: FolderFiles, path: string, file: string): Misnamed | undefined {
  const entries = files.entries(path);
  if (files.file(below(path, file))) {
    // A disk that ignores case reads Account.yaml by this name: it is the file itself, not one beside it.
    if (!entries.includes(file)) return undefined;
    const name = entries.find((entry) => isSpelling(entry, file, /\.ya?ml(\.txt)?$/i));
    return name === undefined ? undefined : { name, fix: beside(file), isError: true };
  }
  // Other endings are of other things: account.md, account.ts.
  const ending = /^[^.]+(\.ya?ml(\.txt)?|\.json)?$/i;
  const name = entries.find((entry) => ending.test(entry) && closeMatch(stem(entry), [stem(file)]));
  return name === undefined ? undefined : { name, fix: `rename it to ${file}, which must be a file`, isError: true };
}

/** True for another spelling of a name, with one of its endings. What goes on after the name is another one: body2.html, accounts.yaml. */
function isSpelling(name: string, file: string, ending: RegExp): boolean {
  const [word, right] = [stem(name).toLowerCase(), stem(file)];
  if (name === file || !ending.test(name) || name.replace(ending, "").includes(".")) return false;
  return word === right || (!word.startsWith(right) && /^\p{L}+$/u.test(word) && isTypoOf(word, right));
}

const beside = (file: string) => `move what is in it to ${file}, and delete it; or give it another name`;

/** Directories beside those of an account, which have no other use there. */
export function misnamedParts(files: FolderFiles, path: string, parts: readonly string[]): Misnamed[] {
  const entries = files.entries(path);
  return entries.flatMap((name) => {
    const near = parts.includes(name) ? undefined : closeMatch(name, parts);
    if (near === undefined || !files.isDirectory(below(path, name))) return [];
    const isTaken = entries.includes(near) && files.isDirectory(below(path, near));
    const fix = isTaken ? `move what is in it to ${near}/, or give it another name` : `rename it to ${near}`;
    return [{ name, fix, isError: true }];
  });
}

/** Sections of account.yaml in files or directories of their own. */
export function misnamedSections(files: FolderFiles, path: string, settings: AccountContent): Misnamed[] {
  const sections = sectionKinds.map(({ storage }) => storage.section);
  return files.entries(path).flatMap((name) => {
    const word = stem(name).toLowerCase();
    const section = sections.find((each) => [each, each.replace(/s$/, "")].includes(word));
    if (section === undefined || !(isYaml(name) || hasYaml(files, below(path, name)))) return [];
    return [{ name, fix: `write it below "${section}:" in account.yaml`, isError: !(section in settings) }];
  });
}

/** A logo may be in `branding/`. What a link out of the folder leads to is not read. */
function hasYaml(files: FolderFiles, path: string): boolean {
  try {
    return files.entries(path).some(isYaml);
  } catch (error) {
    if (error instanceof FolderError) return false;
    throw error;
  }
}

/** Files of an email template. */
export function misnamedEmailFiles(files: FolderFiles, directory: string): Misnamed[] {
  const entries = files.entries(directory);
  const missing = EMAIL_FILE_NAMES.filter((name) => !entries.includes(name));
  return entries
    .filter((name) => !EMAIL_FILE_NAMES.includes(name))
    .map((name) => {
      const near = closeMatch(name, missing);
      if (near !== undefined) return { name, fix: `rename it to ${near}`, isError: true };
      const same = EMAIL_FILE_NAMES.find((file) => isSpelling(name, file, emailEnding(file)));
      const fix = same === undefined ? `the files are ${EMAIL_FILE_NAMES.join(", ")}` : beside(same);
      return { name, fix, isError: same !== undefined };
    });
}

/** Editors of other systems have other endings, and append their own. */
const emailEnding = (file: string) => (file.endsWith(".html") ? /\.x?html?(\.txt)?$/i : /(\.te?xt)+$/i);

/** A file in the place of an email template's directory. */
export function misplacedEmail(files: FolderFiles, emails: string, name: string): Misnamed {
  const type = closeMatch(stem(name), brandingEmailTypes);
  const isText = /\.(x?html?|te?xt)$/i.test(name);
  const isError = type !== undefined && (isText || !files.isDirectory(below(emails, type)));
  return { name, fix: "an email template is a directory named after its type", isError };
}

/** A file in the place of a subaccount's directory. */
export function misplacedCompany(name: string): Misnamed {
  return { name, fix: "a subaccount is a directory with a company.yaml", isError: isYaml(name) };
}

/** Subaccounts in the folder of one. */
export function nestedCompanies(files: FolderFiles, path: string): Misnamed[] {
  const name = "companies";
  const inner = below(path, name);
  if (!files.isDirectory(inner)) return [];
  const isError = files.entries(inner).some((each) => isYaml(each) || hasYaml(files, below(inner, each)));
  return [
    { name, fix: "a subaccount has no subaccounts: move them to the companies/ of the partner's folder", isError },
  ];
}

const isYaml = (name: string) => /\.ya?ml$/i.test(name);
const stem = (file: string) => file.split(".")[0]!;
const below = (path: string, name: string) => (path === "" ? name : `${path}/${name}`);
