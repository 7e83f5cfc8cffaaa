import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Seed, start } from "../../emulator";
import { ask, basic } from "./ask";
import { emulatorForTest } from "./use-emulator";

test("the seed of the documentation", async () => {
  const page = readFileSync(resolve(__dirname, "../../docs/reference/emulator.md"), "utf8");
  const service = await emulatorForTest({ seed: parse(/```yaml\n([^`]*)```/.exec(page)![1]!) as Seed });
  expect(service.keys.partner).toBe("partner-key-for-tests");
  const call = ask(service);
  const { body } = await call("GET", "/v1/branding");
  expect(body.branding_colour).toBe("#1F6FEB");
  expect(body.branding_logo).toMatch(/\/logos\/\d+-[0-9a-f]{12}\.png\?\d+$/);
  expect((await call("GET", "/v1/branding/emails")).body.branding_emails[4].branding_email_subject).toBe(
    "Please sign {contract title}",
  );
  expect((await call("GET", "/v1/webhooks")).body.total_webhooks).toBe("1");
  expect((await call("GET", "/v1/companies")).body.companies).toMatchObject([{ company_name: "Customer One" }]);
  expect((await call("GET", "/v1/envelopes")).body.envelopes).toMatchObject([
    { envelope_title: "Rental agreement", envelope_status: "sent", envelope_sent: expect.any(String) },
  ]);
  const made = await call("POST", "/v1/envelopes", {
    envelope_title: "NDA",
    envelope_documents: [{ document_title: "NDA", document_template_fingerprint: "nda" }],
    envelope_parties: [{ party_name: "Ann", party_email: "ann@b.example", party_id: 1 }],
  });
  expect(made.status).toBe(202);
});

test("a company of the seed works with its key, and its envelopes count as usage", async () => {
  const created = "2025-03-16T08:00:00+0000";
  const statuses = ["sent", "signed", "cancelled", "expired", "draft", "failed"] as const;
  const envelopes = statuses.map((status) => ({ title: status, status, created }));
  const service = await emulatorForTest({
    clock: () => Date.UTC(2025, 2, 20),
    seed: { companies: [{ id: "4711", key: "company-key", envelopes }] },
  });
  const { body } = await ask(service, "company-key")("GET", "/v1/envelopes");
  expect(body.envelopes.map((e: Record<string, string>) => [e.envelope_status, e.envelope_sent])).toEqual(
    statuses.toReversed().map((status) => [status, ["draft", "failed"].includes(status) ? null : created]),
  );
  const usage = await ask(service)("GET", "/v1/usage");
  expect(usage.body.companies).toMatchObject([{ company_id: "4711", current_usage: "4", previous_usage: "0" }]);
});

test("of an envelope of the seed that is sent, the first signer has the turn, also after a copy; one that has ended says when", async () => {
  const created = "2025-03-16T08:00:00+0000";
  const parties = [
    { name: "Carl", email: "carl@b.example", role: "copy" as const },
    { name: "Ann", email: "ann@b.example" },
    { name: "Ben", email: "ben@b.example" },
  ];
  const envelopes = (["sent", "signed", "cancelled", "draft"] as const).map((status) => ({
    title: status,
    fingerprint: status,
    status,
    parties,
    created,
  }));
  const service = await emulatorForTest({ edition: "current", seed: { partner: { envelopes } } });
  const read = async (status: string) => (await ask(service)("GET", `/v1/envelopes/${status}`)).body;
  const states = async (status: string) =>
    (await read(status)).envelope_parties.map((party: Record<string, string>) => party.party_status);
  expect(await states("sent")).toEqual(["pending", "in progress", "pending"]);
  await service.performAction("sent", "sign");
  expect(await states("sent")).toEqual(["pending", "signed", "in progress"]);
  const ends = envelopes.map(async ({ status }) => (await read(status)).envelope_processed);
  expect(await Promise.all(ends)).toEqual([null, created, created, null]);
});

test("files of a template are there, whatever its fingerprint is", async () => {
  const templates = [{ fingerprint: "Mietvertrag v1.2 / Süd", title: "Lease" }];
  const service = await emulatorForTest({ seed: { partner: { templates } } });
  const [template] = (await ask(service)("GET", "/v1/templates")).body.templates;
  for (const address of [template.template_pdf_url, ...template.template_pages])
    expect((await fetch(address)).status).toBe(200);
});

test("an ID of the seed that JavaScript would round is returned unchanged, also as a number", async () => {
  const id = "1234567890123456789";
  const service = await emulatorForTest({ seed: { companies: [{ id }] } });
  const response = await fetch(`${service.url}/v1/companies/${id}`, {
    headers: { authorization: basic(service.keys.partner) },
  });
  expect(await response.text()).toContain(`"company_id":${id},`);
});

test("a setting of the seed keeps its type, also when a form sets it", async () => {
  const settings = { setting_flag: false, setting_number: 5, setting_text: "a" };
  const service = await emulatorForTest({ seed: { partner: { settings } } });
  const call = ask(service);
  const set = async (form: object) => {
    expect((await call("PUT", "/v1/settings", form)).status).toBe(200);
    return (await call("GET", "/v1/settings")).body;
  };
  const changed = await set({ setting_flag: "true", setting_number: "7", setting_text: "true" });
  expect(changed).toMatchObject({ setting_flag: true, setting_number: 7, setting_text: "true" });
  expect(await call("PUT", "/v1/settings", { other: "1" })).toMatchObject({ status: 400 });
});

test("a reset brings back the ids and keys that the seed left open, those of subaccounts too", async () => {
  const webhooks = [{ type: "all" as const, url: "https://a.example" }];
  const envelopes = [{ title: "NDA" }];
  const templates = [{ title: "NDA" }];
  const seed = { partner: { webhooks, templates }, companies: [{}, { webhooks, envelopes }] };
  const service = await emulatorForTest({ seed, clock: () => Date.UTC(2025, 2, 20) });
  const before = service.data();
  const { company_id: id, company_api_key: key } = (await ask(service)("GET", "/v1/companies")).body.companies[1];
  await ask(service, key)("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: "https://b.example" });
  await service.rotateKey(id);
  await service.reset();
  expect(service.data()).toEqual(before);
  expect((await ask(service, key)("GET", "/v1/webhooks")).body.total_webhooks).toBe("1");
  const other = await emulatorForTest({ seed });
  expect(other.data().accounts.map((account) => account.key)).not.toContain(key);
});

test.each(["2025-03-16T01:00:00+0200", "2025-03-15T23:00:00Z", "2025-03-15 23:00:00.5+00:00"])(
  "the seed's time %s is returned in the specification's format",
  async (created) => {
    const service = await emulatorForTest({
      clock: () => Date.UTC(2025, 2, 20),
      seed: { partner: { created }, companies: [{ created, envelopes: [{ title: "NDA", created }] }] },
    });
    const [company] = (await ask(service)("GET", "/v1/companies")).body.companies;
    expect(company.company_created).toBe("2025-03-15T23:00:00+0000");
    // By the day in UTC it was sent in the billing period that began with it.
    const { body } = await ask(service)("GET", "/v1/usage");
    expect(body).toMatchObject({ current_start_date: "2025-03-15T00:00:00+0000", companies: [{ current_usage: "1" }] });
  },
);

test("thousands of objects are quick to begin with", async () => {
  const webhooks = Array.from({ length: 10_000 }, (_, i) => ({ type: "all" as const, url: `https://a.example/${i}` }));
  const service = await emulatorForTest({ seed: { partner: { webhooks } } });
  const { body } = await ask(service)("GET", "/v1/webhooks?offset=9951&limit=50");
  expect(body.total_webhooks).toBe("10000");
  expect(body.webhooks.at(-1).webhook_url).toBe("https://a.example/9999");
});

test.each([
  [{ partner: { key: "with:colon" } }, /without a colon/],
  [{ partner: { webhooks: [{ type: "alle", url: "https://a.example" }] } }, /did you mean "all"\? One of: /],
  [{ partner: { id: "1" }, account: { id: "1" } }, /two accounts have the ID 1/],
  [{ partner: { key: "same" }, account: { key: "same" } }, /two accounts have the same key/],
  [
    { partner: { user: { name: "A", email: "a@b.example" } }, account: { user: { name: "B", email: "A@b.example" } } },
    /two users/,
  ],
  [
    { partner: { templates: [{ title: "Lease", parties: ["A"], mergeFields: [{ id: 1, title: "a", party: 2 }] }] } },
    /the template "Lease" has no party 2, which a field names/,
  ],
  [
    {
      account: {
        templates: [{ title: "Lease", mergeFields: [{ id: 1, title: "a" }], fields: [{ id: 1, title: "b" }] }],
      },
    },
    /the template "Lease" has two fields with the ID 1/,
  ],
  [
    {
      companies: [
        {
          templates: [
            { fingerprint: "lease", title: "A" },
            { fingerprint: "lease", title: "B" },
          ],
        },
      ],
    },
    /two templates of an account have the fingerprint lease/,
  ],
  [{ partners: [] }, /partners/],
  [{ partner: { branding: { colour: "red" } } }, /hex colour/],
  [{ account: { created: "yesterday" } }, /timestamp/],
] as unknown as [Seed, RegExp][])("the seed %j is refused", async (seed, message) => {
  await expect(start({ seed })).rejects.toThrow(message);
});
