/** The emulator does what accounts have been seen to do; and how a report becomes such a test. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Fixture, toFixture } from "../../tools/conformance-fixture";
import { times } from "../chance";
import { esign } from "../cli/in-process";
import { temporaryFolder } from "../files";
import { deviations, looksAlike } from "./deviations";
import { type Changes, differingService, together } from "./differing-service";
import { esignConformance } from "./esign-conformance";
import { fullAccount } from "./full-account";

const folder = join(__dirname, "../fixtures/conformance");
const fixtures = readdirSync(folder).filter((name) => name.endsWith(".json"));

describe.each(fixtures)("%s", (name) => {
  test("the emulator does what the account does", async () => {
    const fixture = JSON.parse(readFileSync(join(folder, name), "utf8")) as Fixture;
    const service = await fullAccount(fixture.edition);
    expect(await deviations(fixture, service.url, service.keys.partner)).toEqual([]);
  });
});

const cases: [title: string, changes: Changes, deviation: object][] = [
  [
    "a member with another name",
    {
      reply: ({ path, body }) => {
        for (const one of path === "/v1/webhooks" ? (body.webhooks ?? []) : []) {
          one.webhook_target = one.webhook_url;
          delete one.webhook_url;
        }
      },
    },
    { where: "webhooks.list", what: "webhooks[].webhook_target", account: ["URL"], service: ["missing"] },
  ],
  [
    "a member with another type",
    {
      reply: ({ method, path, body }) => {
        if (method === "GET" && path.startsWith("/v1/users/")) body.user_id = String(body.user_id);
      },
    },
    { where: "users.get", what: "user_id", account: ["digits"], service: ["integer"] },
  ],
  [
    "lists in another order",
    {
      reply: ({ path, query, body }) => {
        if (path === "/v1/envelopes" && !query.has("offset")) body.envelopes?.reverse();
      },
    },
    { where: "envelopes.list", what: "order", account: ["oldest first"], service: ["newest first"] },
  ],
  [
    "pages that count from 1",
    {
      request: ({ query }) => {
        const offset = query.get("offset");
        if (offset !== null) query.set("offset", `${Math.max(0, Number(offset) - 1)}`);
      },
    },
    { where: "users.list", what: "first offset", account: ["1"], service: ["0"] },
  ],
  [
    "a response to a change without its time",
    { reply: ({ method, body }) => method === "PUT" && delete body.webhook_updated },
    { where: "webhooks.update", what: "webhook_updated", account: ["missing"], service: ["timestamp"] },
  ],
];

/** Each by itself at night, and all in one account. */
const accounts: [title: string, changes: Changes, deviations: object[]][] = [
  ...(times > 1 ? cases : []).map(([title, changes, deviation]): (typeof accounts)[number] => [
    title,
    changes,
    [deviation],
  ]),
  ["all of these", together(cases.map(([, changes]) => changes)), cases.map(([, , deviation]) => deviation)],
];

describe.each(accounts)("an account with %s", (_, changes, expected) => {
  test("its report becomes a test that it passes, and that fails on the emulator", async () => {
    const emulator = await fullAccount("current");
    const apiKey = emulator.keys.partner;
    const account = await differingService(emulator, changes);
    const env = { ESIGN_BASE_URL: account.url, ESIGN_API_KEY: apiKey };
    const home = temporaryFolder();
    const { stdout } = await esign(["doctor", "--account-only", "--json"], { home, env });
    const { keyFingerprint } = JSON.parse(stdout);
    const args = ["--write", keyFingerprint, "--out", "report.json"];
    expect((await esignConformance(args, { home, env })).code).toBeLessThan(2);
    const fixture = toFixture(JSON.parse(readFileSync(join(home, "report.json"), "utf8")));
    expect(await deviations(fixture, account.url, apiKey)).toEqual([]);
    expect(await deviations(fixture, emulator.url, apiKey)).toEqual(expect.arrayContaining(expected));
  });
});

test.each([
  [["URL"], ["string"], true],
  [["URL", "empty string", "null"], ["null", "string"], true],
  [["URL"], ["string", "null"], false],
  [["digits"], ["integer"], false],
  [["string"], ["digits"], false],
  [["missing"], ["missing"], true],
])("what an account has shown as %j, and the emulator as %j: %s", (account, service, isAlike) => {
  expect(looksAlike(account, service)).toBe(isAlike);
});

test("what is no report is refused, and a report into which something has got that identifies an account", () => {
  expect(() => toFixture({})).toThrow("This is not a report");
});
