/** The account's folder that a command is about. */
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { ACCOUNT_FOLDER_PARTS, isAccountFolder } from "../../account-folder/folder/read-folder";
import { UsageError } from "../output/errors";
import { projectFolderHere } from "../project/project-files";

export const folderHelp = "the account's folder (default: ./account, this folder, or the only one in the project)";

/** The folder of a name; without one, `./account`, the current folder, or the only account's folder in the project. */
export async function accountFolder(name: string | undefined): Promise<string> {
  if (name !== undefined) return name;
  const here = ["account", "."].find(isAccountFolder);
  if (here !== undefined) return here;
  const project = projectFolderHere();
  const found =
    project === undefined ? [] : (await accountFoldersIn(project)).map((path) => relative(process.cwd(), path));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UsageError(`the project has several account folders: name one of ${found.join(", ")}`);
  const places = ["this folder", "./account", ...(project === undefined ? [] : ["the project"])];
  throw new UsageError(
    `no account folder was found in ${places.join(", ")}: it has ${ACCOUNT_FOLDER_PARTS}.\nName one, or create one: esign export --out ./account`,
  );
}

/** Account folders, outermost first and none inside another. */
export async function accountFoldersIn(root: string): Promise<string[]> {
  if (isAccountFolder(root)) return [root];
  const found: string[] = [];
  // Folders that cannot be read, such as a container's data, are not accounts.
  for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
    const path = join(root, entry.name);
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) found.push(...(await accountFoldersIn(path)));
    // A link may lead back here, so it is not followed.
    else if (entry.isSymbolicLink() && isAccountFolder(path)) found.push(path);
  }
  return found.sort();
}
