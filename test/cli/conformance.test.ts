import { expect, test } from "vitest";
import type { Emulator } from "../../emulator";
import { editions } from "../../sdk";
import { temporaryFolder } from "../files";
import { type Changes, differingService, type Exchange } from "./differing-service";
import { fullAccount } from "./full-account";
import { esign } from "./in-process";

const run = (service: Pick<Emulator, "url">, key: string, ...args: string[]) =>
  esign(["doctor", "--conformance", ...args], {
    home: temporaryFolder(),
    env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: key },
  });

test.each(editions)("the emulator, edition %s, differs in nothing, and is only read", async (edition) => {
  const service = await fullAccount(edition);
  const { code, stdout } = await run(service, service.keys.partner, "--json");
  const report = JSON.parse(stdout);
  expect(report.differences).toEqual([]);
  // All of them are as old as their account.
  expect(report.notCompared).toEqual([{ what: "order of templates.list", why: "no two objects have different times" }]);
  expect(report).toMatchObject({ edition, writes: false, throttled: 0, facts: { [edition]: 0 } });
  expect(report.operations).toHaveLength(17);
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
    { reply: ({ path, body }) => path === "/v1/branding" && (body.branding_colour = 5) },
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
    { reply: ({ headers }) => (headers["access-control-allow-origin"] = "*") },
    [{ where: "all responses", what: "sites that may read", specification: "not documented", seen: ["all"] }],
  ],
  [
    "there is a value that nobody knows, and one that a customer chose",
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

test.each(differences)("a difference is reported, and no other: %s", async (_, changes, expected) => {
  const emulator = await fullAccount("current");
  const service = await differingService(emulator, changes);
  const { code, stdout } = await run(service, emulator.keys.partner, "--json");
  const report = JSON.parse(stdout);
  expect(report.differences).toHaveLength(expected.length);
  expect(report.differences).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one))));
  expect(code).toBe(1);
});
