/** SARIF 2.1.0, the form in which tools for code review take findings. */
import { relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Severity } from "./finding";

export interface SarifRule {
  name: string;
  severity: Severity;
  description: string;
  /** What to do about it. */
  help?: string;
}

/** A result: the properties that this package sets, as SARIF names them. */
export interface SarifResult {
  ruleId: string;
  level: Severity;
  message: { text: string };
  locations: {
    physicalLocation: {
      artifactLocation: { uri: string };
      region?: { startLine: number; startColumn?: number; endLine?: number; endColumn?: number };
    };
    logicalLocations?: { name: string; fullyQualifiedName: string; kind: string }[];
  }[];
  /** Compared with the last run. */
  baselineState?: "new" | "unchanged" | "updated";
  /** What makes it the same result in the next run. */
  partialFingerprints?: Record<string, string>;
  provenance?: { firstDetectionTimeUtc: string };
}

/** One run of a tool. */
interface SarifRun {
  tool: string;
  version: string;
  rules: readonly SarifRule[];
  results: readonly SarifResult[];
}

/** The log of one run. */
export function sarifLog({ tool, version, rules, results }: SarifRun) {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: tool,
            semanticVersion: version,
            rules: rules.map(({ name, severity, description, help }) => ({
              id: name,
              shortDescription: { text: description },
              ...(help !== undefined && { help: { text: help } }),
              defaultConfiguration: { level: severity },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: results.map((result) => ({
          ...result,
          ruleIndex: rules.findIndex(({ name }) => name === result.ruleId),
        })),
      },
    ],
  };
}

/** A path relative to the current directory; absolute for files outside of it. */
export function displayPath(root: string, file: string): string {
  const path = relative(process.cwd(), resolve(root, file));
  return (path.startsWith("..") ? resolve(root, file) : path).split(sep).join("/");
}

/** The same as a URI. */
export function artifactUri(root: string, file: string): string {
  const path = displayPath(root, file);
  return path.startsWith("/") || /^[A-Za-z]:/.test(path)
    ? pathToFileURL(path).href
    : encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}
