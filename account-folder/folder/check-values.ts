/** Finds placeholders without a value, and values without a placeholder. */
import { closeMatch } from "../../sdk/text/did-you-mean";
import type { Finding } from "../finding";
import { SourceFile, type SourceLocation } from "../placeholders/source-map";
import type { AccountFolder } from "./account-folder";
import { placeholdersOf } from "./fill-folder";

export interface ValueOptions {
  /** Where a value is set, for the finding that it is unused. */
  placeOfValue?: (name: string) => SourceLocation | undefined;
  /** Whether a missing value is an error. If not, it is shown as `‹name›`. Default: true. */
  requireValues?: boolean;
}

export function checkValues(
  folder: AccountFolder,
  valueNames: readonly string[],
  options: ValueOptions = {},
): Finding[] {
  const used = new Set<string>();
  const findings: Finding[] = [];
  const check = (account: AccountFolder, own: readonly string[]) => {
    const names = [...own, ...valueNames];
    const usedHere = new Set<string>();
    for (const { name, source, offset, length } of placeholdersOf(account)) {
      usedHere.add(name);
      if (names.includes(name) || options.requireValues === false) continue;
      const near = closeMatch(name, names);
      findings.push({
        ...source.place(offset, offset + length),
        rule: "missing-value",
        severity: "error",
        message: `missing value for \${${name}}`,
        fix: near ? `did you mean \${${near}}? Otherwise set a value` : "set a value, or write $${ for the literal",
      });
    }
    for (const name of own) {
      if (usedHere.delete(name)) continue;
      findings.push(unused(name, account.company!.file.keyPlace(["values", name])));
    }
    for (const name of usedHere) used.add(name);
    for (const company of account.companies) check(company, Object.keys(company.company?.file.content?.values ?? {}));
  };
  check(folder, Object.keys(folder.company?.file.content?.values ?? {}));
  for (const name of valueNames) {
    if (!used.has(name))
      findings.push(unused(name, options.placeOfValue?.(name) ?? new SourceFile("account.yaml", "").place(0)));
  }
  return findings;
}

const unused = (name: string, place: SourceLocation): Finding => ({
  ...place,
  rule: "unused-value",
  severity: "error",
  message: `unused value "${name}"`,
  fix: `remove it, or write \${${name}} where it belongs`,
});
