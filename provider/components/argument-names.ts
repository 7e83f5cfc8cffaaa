/** The names of the arguments that components have. */
import { unknownArgument } from "../lifecycle/unknown-argument";
import type { FolderArgs } from "./component-arguments";
import type { Surroundings } from "./declarer";

/** The names of the arguments of both components. */
export const folderArgs: Record<keyof FolderArgs, true> = {
  folder: true,
  values: true,
  lint: true,
  onDelete: true,
  allowUnknownValues: true,
};

/** With `acount` everything would be created in the key's own account. */
export function rejectUnknownArguments(
  surroundings: Surroundings,
  kind: string,
  name: string,
  args: object | undefined,
  declared: object,
): void {
  const names = Object.keys(declared);
  const issues = Object.entries(args ?? {})
    .filter(([field, value]) => value !== undefined && !names.includes(field))
    .map(([field]) => `${field} ${unknownArgument(kind, field, names).message}`);
  if (issues.length > 0) surroundings.fail("ESIGN1060", `${kind} "${name}"`, issues.join("; "));
}
