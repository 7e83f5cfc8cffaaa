/** The report for people: what fits in one line, what differs in a table. */

import { table } from "../cli/output/table";
import { colours } from "../cli/output/terminal";
import { plural } from "../definitions/text/display";
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
        ["What", "specification", "current", "Seen", "Operations"],
        grouped(differences, ({ what, specification, current, seen }) => [what, specification, current, either(seen)]),
      ),
    ),
    section("Not documented:", undocumented.length, () =>
      table(
        ["What", "Seen", "Operations"],
        grouped(undocumented, ({ what, seen }) => [what, either(seen)]),
      ),
    ),
    section("Not compared:", notCompared.length, () =>
      table(
        ["What", "Why"],
        notCompared.map(({ what, why }) => [what, why]),
      ),
    ),
    `\nResponse time: ${report.responseTime}. Turned away for too many requests: ${report.throttled}.`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const section = (title: string, count: number, body: () => string): string =>
  count === 0 ? "" : `\n${colours.bold(title)}\n${body()}`;

const either = (seen: readonly string[]): string => seen.join(" or ");

/** What is the same in several operations is one row. */
function grouped<T extends { where: string }>(all: readonly T[], cellsOf: (one: T) => string[]): string[][] {
  const rows = new Map<string, { cells: string[]; places: string[] }>();
  for (const one of all) {
    const cells = cellsOf(one);
    const row = rows.get(cells.join("\n")) ?? { cells, places: [] };
    rows.set(cells.join("\n"), { cells, places: [...row.places, one.where] });
  }
  return [...rows.values()].map(({ cells, places }) => [...cells, places.join(", ")]);
}
