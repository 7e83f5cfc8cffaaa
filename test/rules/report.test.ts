import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../account-folder/finding";
import { SourceFile } from "../../account-folder/placeholders/source-map";
import { formatFindings, toJson, toSarif } from "../../rules/lint/reporters";
import { sarifErrors } from "../account-folder/sarif-schema";

const pc = createRequire(__filename)("picocolors") as typeof import("picocolors");
const plain = pc.createColors(false);

const finding = (at: Partial<Finding>): Finding => ({
  rule: "variable-typo",
  severity: "error",
  message: "unknown variable {x}",
  fix: "did you mean {y}?",
  file: "emails/email-send/body.html",
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  ...at,
});
const report = (findings: Finding[], text = "") => {
  const file = new SourceFile("emails/email-send/body.html", text);
  return { root: "account", findings, sources: new Map([[file.path, file]]) };
};

describe("findings for people", () => {
  it("show the place, the line and the fix", () => {
    const text = "<p>\n  Hello {x}\n</p>";
    expect(formatFindings(report([finding({ line: 2, column: 9, endLine: 2, endColumn: 12 })], text), plain)).toBe(
      [
        "account/emails/email-send/body.html:2:9  error  variable-typo",
        "  unknown variable {x}",
        "  2 │   Hello {x}",
        "    │         ^^^",
        "  fix: did you mean {y}?",
        "",
        "✖ 1 error",
        "",
      ].join("\n"),
    );
  });

  it("show the part of a long line that matters", () => {
    const text = `${"a".repeat(5000)}{x}${"b".repeat(5000)}`;
    const lines = formatFindings(report([finding({ column: 5001, endColumn: 5004 })], text), plain).split("\n");
    const [shown, marks] = [lines[2]!, lines[3]!];
    expect(shown.length).toBeLessThan(120);
    expect(shown.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1)).toBe("{x}");
  });

  it("hold nothing that a terminal would obey", () => {
    const text = "\u001b[31m\u202e{x}\u0007";
    const shown = formatFindings(report([finding({ message: "\u001b]0;title\u0007" })], text), plain);
    expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("say that there are none, and how to accept a warning", () => {
    expect(formatFindings(report([]), plain)).toBe("✔ no findings\n");
    expect(formatFindings(report([finding({ severity: "warning", rule: "script" })]), plain)).toMatch(
      /▲ 1 warning\nTo accept a warning, write lint: \{ off: \{ script: \[emails\/email-send\/body\.html\] \} \} in account\.yaml\n$/,
    );
  });
});

describe("findings for machines", () => {
  it("are JSON with counts, and paths as seen from here", () => {
    expect(toJson(report([finding({}), finding({ severity: "warning", line: 2 })]))).toMatchObject({
      errors: 1,
      warnings: 1,
      findings: [{ file: "account/emails/email-send/body.html", rule: "variable-typo", line: 1 }, { line: 2 }],
    });
  });

  it("are valid SARIF", () => {
    const odd = {
      ...report([finding({ file: "emails/a b#c/körper.html" }), finding({ rule: "settings" })]),
      root: "/abs",
    };
    for (const each of [report([]), report([finding({ line: 3, column: 4, endLine: 5, endColumn: 6 })]), odd]) {
      const sarif = toSarif(each, "1.2.3");
      expect(sarifErrors(sarif)).toBeNull();
      for (const result of sarif.runs[0]!.results) {
        expect(sarif.runs[0]!.tool.driver.rules[result.ruleIndex]!.id).toBe(result.ruleId);
      }
    }
    expect(sarifErrors({ version: "2.1.0", runs: [{}] })).toHaveLength(1);
    const uris = toSarif(odd, "1.2.3").runs[0]!.results.map(
      (r) => r.locations[0]!.physicalLocation.artifactLocation.uri,
    );
    expect(uris[0]).toBe(`file://${join("/abs", "emails")}/a%20b%23c/k%C3%B6rper.html`);
  });
});
