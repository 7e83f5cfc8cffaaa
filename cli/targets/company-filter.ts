/** The choice of sub accounts on the command line. */
import type { Command } from "commander";
import { type CompanyFilter, unmatchedEntries } from "../../account-folder/company-filter";
import type { ConfigSource } from "../../account-folder/diff/comparison";
import { UsageError } from "../output/exit-codes";

/** Adds the option that chooses sub accounts. */
export function withCompanyFilter(command: Command): Command {
  return command.option(
    "--companies <which>",
    "sub accounts of a partner: all, none, or ids and names separated by commas (default: all)",
    (text): CompanyFilter => (text === "all" || text === "none" ? text : text.split(",").map((name) => name.trim())),
  );
}

/** A slip in a name must not pass for "no differences". */
export function rejectUnknownCompanies(sides: readonly ConfigSource[], choice: CompanyFilter | undefined): void {
  const unknown = unmatchedEntries(
    sides.map(({ model }) => model),
    choice,
  );
  if (unknown.length === 0) return;
  const names = unknown.map((wanted) => `"${wanted}"`).join(", ");
  throw new UsageError(
    `neither ${sides.map(({ label }) => label).join(" nor ")} has a sub account with the id or the name ${names}`,
  );
}
