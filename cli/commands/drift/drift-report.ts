/** Drift as text, Markdown, JSON and SARIF, with its dates. */
import type { FieldChange, ResourceChange } from "../../../account-folder/diff/comparison";
import {
  fieldName,
  formatComparison,
  formatField,
  formatMarkdown,
  type Line,
  resourceName,
} from "../../../account-folder/diff/format-diff";
import { artifactUri, type SarifResult, type SarifRule, sarifLog } from "../../../account-folder/sarif";
import { plural } from "../../../definitions/text/display";
import { readUrn } from "../../../definitions/urn";
import { hashOf } from "../../../provider/core/hash";
import { version } from "../../output/version";
import type { DriftedResource } from "./compare-account";
import { ageOf, type Dates, isChangedAgain, isNew, minute } from "./drift-dates";

/** Drift that the last look has seen and this one has not. */
interface ResolvedDrift {
  urn: string;
  /** Absent for a resource that is no longer in the state. */
  kind?: ResourceChange["kind"];
  /** How people call the resource. */
  resource: string;
  /** Absent: the object was missing. */
  field?: string;
  firstSeen: string;
  lastSeen: string;
}

/** What a look has found. Nothing in it is secret. */
export interface DriftReport {
  stack: string;
  lookedAt: string;
  /** Absent for the first look. */
  previousLook?: string;
  changes: DriftedResource[];
  resolved: ResolvedDrift[];
  datesOf(urn: string, field?: string): Dates | undefined;
  /** The file to which alerts of code review point. */
  file: string;
}

const noteOf = (report: DriftReport) => (change: ResourceChange, field?: FieldChange) =>
  ageOf(report, report.datesOf((change as DriftedResource).urn, field?.field));

/** All dates, of fields and of missing objects. */
const allDates = (report: DriftReport): Dates[] =>
  report.changes.flatMap(({ urn, action, fields }) =>
    (action === "remove" ? [undefined] : fields.map(({ field }) => field)).flatMap(
      (field) => report.datesOf(urn, field) ?? [],
    ),
  );

/** What differs from the last look; nothing where neither look has seen anything. */
function summary(report: DriftReport): string[] {
  const { previousLook, resolved } = report;
  const dates = allDates(report);
  if (previousLook === undefined || dates.length + resolved.length === 0) return [];
  const count = (n: number, word: string) => (n === 0 ? [] : [`${n} ${word}`]);
  const parts = [
    ...count(dates.filter((each) => isNew(report, each)).length, "new"),
    ...count(dates.filter((each) => isChangedAgain(report, each)).length, "changed again"),
    ...count(resolved.length, "resolved"),
  ];
  return [`Since the last look, ${minute(previousLook)}: ${parts.join(", ") || "nothing new"}.`];
}

function resolvedText({ kind, resource, field, firstSeen, lastSeen }: ResolvedDrift): string {
  const label = field !== undefined && kind !== undefined ? fieldName(kind, { field }) : field;
  const times = [...new Set([firstSeen, lastSeen].map(minute))].join(" to ");
  return `no longer drifted: ${resource}${label === undefined ? "" : `, ${label}`} (seen ${times})`;
}

const comparisonOf = ({ changes }: DriftReport) => ({ changes, environment: [], unmanaged: [], uncompared: [] });

/** The lines of a comparison without its last one, which counts differences of two sides: here the account is compared with its own past. */
export function driftLines(report: DriftReport): Line[] {
  const { length } = report.changes;
  return [
    ...formatComparison(comparisonOf(report), { note: noteOf(report) }).slice(0, -1),
    ...report.resolved.map((each): Line => ({ kind: "note", text: resolvedText(each) })),
    ...summary(report).map((text): Line => ({ kind: "note", text })),
    { kind: "heading", text: length === 0 ? "No drift." : `${plural(length, "resource")} drifted.` },
  ];
}

export function driftMarkdown(report: DriftReport): string {
  const after = [...report.resolved.map((each) => `- ${resolvedText(each)}`), ...summary(report)];
  const text = formatMarkdown(comparisonOf(report), `Drift of ${report.stack}`, noteOf(report));
  return [text, ...after, ...(after.length > 0 ? [""] : [])].join("\n");
}

export function driftJson({ stack, lookedAt, previousLook, changes, resolved, datesOf }: DriftReport) {
  return {
    stack,
    lookedAt,
    ...(previousLook !== undefined && { previousLook }),
    changes: changes.map(({ fields, ...change }) => ({
      ...change,
      ...datesOf(change.urn),
      fields: fields.map((field) => ({ ...field, ...datesOf(change.urn, field.field) })),
    })),
    resolved,
  };
}

const help =
  "Revert it: esign refresh && esign up. Keep it: esign promote account <folder>, or declare it in the program.";
const rules = {
  changed: { name: "drift-changed", severity: "warning", description: "A value was changed outside Pulumi.", help },
  deleted: { name: "drift-deleted", severity: "warning", description: "An object was deleted outside Pulumi.", help },
  problem: {
    name: "drift-problem",
    severity: "warning",
    description: "The service reports a problem with an object, such as a suspended webhook.",
    help: "Make the webhook's URL answer, then change the webhook or ask the service.",
  },
} satisfies Record<string, SarifRule>;

export function driftSarif(report: DriftReport) {
  return sarifLog({
    tool: "esign drift",
    version,
    rules: Object.values(rules),
    results: report.changes.flatMap((change) =>
      change.action === "remove"
        ? [sarifResult(report, change, rules.deleted)]
        : change.fields.map((field) =>
            sarifResult(report, change, field.before === undefined ? rules.problem : rules.changed, field),
          ),
    ),
  });
}

function sarifResult(report: DriftReport, change: DriftedResource, rule: SarifRule, field?: FieldChange): SarifResult {
  const { urn, kind } = change;
  const dates = report.datesOf(urn, field?.field);
  const what = field === undefined ? "was deleted" : formatField(kind, field)[0]!.text.trim();
  const said = ageOf(report, dates);
  const name = readUrn(urn)?.name ?? urn;
  return {
    ruleId: rule.name,
    level: rule.severity,
    message: { text: `${resourceName(change)}: ${what}${said === undefined ? "" : ` (${said})`}` },
    locations: [
      {
        // A state does not know the line of a program. Code scanning shows no result without one.
        physicalLocation: {
          artifactLocation: { uri: artifactUri(".", report.file) },
          region: { startLine: 1 },
        },
        logicalLocations: [{ name, fullyQualifiedName: urn, kind: "resource" }],
      },
    ],
    // Else all results of a rule would be one alert: their place is the same.
    partialFingerprints: { primaryLocationLineHash: hashOf(`${urn}\0${field?.field ?? ""}`) },
    ...(dates && { provenance: { firstDetectionTimeUtc: dates.firstSeen } }),
    ...(dates && report.previousLook !== undefined && { baselineState: baselineState(report, dates) }),
  };
}

function baselineState(report: DriftReport, dates: Dates): NonNullable<SarifResult["baselineState"]> {
  if (isNew(report, dates)) return "new";
  return isChangedAgain(report, dates) ? "updated" : "unchanged";
}
