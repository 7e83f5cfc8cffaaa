/** The filter of subaccounts on the command line. */
import type { Command } from "commander";
import { type CompanyFilter, unmatchedEntries } from "../../account-folder/company-filter";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import { UsageError } from "../output/errors";

/** Adds the option that filters subaccounts. */
export function withCompanyFilter(command: Command): Command {
  return command.option(
    "--companies <which>",
    "subaccounts: all, none, or IDs and names separated by commas (default: all)",
    (text): CompanyFilter => (text === "all" || text === "none" ? text : text.split(",").map((name) => name.trim())),
  );
}

/** A typo in a name must not be reported as "no differences". */
export function rejectUnknownCompanies(sides: readonly ConfigSource[], choice: CompanyFilter | undefined): void {
  const unknown = unmatchedEntries(
    sides.map(({ model }) => model),
    choice,
  );
  if (unknown.length === 0) return;
  const names = unknown.map((wanted) => `"${wanted}"`).join(", ");
  throw new UsageError(
    `neither ${sides.map(({ label }) => label).join(" nor ")} has a subaccount with the ID or name ${names}`,
  );
}
