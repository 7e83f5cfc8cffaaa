/** The values of the environment to which a reference belongs. */
import type { OpenedReference } from "./open-reference";
import type { Reference } from "./reference";
import { environmentValues, type FolderValues, folderValues } from "./stack-values";

/** The values of the environment that a name speaks of, for recognising them in its texts. */
export async function valuesOfReference(named: Reference, folder: string): Promise<FolderValues | undefined> {
  const stack =
    named.kind === "folder" || named.kind === "stack"
      ? named.stack
      : named.kind === "account"
        ? named.profile
        : undefined;
  if (stack === undefined) return undefined;
  try {
    return await folderValues(folder, stack);
  } catch (error) {
    // An account may well be named after no stack of the project.
    const { code } = error as { code?: string };
    if (named.kind === "account" && (code === "no-stack" || code === "not-found")) return undefined;
    throw error;
  }
}

/** A stack, or the account of one, with the values of its environment. */
export async function withEnvironmentValues(named: Reference, open: OpenedReference): Promise<OpenedReference> {
  const stack = named.kind === "stack" ? named.stack : named.kind === "account" ? named.profile : undefined;
  if (stack === undefined) return open;
  const found = await environmentValues(stack).catch((error) => {
    if (named.kind === "stack") throw error;
    // An account may well be named after no stack, and needs no passphrase.
    return { values: {}, secrets: [] };
  });
  return {
    ...open,
    side: { ...open.side, environmentValues: found.values },
    secrets: [...open.secrets, ...found.secrets],
  };
}
