/** The report of a run over a fleet, for machines and as a page. */
import { plural } from "../../../account-folder/text/display";
import { escapeHtml } from "../../../sdk/text/html-escape";
import { doneText, hasChanges, nameOf } from "./display";
import type { FleetResult, Outcome } from "./run-fleet";

export interface FleetReport extends FleetResult {
  verb: string;
  /** Stacks without a customer in the file. */
  removed: string[];
  seconds: number;
}

const countOf = (outcomes: readonly Outcome[], status: Outcome["status"]) =>
  outcomes.filter((outcome) => outcome.status === status).length;

/** The whole in one line. */
export function summaryOf({ outcomes, left, stopped, verb }: FleetReport): string {
  const done = outcomes.filter(({ status }) => status === "done");
  const parts = [
    `${plural(done.length, "stack")} done`,
    `${done.filter(hasChanges).length} with changes`,
    `${countOf(outcomes, "failed")} failed`,
    `${countOf(outcomes, "skipped")} skipped`,
    ...(left.length > 0 ? [`${left.length} not begun`] : []),
  ];
  const end = { failures: ", stopped by failures", cancelled: ", cancelled" };
  return `Fleet ${verb}: ${parts.join(", ")}${stopped === undefined ? "" : end[stopped]}`;
}

/** One self-contained page: it loads and runs nothing. */
export function htmlPage(report: FleetReport): string {
  const order = { failed: 0, done: 1, skipped: 2 };
  const rows = [...report.outcomes]
    .sort((a, b) => order[a.status] - order[b.status])
    .map((outcome) => {
      const { stack, status, reason, seconds } = outcome;
      const what = status === "done" ? doneText(outcome) : (reason ?? "");
      const cells = [nameOf(outcome), stack, status, what, status === "skipped" ? "" : seconds.toFixed(1)];
      return `<tr class="${status}">${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`;
    });
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? "" : `<h2>${title}</h2><p>${names.map(escapeHtml).join(", ")}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fleet ${escapeHtml(report.verb)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1c2024; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .8rem; border-bottom: 1px solid #d8dce0; vertical-align: top; white-space: pre-wrap }
.failed td { color: #a40000 } .skipped td { color: #5c646c }
@media (prefers-color-scheme: dark) {
body { color: #e6e8ea; background: #16181a } th, td { border-color: #34383c } .failed td { color: #ff8a80 } .skipped td { color: #a0a8b0 }
}
</style>
</head>
<body>
<h1>${escapeHtml(summaryOf(report))}</h1>
<table>
<thead><tr><th>Customer</th><th>Stack</th><th>Result</th><th>Changes</th><th>Seconds</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
${list("Not begun", report.left)}
${list("Without a customer in the file", report.removed)}
</body>
</html>
`;
}
