/** The account, folder or stack that a folder is held against. */
import type { LoadedFolder } from "../../account-folder/folder/load";
import type { AccountModel } from "../../account-folder/model";

export const baselineHelp = "an account, a folder or a stack, named as in `esign diff`";

/** What there is to hold against: its configuration, with its sub accounts where the folder has some, what to call it, and what must not be shown of it. */
export async function openBaseline(
  text: string,
  loaded?: LoadedFolder,
): Promise<{ model: AccountModel; label: string; secrets: string[] }> {
  // Loaded for those only who ask: it brings the client and the engine with it.
  const { openTarget, parseTarget } = await import("./target.js");
  const companies = loaded?.account.companies.length ? "all" : "none";
  const { side, secrets, close } = await openTarget(parseTarget(text), { companies });
  await close();
  return { model: side.model, label: side.label, secrets };
}
