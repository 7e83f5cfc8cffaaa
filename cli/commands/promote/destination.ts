/** The folder that `esign promote` edits. */
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { isAccountFolder } from "../../../account-folder/folder/read";
import { UsageError } from "../../output/exit-codes";
import { openProject } from "../../project/session";
import type { Target } from "../../targets/target";

export interface Destination {
  path: string;
  stack?: string;
}

/** The folder to edit. That of a stack is found in its project. */
export async function destinationOf(named: Target): Promise<Destination> {
  switch (named.kind) {
    case "folder":
      return { path: named.path, ...(named.stack !== undefined && { stack: named.stack }) };
    case "stack": {
      const project = await openProject();
      const found = await accountFolders(project.programDirectory);
      if (found.length === 1) return { path: found[0]!, stack: named.stack };
      const list = found.map((path) => `./${relative(process.cwd(), path)}@${named.stack}`).join(", ");
      throw new UsageError(
        found.length === 0
          ? `the project of ${named.text} has no account folder (with account.yaml, emails/ or companies/). Create one: esign export`
          : `the project of ${named.text} has several account folders; choose one: ${list}`,
      );
    }
    default:
      throw new UsageError(
        `promote writes files, never to an account: the target must be a folder or a stack, not "${named.text}"`,
      );
  }
}

/** Account folders, outermost first and none inside another. */
async function accountFolders(root: string): Promise<string[]> {
  if (isAccountFolder(root)) return [root];
  const found: string[] = [];
  // Folders that cannot be read, such as a container's data, are not accounts.
  for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
    const path = join(root, entry.name);
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) found.push(...(await accountFolders(path)));
    // A link may lead back here, so it is not followed.
    else if (entry.isSymbolicLink() && isAccountFolder(path)) found.push(path);
  }
  return found.sort();
}
