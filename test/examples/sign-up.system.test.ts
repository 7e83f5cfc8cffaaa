/** examples/sign-up, from the request to the key. Kills and load: sign-up.nightly.test.ts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../sdk";
import { SignUp, wanted } from "./sign-up";

let service: SignUp;
beforeAll(async () => {
  service = await SignUp.open({});
  await service.start();
});
afterAll(() => service?.close());

test("bad requests are refused before anything is sent", async () => {
  expect((await service.ask("GET", "/health", undefined, "")).body).toEqual({ status: "ok" });
  const unauthorized = await service.ask("GET", "/customers/acme", undefined, "Bearer x");
  expect([unauthorized.status, unauthorized.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  expect((await service.ask("GET", "/customers/acme")).status).toBe(404);
  const bad = {
    ...wanted("acme"),
    owner: { name: "Ann", email: "ann" },
    colour: undefined,
    hooks: "http://a.example",
    plan: "gold",
  };
  const refused = await service.ask("PUT", "/customers/acme", bad);
  expect([refused.status, refused.body.fields]).toEqual([
    422,
    {
      "owner.email": expect.stringMatching(/email/),
      colour: "is missing",
      hooks: "an https URL",
      body: expect.stringMatching(/plan/),
    },
  ]);
  const id = await service.ask("PUT", "/customers/Acme", wanted("acme"));
  expect([id.status, id.body.fields]).toEqual([422, { id: "lower-case letters, digits and hyphens" }]);
  expect(service.emulator.requests()).toEqual([]);
});

test("one request makes an account, whose key is handed over until someone confirms to have it", async () => {
  const { emulator } = service;
  const accepted = await service.ask("PUT", "/customers/acme", wanted("acme"));
  expect([accepted.status, accepted.headers.get("location")]).toEqual([202, "/customers/acme"]);
  expect((await service.ask("PUT", "/customers/acme", wanted("acme"))).status).toBe(202);
  expect((await service.ask("PUT", "/customers/acme", wanted("bond"))).status).toBe(409);
  expect((await service.ask("GET", "/customers/acme/key")).status).toBe(409);
  await service.waitFor("provisioned");
  const ready = await service.ask("PUT", "/customers/acme", wanted("acme"));
  const client = connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner });
  const [company, ...others] = await client.companies.list().all();
  expect(others).toEqual([]);
  expect(ready).toMatchObject({
    status: 200,
    body: { id: "acme", status: "ready", companyId: String(company!.company_id), error: null, keyConfirmed: false },
  });

  const key = company!.company_api_key!;
  const { body, headers } = await service.ask("GET", "/customers/acme/key");
  expect([body, headers.get("cache-control")]).toEqual([{ apiKey: key }, "no-store"]);
  // The response may have been lost.
  expect((await service.ask("GET", "/customers/acme")).body.keyConfirmed).toBe(false);
  const confirmed = [];
  for (const method of ["DELETE", "DELETE", "GET"]) confirmed.push(await service.ask(method, "/customers/acme/key"));
  expect(confirmed.map(({ status }) => status)).toEqual([204, 204, 410]);

  const own = connect({ baseUrl: emulator.url, apiKey: key });
  expect((await own.branding.get()).branding_colour).toBe(wanted("acme").colour);
  expect((await own.webhooks.list().all()).map(({ webhook_url }) => webhook_url).sort()).toEqual([
    "https://acme.example/hooks/rejected",
    "https://acme.example/hooks/signed",
  ]);
  const { rows } = await service.database.query("select * from pgboss.job");
  expect(rows).not.toEqual([]);
  const states = readdirSync(join(service.folder, ".pulumi"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(service.folder, ".pulumi", name), "utf8"));
  expect(states).not.toEqual([]);
  for (const text of [service.output, JSON.stringify(rows), ...states])
    for (const secret of [key, emulator.keys.partner]) expect(text).not.toContain(secret);
  expect(await service.stop("SIGTERM")).toBe(0);
});
