/** Reads an account's folder, fills in its placeholders and checks the result. */
import { checkSettings } from "./check-settings";
import { checkValues, type ValueOptions } from "./check-values";
import { type LoadedAccount, loadAccount, type Values } from "./fill-folder";
import { type FolderReading, type ReadFolderOptions, readFolder } from "./read-folder";

export interface LoadOptions extends ReadFolderOptions, ValueOptions {
  /** Values for `${name}`. */
  values?: Values;
}

/** A folder whose placeholders are filled in. */
export interface LoadedFolder extends FolderReading {
  account: LoadedAccount;
}

/** Reads a folder and fills in its placeholders. Throws if the folder does not exist, or a symbolic link leads out of it. */
export function loadFolder(root: string, options: LoadOptions = {}): LoadedFolder {
  const reading = readFolder(root, options);
  const values = options.values ?? {};
  const account = loadAccount(reading.folder, values);
  const findings = [
    ...reading.findings,
    ...checkValues(reading.folder, Object.keys(values), options),
    ...checkSettings(account, options.allowUnknownValues),
  ];
  return { ...reading, account, findings };
}
