/** The report for people: what fits in one line, what differs in a table. */
import { plural } from "../../../../account-folder/text/display";
import { table } from "../../../output/table";
import { colours } from "../../../output/terminal";
import type { Report } from "./report";

export function formatReport(report: Report): string {
  const { edition, facts, differences, undocumented, notCompared } = report;
  const other = edition === "current" ? "specification" : "current";
  const summary = [
    `Edition ${colours.bold(edition)}: ${facts.all - facts[edition]} of ${facts.all} facts fit it`,
    ` (${facts.all - facts[other]} fit the edition ${other}), in ${plural(report.operations.length, "operation")}.`,
  ].join("");
  return [
    summary,
    section(`${plural(differences.length, "difference")}:`, differences.length, () =>
      table(
        ["Operation", "What", "specification", "current", "Seen"],
        differences.map((one) => [one.where, one.what, one.specification, one.current, one.seen.join(" or ")]),
      ),
    ),
    section("Not documented:", undocumented.length, () => table(["What", "Seen", "Operations"], groups(undocumented))),
    section("Not compared:", notCompared.length, () =>
      table(
        ["What", "Why"],
        notCompared.map(({ what, why }) => [what, why]),
      ),
    ),
    `\nResponse time: ${report.responseTime}. Turned away for too many requests: ${report.throttled}.`,
  ].join("\n");
}

const section = (title: string, count: number, body: () => string): string =>
  count === 0 ? "" : `\n${colours.bold(title)}\n${body()}`;

/** Observations of several operations in one row. */
function groups(observations: Report["undocumented"]): string[][] {
  const rows = new Map<string, string[]>();
  for (const { where, what, seen } of observations) {
    const key = `${what}\n${seen.join(" or ")}`;
    rows.set(key, [...(rows.get(key) ?? []), where]);
  }
  return [...rows].map(([key, places]) => [...key.split("\n"), places.join(", ")]);
}
