/** The account, folder or stack that a folder is compared with. */
import type { LoadedFolder } from "../../account-folder/folder/load-folder";
import type { AccountModel } from "../../definitions/model";
import { parseReference } from "./reference";

export const baselineHelp = "an account, folder or stack: see `esign help references`";

/** The baseline: its configuration (with subaccounts if the folder has some), its label, and secrets that must not be shown. */
export async function openBaseline(
  text: string,
  loaded?: LoadedFolder,
): Promise<{ model: AccountModel; label: string; secrets: string[] }> {
  // Loaded on demand: it brings the client and the engine with it.
  const { openReference } = await import("./open-reference.js");
  const companies = loaded?.account.companies.length ? "all" : "none";
  const { side, secrets, close } = await openReference(parseReference(text), { companies });
  await close();
  return { model: side.model, label: side.label, secrets };
}
