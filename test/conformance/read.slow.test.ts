import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseReport } from "../../conformance/report";
import type { Emulator } from "../../emulator";
import { connect, editions } from "../../sdk";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { times } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { type Changes, differingService, type Exchange, together } from "./differing-service";
import { esignConformance } from "./esign-conformance";
import { fullAccount } from "./full-account";

const run = (service: Pick<Emulator, "url">, key: string, ...args: string[]) =>
  esignConformance(args, {
    home: temporaryFolder(),
    env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: key },
  });

test.each(editions)("the emulator, edition %s, differs in nothing, and is only read", async (edition) => {
  const service = await fullAccount(edition);
  const { code, stdout } = await run(service, service.keys.partner, "--json");
  const report = JSON.parse(stdout);
  expect(report.differences).toEqual([]);
  const isOlder = edition === "specification";
  expect(report.notCompared).toEqual([
    // All of them are as old as their account.
    { what: "order of templates.list", why: "no two objects have different times" },
    ...(isOlder ? [{ what: "branding.email", why: "the account refuses it: code 10550, status 400" }] : []),
  ]);
  expect(report).toMatchObject({ edition, writes: false, throttled: 0, facts: { [edition]: 0 } });
  expect(report.operations).toHaveLength(isOlder ? 17 : 18);
  expect(code).toBe(0);
  expect(new Set(service.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
});

const rename = (object: Record<string, unknown>, from: string, to: string) => {
  object[to] = object[from];
  delete object[from];
};
const webhooksOf = ({ path, body }: Exchange): Record<string, unknown>[] =>
  path === "/v1/webhooks" && Array.isArray(body.webhooks) ? body.webhooks : [];

const differences: [title: string, changes: Changes, differences: object[]][] = [
  [
    "a member has another name",
    {
      reply: (exchange) => {
        for (const one of webhooksOf(exchange)) rename(one, "webhook_url", "webhook_address");
      },
    },
    [
      { where: "webhooks.list", what: "webhooks[].webhook_url", current: "string", seen: ["missing"] },
      { where: "webhooks.list", what: "webhooks[].webhook_address", current: "no such member", seen: ["URL"] },
    ],
  ],
  [
    "a member has another type",
    {
      reply: ({ path, body }) => {
        if (path === "/v1/branding") body.branding_colour = 5;
      },
    },
    [{ where: "branding.get", what: "branding_colour", current: "string", seen: ["integer"] }],
  ],
  [
    "pages count from 1",
    {
      request: ({ query }) => {
        const offset = query.get("offset");
        if (offset !== null) query.set("offset", `${Math.max(0, Number(offset) - 1)}`);
      },
    },
    ["webhooks", "companies", "usage", "envelopes", "users", "contacts", "templates"].map((group) => ({
      where: `${group}.list`,
      what: "first offset",
      specification: "1",
      current: "0",
      seen: ["1"],
    })),
  ],
  [
    "an error has another code, and the type of bodies is another one",
    {
      reply: (exchange) => {
        if (exchange.body.code === 10306) exchange.body.code = 10399;
        exchange.headers["content-type"] = "application/json";
      },
    },
    [
      { where: "webhooks.get", what: "object that does not exist", current: "code 10306", seen: ["code 10399"] },
      { where: "all responses", what: "Content-Type", seen: ["application/json"] },
    ],
  ],
  [
    "browsers may read",
    {
      reply: ({ headers }) => {
        headers["access-control-allow-origin"] = "*";
        headers["x-ratelimit-limit"] = "60";
        headers["x-ratelimit-remaining"] = "59";
      },
    },
    [{ where: "all responses", what: "sites that may read", specification: "not documented", seen: ["all"] }],
  ],
  [
    "a limit is described",
    {
      reply: ({ headers }) => {
        headers["ratelimit-limit"] = "100, 100;w=60";
        headers["content-type"] = "application/json";
      },
    },
    [{ where: "all responses", what: "Content-Type", seen: ["application/json"] }],
  ],
  [
    "a filter is ignored, and histories begin with what happened last",
    {
      request: ({ query }) => query.delete("q"),
      reply: ({ body }) => {
        if (Array.isArray(body.envelope_history)) body.envelope_history.reverse();
      },
    },
    [
      { where: "envelopes.list", what: "filter q", current: "applied", seen: ["ignored"] },
      { where: "envelopes.get", what: "order of envelope_history", current: "oldest first", seen: ["newest first"] },
    ],
  ],
  [
    "there is an unknown value, and one that a customer chose",
    {
      reply: (exchange) => {
        const [first, second] = webhooksOf(exchange);
        if (first) first.webhook_type = "sealed-envelope";
        if (second) second.webhook_type = "Jane Doe's";
      },
    },
    [
      {
        where: "webhooks.list",
        what: "values of webhooks[].webhook_type",
        seen: ["value (not shown)", "value sealed-envelope"],
      },
    ],
  ],
];

/** Each by itself at night, and all in one account. */
const accounts: typeof differences = [
  ...(times > 1 ? differences : []),
  [
    "all of these",
    together(differences.map(([, changes]) => changes)),
    [...new Map(differences.flatMap(([, , found]) => found.map((one) => [JSON.stringify(one), one]))).values()],
  ],
];

test.each(accounts)("a difference is reported, and no other: %s", async (_, changes, expected) => {
  const emulator = await fullAccount("current");
  const service = await differingService(emulator, changes);
  const { code, stdout } = await run(service, emulator.keys.partner, "--json");
  const report = JSON.parse(stdout);
  expect(report.differences).toHaveLength(expected.length);
  expect(report.differences).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one))));
  expect(code).toBe(1);
});

/** What identifies a customer. */
const secrets = ["Jane", "jane@", "doe.example", "4711-0815", "Acme", "acme"];
const personal = { "jane@doe.example": "Jane Doe", "4711-0815": 5, Acme_corp: [{ jane_doe: "x" }] };

test("a report has nothing of the account in it, wherever the service writes it", async () => {
  const emulator = await fullAccount("current");
  const changes: Changes = {
    reply: (exchange) => {
      const { body, headers } = exchange;
      headers["x-ratelimit-jane@doe.example".replace(/[@.]/g, "-")] = "4711-0815";
      headers["content-type"] = "application/json; owner=Jane";
      headers["access-control-allow-origin"] = "https://doe.example";
      if (exchange.status >= 400)
        Object.assign(body, { code: "4711-0815", message: "Jane Doe is not allowed", ...personal });
      Object.assign(body, personal, { limit: "4711-0815", envelope_owner: "Jane Doe", webhook_data: personal });
      if ("next" in body) body.next = "https://doe.example/Jane?offset=jane";
      for (const one of webhooksOf(exchange))
        Object.assign(one, personal, { webhook_type: "Jane-Doe", webhook_id: "Jane" });
      for (const one of body.users ?? []) one.user_name = personal;
      if (exchange.path === "/v1/settings") body.setting_acme_footerText = true;
    },
  };
  const service = await differingService(emulator, changes);
  const key = emulator.keys.partner;
  const home = temporaryFolder();
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: key };
  const { code, stdout } = await esignConformance(["--out", "report.json"], { home, env });
  expect(code).toBe(1);
  const text = stdout + readFileSync(join(home, "report.json"), "utf8");
  const seeded = ["uma", "north", "Ann", "Lease", "hooks.example", "NDA", "Jane Doe", "A", "Two"];
  const { users, webhooks } = { users: await idsOf(emulator, "users"), webhooks: await idsOf(emulator, "webhooks") };
  const words = new Set(text.split(/[^\w@.-]+/));
  for (const secret of [...secrets, key, keyFingerprint(key), emulator.url, ...users, ...webhooks]) {
    expect(text).not.toContain(secret);
  }
  for (const word of seeded) expect(words).not.toContain(word);
  expect(JSON.parse(readFileSync(join(home, "report.json"), "utf8")).differences).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ where: "webhooks.list", what: "webhooks[].(not shown)" }),
      expect.objectContaining({ where: "users.list", what: "envelope_owner", seen: ["string"] }),
      expect.objectContaining({ where: "settings.get", what: "setting_?_footerText", seen: ["boolean"] }),
    ]),
  );
});

async function idsOf({ url, keys }: Emulator, group: "users" | "webhooks"): Promise<string[]> {
  const client = connect({ baseUrl: url, apiKey: keys.partner });
  const items = await client[group].list().all();
  return items.map((item) => String("user_id" in item ? item.user_id : item.webhook_id));
}

test("a report with more than a report has is refused", async () => {
  const emulator = await emulatorForTest();
  const report = JSON.parse((await run(emulator, emulator.keys.account, "--json")).stdout);
  expect(parseReport(report)).toEqual(report);
  for (const more of [
    { where: "webhooks of Jane" },
    { what: "jane@doe.example" },
    { seen: ["Jane Doe"] },
    { seen: ["value Jane"] },
    { email: "jane@doe.example" },
  ]) {
    const undocumented = [...report.undocumented, { where: "errors", what: "order", seen: ["none"], ...more }];
    expect(() => parseReport({ ...report, undocumented }), JSON.stringify(more)).toThrow("This is not a report");
  }
});

test("for people: what fits in a line, what differs in a table, what could not be compared", async () => {
  const emulator = await emulatorForTest({ edition: "current" });
  const service = await differingService(emulator, {
    reply: ({ path, body }) => {
      if (path === "/v1/branding") body.branding_colour = null;
    },
  });
  const { code, stdout } = await run(service, emulator.keys.account);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^Edition current: \d+ of \d+ facts fit it \(\d+ fit the edition specification\), in \d+ operations\.\n/,
  );
  expect(stdout).toMatch(
    /1 difference:\nWhat +specification +current +Seen +Operations\nbranding_colour +string +string +null +branding.get\n/,
  );
  expect(stdout).toMatch(/companies\.list +the account refuses it: code 10008, status 403\n/);
  expect(stdout).toMatch(/webhooks\.get +the account has no such object\n/);
});

const gaps = async (service: Emulator): Promise<Record<string, string>> => {
  const { code, stdout } = await run(service, service.keys.partner, "--json");
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ edition: service.settings.edition, differences: [] });
  expect(code).toBe(0);
  return Object.fromEntries(report.notCompared.map(({ what, why }: { what: string; why: string }) => [what, why]));
};

test.each(
  editions.flatMap((edition) => (["list", "error"] as const).map((emptyList) => [edition, emptyList] as const)),
)(
  "an empty account, edition %s, empty lists as %s: what could not be compared is listed",
  async (edition, emptyList) => {
    const service = await emulatorForTest({ edition, emptyList });
    const none = "the account has no such object";
    expect(await gaps(service)).toMatchObject({
      "webhooks.get": none,
      "companies.get": none,
      "envelopes.get": none,
      "contacts.get": none,
      ...(emptyList === "error" ? { "webhooks.list": none } : { "webhooks[] of webhooks.list": "no response had one" }),
      "order and offsets of users.list": "the account has only one such object",
    });
  },
);

test.each(editions)("edition %s: what the account's interface lacks is no difference", async (edition) => {
  const service = await emulatorForTest({ edition, missing: ["users", "contacts", "settings"] });
  const code = edition === "current" ? "no code" : "code 10003";
  expect(await gaps(service)).toMatchObject({
    "users.list": `the account refuses it: ${code}, status 404`,
    "settings.get": `the account refuses it: ${code}, status 404`,
    "users.get": "the account refuses their list",
    "contacts.envelopes": "the account refuses their list",
  });
});

test.each([
  [["--write"], "--write needs the fingerprint of the account"],
  [["--company", "5"], "unknown option '--company'"],
  [["--webhook-url", "https://a.example"], "--webhook-url goes with --write"],
  [["--webhook-url", "a.example"], "It must be a URL"],
  [["--write", "0123"], "Nothing was sent"],
])("%j: %s", async (args, message) => {
  const emulator = await emulatorForTest();
  const env = { ESIGN_BASE_URL: emulator.url, ESIGN_API_KEY: emulator.keys.account };
  const { code, stderr } = await esignConformance(args, { home: temporaryFolder(), env });
  expect(stderr).toContain(message);
  expect(code).toBe(2);
  expect(emulator.requests()).toEqual([]);
});

test.each([
  ["a wrong key", "/", "wrong"],
  ["no service", ":9", "key"],
])("%s: could not compare", async (_, where, key) => {
  const emulator = await emulatorForTest();
  const url = where === "/" ? emulator.url : "http://127.0.0.1:9";
  const { code, stdout } = await esignConformance([], {
    home: temporaryFolder(),
    env: { ESIGN_BASE_URL: url, ESIGN_API_KEY: key, ESIGN_RETRIES: "0" },
  });
  expect([code, stdout]).toEqual([2, ""]);
});

test("a service that rejects requests is asked again later, and the report says how often", async () => {
  const emulator = await emulatorForTest({
    edition: "current",
    faults: [{ kind: "status", status: 429, retryAfter: 0, operation: "users.list", times: 2 }],
  });
  const { code, stdout } = await run(emulator, emulator.keys.account, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ throttled: 2, differences: [] });
  expect(code).toBe(0);
});
