/** The report of a run over a fleet, for machines and as a page. */
import { plural } from "../../../definitions/text/display";
import { hasChanges } from "../../../engine/events";
import { escapeHtml } from "../../../sdk/text/html-escape";
import { duration } from "../../display/terminal-text";
import { type FleetResult, isChanged, type Outcome } from "../../fleet/run-fleet";
import { doneText, failedText } from "./fleet-display";

export interface FleetReport extends FleetResult {
  verb: string;
  /** Stacks without a customer in the file. */
  removed: string[];
  seconds: number;
  /** ISO 8601. */
  endedAt: string;
}

const countOf = (outcomes: readonly Outcome[], status: Outcome["status"]) =>
  outcomes.filter((outcome) => outcome.status === status).length;

/** The whole in one line. */
export function summaryOf({ outcomes, left, stopped, verb }: FleetReport): string {
  const done = outcomes.filter(({ status }) => status === "done");
  const parts = [
    `${plural(done.length, "stack")} done`,
    `${done.filter(isChanged).length} with changes`,
    `${countOf(outcomes, "failed")} failed`,
    `${countOf(outcomes, "skipped")} skipped`,
    ...(left.length > 0 ? [`${left.length} not started`] : []),
  ];
  const end = { failures: ", stopped by failures", cancelled: ", cancelled" };
  return `Fleet ${verb}: ${parts.join(", ")}${stopped === undefined ? "" : end[stopped]}`;
}

/** One self-contained page: it loads and runs nothing. */
export function htmlPage(report: FleetReport): string {
  const order = { failed: 0, done: 1, skipped: 2 };
  const rows = [...report.outcomes].sort((a, b) => order[a.status] - order[b.status]).map(row);
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? "" : `<h2>${title}</h2><p>${names.map(escapeHtml).join(", ")}</p>`;
  const [title, summary = ""] = summaryOf(report).split(": ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title!)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title!)}</h1>
<p>${escapeHtml(summary)}<br><time>${escapeHtml(report.endedAt)}</time>, after ${duration(report.seconds * 1000)}</p>
<table>
<thead><tr><th>Customer</th><th>Stack</th><th>Result</th><th>Changes</th><th>Time</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
${list("Not started", report.left)}
${list("Not in the customers' file", report.removed)}
</body>
</html>
`;
}

function row(outcome: Outcome): string {
  const { ids, stack, status, reason, seconds } = outcome;
  const done = status === "failed" && hasChanges(outcome.changes) ? `${failedText(outcome)}\n` : "";
  const what = status === "done" ? doneText(outcome) : done + (reason ?? "");
  const customers =
    ids.length > 1
      ? `<details><summary>${plural(ids.length, "customer")}</summary>${ids.map(escapeHtml).join(", ")}</details>`
      : escapeHtml(ids[0] ?? "");
  const time = status === "skipped" ? "" : duration(seconds * 1000);
  const cells = [customers, ...[stack, status, what, time].map(escapeHtml)];
  return `<tr class="${status}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

/** On a narrow screen, each cell is a line. */
const style = `
:root { color-scheme: light dark; --text: #1c2024; --back: #fff; --line: #d8dce0; --failed: #a40000; --skipped: #5c646c }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --back: #16181a; --line: #34383c; --failed: #ff8a80; --skipped: #a0a8b0 }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: var(--text); background: var(--back) }
h1, h2 { font-size: 1.3rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; vertical-align: top; overflow-wrap: anywhere }
tr { border-bottom: 1px solid var(--line) }
td:nth-child(4) { white-space: pre-wrap; width: 60% }
.failed { color: var(--failed) } .skipped { color: var(--skipped) }
@media (max-width: 45rem) {
  body { margin: 1rem }
  thead { display: none }
  tr, td { display: block }
  td { padding: 0 }
  td:nth-child(4) { width: auto }
  tr { padding: .5rem 0 }
}
`;
