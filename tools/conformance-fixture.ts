/**
 * Makes a fixture from a report of `esign-conformance`:
 *
 *   npm run conformance -- report.json <name>     writes test/fixtures/conformance/<name>.json
 *
 * test/conformance/fixtures.slow.test.ts then demands of the emulator what the account does. It fails until the table of response members and the
 * emulator have it; delete facts from the fixture that are that account's own affair.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseReport } from "../conformance/report";
import type { Edition } from "../sdk/edition";

/** What an account does otherwise than documented, or where nothing is documented. */
export interface Fixture {
  edition: Edition;
  /** Whether a webhook and a contact have to be made, changed and deleted to see it. */
  writes: boolean;
  facts: { where: string; what: string; seen: string[] }[];
}

/** Throws for anything that is no report, or that has in it what a report must not have. */
export function toFixture(report: unknown): Fixture {
  const { edition, writes, differences, undocumented } = parseReport(report);
  const facts = [...differences, ...undocumented].map(({ where, what, seen }) => ({ where, what, seen }));
  return { edition, writes, facts };
}

function main([file, name]: string[]): void {
  if (file === undefined || name === undefined || !/^[a-z\d-]+$/.test(name)) {
    process.stderr.write(
      "Usage: npm run conformance -- <report.json> <name>\nThe name is of lower-case letters, digits and hyphens.\n",
    );
    process.exitCode = 2;
    return;
  }
  const path = join(__dirname, "../test/fixtures/conformance", `${name}.json`);
  const fixture = toFixture(JSON.parse(readFileSync(file, "utf8")));
  writeFileSync(path, `${JSON.stringify(fixture, undefined, 2)}\n`, { flag: "wx" });
  process.stderr.write(
    `${relative(process.cwd(), path)}: ${fixture.facts.length} facts. npx vitest run test/conformance/fixtures.slow.test.ts\n`,
  );
}

if (require.main === module) main(process.argv.slice(2));
