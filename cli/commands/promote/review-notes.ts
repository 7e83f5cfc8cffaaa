/** Notes for the reviewer of a promotion: secrets in plain text, missing values, and values that resources will reject. */
import type { ResourceChange } from "../../../account-folder/diff/comparison";
import type { FolderSource } from "../../../account-folder/diff/from-folder";
import { modelOf } from "../../../account-folder/diff/unmanaged";
import type { AccountModel } from "../../../definitions/model";
import { validate } from "../export/validate-account";
import type { Destination } from "./destination";

/** Notes about secrets that the edits add to files in plain text. */
export function plainSecrets(
  from: string,
  files: ReadonlyMap<string, string>,
  to: FolderSource,
  hide: (text: string) => string,
): string[] {
  const holds = (text = "") => hide(text) !== text;
  return [...files]
    .filter(([path, text]) => holds(text) && !holds(to.loaded.sources.get(path)?.text))
    .map(
      ([path]) =>
        `${path} would contain a secret of ${from} in plain text. Write \${token} there, and run: esign config set --secret --path values.token`,
    );
}

/** Notes about values that only the source's environment has: the target cannot be deployed without them. */
export function missingValues(
  { stack = "" }: Destination,
  names: readonly string[],
  encrypted: ReadonlySet<string>,
): string[] {
  return names.map((name) => {
    const path = name.includes(".") ? `'values["${name}"]'` : `values.${name}`;
    const secret = encrypted.has(name) ? "--secret " : "";
    return `stack ${stack} has no value for \${${name}}: esign config set --stack ${stack} ${secret}--path ${path} <value>, or promote with --with-values`;
  });
}

/** What some changes add, as a configuration of its own. */
export const additionsOf = (changes: readonly ResourceChange[], from: AccountModel): AccountModel =>
  modelOf(
    changes.filter(({ action }) => action !== "remove"),
    from,
  );

/** What the resources of the target will reject of the new values. */
export function rejectedFor({ stack }: Destination, changes: readonly ResourceChange[], from: AccountModel): string[] {
  const { notes, allowUnknownValues } = validate(additionsOf(changes, from));
  const set = `esign config set${stack === undefined ? "" : ` --stack ${stack}`} esign:allowUnknownValues true`;
  return [
    ...notes.map((text) => text.replace(" is left out: it", " will be refused: it")),
    ...(allowUnknownValues
      ? [`the changes have variables or types that this version does not know; they need: ${set}`]
      : []),
  ];
}
