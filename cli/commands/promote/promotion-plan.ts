/** What `esign promote` is about to do, and how it is printed. */
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { formatComparison, resourceName } from "../../../account-folder/diff/format-diff";
import type { FolderSource } from "../../../account-folder/diff/from-folder";
import type { Promotion } from "../../../account-folder/promote/promote";
import { plural } from "../../../definitions/text/display";
import { redactUrl } from "../../../redaction/url-credentials";
import { printLines, printNotes } from "../../output/print-lines";
import { colours, print } from "../../output/terminal";
import type { Destination } from "./destination";
import { describeOpenEnvelopes, type OpenEnvelopes } from "./open-envelopes";

export interface Plan {
  to: string;
  promotion: Promotion;
  /** New values of the target stack's configuration. */
  values: Record<string, string>;
  /** By subaccount; the target's own under "". A reason where they could not be counted. */
  inFlight: ReadonlyMap<string, OpenEnvelopes | string>;
  /** What the resources will reject. */
  unfit: string[];
  target: Destination;
  /** The target's files before the edits. */
  sources: FolderSource["loaded"]["sources"];
}

export function printPlan({ to, promotion, values, inFlight, unfit }: Plan, hide: <T>(value: T) => T): void {
  const [comparison, remaining] = [hide(promotion.comparison), hide(promotion.remaining)];
  printLines(formatComparison(comparison));
  if (comparison.unmanaged.length > 0) print(`To add what ${to} does not manage yet: --all`);
  const emails = comparison.changes.filter((change) => change.kind === "BrandingEmail");
  if (emails.length > 0) print(`\n${colours.bold("Open envelopes")}`);
  for (const change of emails) {
    const count = inFlight.get(change.company ?? "")!;
    const words =
      typeof count === "object"
        ? describeOpenEnvelopes(change.name ?? "", count)
        : `open envelopes were not counted: ${count}`;
    print(`  ${resourceName(change)}: ${words}`);
  }
  printNotes(hide([...promotion.notes, ...unfit]));
  printNotes(remaining.changes.map((change) => `${to} will still differ in ${resourceName(change)}`));
  if (Object.keys(values).length > 0) print(`\n${colours.bold("Values")}`);
  for (const [name, value] of Object.entries(values)) print(`  ${name}: ${hide(value)}`);
}

/** The edits of files, as a unified diff. A secret in a URL is hidden, as everywhere: output ends up in pull requests. */
export function printEdits({ promotion: { files }, target, sources }: Plan, hide: <T>(value: T) => T): void {
  if (files.size === 0) {
    print("\nNothing to write.");
    return;
  }
  print(`\n${colours.bold(plural(files.size, "edited file"))}:`);
  for (const [path, text] of files) {
    const file = join(target.path, path);
    const before = sources.get(path)?.text ?? "";
    for (const line of createTwoFilesPatch(file, file, hide(before), hide(text)).trimEnd().split("\n").slice(1)) {
      const paint = line.startsWith("+") ? colours.green : line.startsWith("-") ? colours.red : colours.dim;
      print(paint(redactUrl(line)));
    }
  }
}

export function planAsJson(from: string, { to, promotion, values, inFlight, unfit }: Plan) {
  const { comparison, files, notes, remaining } = promotion;
  return {
    from,
    to,
    ...comparison,
    files: Object.fromEntries(files),
    values,
    inFlight: inFlight.get(""),
    inFlightOfCompanies: Object.fromEntries([...inFlight].filter(([company]) => company !== "")),
    notes: [...notes, ...unfit],
    remaining: remaining.changes,
  };
}
