/** Whether a service does what a fixture says of an account: see tools/conformance-fixture.ts. */

import { readAccount } from "../../conformance/read-account";
import { addTrial, TrialRun } from "../../conformance/run-trial";
import { Sender } from "../../conformance/sender";
import { trials } from "../../conformance/trials";
import { formatOf, formats } from "../../conformance/value-formats";
import type { Fixture } from "../../tools/conformance-fixture";

/** What the service does otherwise than the fixture says. */
export async function deviations({ edition, writes, facts }: Fixture, baseUrl: string, apiKey: string) {
  const sender = new Sender({ baseUrl, apiKey });
  const reading = await readAccount(sender);
  for (const trial of writes ? trials(undefined) : []) {
    addTrial(reading, await new TrialRun(sender, trial, edition).run());
  }
  return facts.flatMap(({ where, what, seen }) => {
    const found = reading.facts.find((fact) => fact.where === where && fact.what === what);
    // A member that neither the documents nor a response have was not looked for.
    const actual = found?.seen ?? ["missing"];
    return looksAlike(seen, actual) ? [] : [{ where, what, account: seen, service: actual }];
  });
}

/** Formats that only strings have, but for that of any string. */
const textFormats = formats.slice(0, formats.indexOf(formatOf("any", false)));

/** Of a member that was not documented, a report has the format of its strings; once it is, strings are strings. */
export function looksAlike(account: readonly string[], service: readonly string[]): boolean {
  const isString = service.includes("string");
  const seen = new Set(account.map((format) => (isString && textFormats.includes(format) ? "string" : format)));
  return seen.size === service.length && service.every((format) => seen.has(format));
}
