/** The folder that `esign promote` edits. */
import { relative } from "node:path";
import { ACCOUNT_FOLDER_PARTS } from "../../../account-folder/folder/read-folder";
import { UsageError } from "../../output/errors";
import { openProject } from "../../project/open-project";
import { accountFoldersIn } from "../../references/account-folders";
import type { Reference } from "../../references/reference";

export interface Destination {
  path: string;
  stack?: string;
}

/** The folder to edit. That of a stack is found in its project. */
export async function destinationOf(named: Reference): Promise<Destination> {
  switch (named.kind) {
    case "folder":
      return { path: named.path, ...(named.stack !== undefined && { stack: named.stack }) };
    case "stack": {
      const project = await openProject();
      const found = await accountFoldersIn(project.programDirectory);
      if (found.length === 1) return { path: found[0]!, stack: named.stack };
      const list = found.map((path) => `./${relative(process.cwd(), path)}@${named.stack}`).join(", ");
      throw new UsageError(
        found.length === 0
          ? `the project of ${named.text} has no account folder, which has ${ACCOUNT_FOLDER_PARTS}. Create one: esign export`
          : `the project of ${named.text} has several account folders; choose one: ${list}`,
      );
    }
    default:
      throw new UsageError(
        `promote writes files, never to an account: the target must be a folder or a stack, not "${named.text}"`,
      );
  }
}
