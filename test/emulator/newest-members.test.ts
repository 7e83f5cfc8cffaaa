/** What the service added in November 2026, and what recordings show of merge fields and lists. */
import { beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../sdk";
import { ask, envelopeForm } from "./ask";
import { useEmulator } from "./use-emulator";

const party = { party_name: "Ann", party_email: "ann@b.example" };
const file = { document_title: "NDA", document_url: "https://files.example/nda.pdf" };
const runs = [
  { cells: 4, cellGap: 2, runGap: 4 },
  { cells: 2, cellGap: 0, runGap: 0 },
];
const place = { x: 30, y: 40, width: 300, height: 20 };
const templates = [
  {
    fingerprint: "card",
    title: "Card",
    parties: ["Client", "Shop"],
    mergeFields: [{ id: 1, title: "Client's name" }],
    fields: [
      { id: 2, title: "Number", type: "split", preset: "card_number", runs, required: false, page: 2, place },
      { id: 3, title: "Signed on", type: "date-signed", format: "mm/dd/yyyy", party: 2 },
      { id: 4, title: "City", merge: true, party: 2 },
      { id: 5, title: "Proof", type: "upload" },
    ],
  },
];

const service = useEmulator({ edition: "current", processingTime: 0, seed: { partner: { templates } } });
beforeEach(() => service.reset());
const call = ask(service);

describe("the fields of a template", () => {
  test("are in the response for one, with kind, place and label; those that are no merge fields in no other list", async () => {
    const { template_parties: parties } = (await call("GET", "/v1/templates/card")).body;
    const [client, shop] = parties;
    expect(client.party_fields[0]).toEqual({
      field_id: "1",
      field_title: "Client's name",
      field_type: "text",
      party_id: "1",
      field_merge: "Client's name",
      field_required: true,
      field_format: null,
      field_page: 1,
      field_x: 60,
      field_y: 60,
      field_width: 200,
      field_height: 30,
      field_preset: null,
      field_runs: [],
    });
    expect(client.party_fields[1]).toMatchObject({
      field_type: "split",
      field_merge: null,
      field_required: false,
      field_page: 2,
      field_x: 30,
      field_width: 300,
      field_preset: "card_number",
      field_runs: [
        { cell_count: 4, cell_gap: 2, run_gap: 4 },
        { cell_count: 2, cell_gap: 0, run_gap: 0 },
      ],
    });
    expect(shop.party_fields.map((field: { field_format: unknown }) => field.field_format)).toEqual([
      "mm/dd/yyyy",
      null,
    ]);
    expect(client.party_merge_fields.map((field: { field_id: string }) => field.field_id)).toEqual(["1"]);
    expect(shop.party_merge_fields).toEqual([{ field_id: "4", field_merge: "City", field_type: "text" }]);
    const [inList] = (await call("GET", "/v1/templates")).body.templates;
    expect(inList.template_parties[0]).not.toHaveProperty("party_fields");
  });

  test("of the older interface have no places", async () => {
    service.configure({ edition: "specification" });
    expect((await call("GET", "/v1/templates/card")).body.template_parties[0]).not.toHaveProperty("party_fields");
  });

  test("reach the client with their kinds", async () => {
    const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, edition: "current" });
    const { template_parties } = await client.templates.get({ template_fingerprint: "card" });
    expect(template_parties![0]!.party_fields!.map((field) => field.field_type)).toEqual(["text", "split", "upload"]);
  });
});

test.each(["specification", "current"] as const)("%s: a merge field has its label, filled or not", async (edition) => {
  service.configure({ edition, bodyTypes: "any" });
  const form = {
    envelope_title: "Card",
    envelope_documents: [
      {
        document_title: "Card",
        document_template_fingerprint: "card",
        document_merge_fields: [{ field_id: 1, field_value: "Ann Client" }],
      },
    ],
    envelope_parties: [
      { ...party, party_id: 1 },
      { party_name: "Shop", party_email: "shop@b.example", party_id: 2 },
    ],
  };
  const { envelope_fingerprint: fingerprint } = (await call("POST", "/v1/envelopes", form)).body;
  await service.advance(1000);
  await service.performAction(fingerprint, "sign");
  await service.performAction(fingerprint, "sign");
  const { envelope_documents } = (await call("GET", `/v1/envelopes/${fingerprint}`)).body;
  const fields = new Map<string, { field_merge: unknown; field_value: unknown }>(
    envelope_documents[0].document_fields.map((field: { field_title: string }) => [field.field_title, field]),
  );
  expect(fields.get("Client's name")).toMatchObject({ field_merge: "Client's name", field_value: "Ann Client" });
  expect(fields.get("City")).toMatchObject({ field_merge: "City", field_value: "" });
  expect(fields.get("Number")).toMatchObject({ field_merge: null, field_value: "" });
  expect(fields.get("Signed on")!.field_value).toMatch(/^\d{4}-\d\d-\d\d$/);
  const unfillable = { ...form.envelope_documents[0], document_merge_fields: [{ field_id: 5, field_value: "x" }] };
  const refused = await call("POST", "/v1/envelopes", { ...form, envelope_documents: [unfillable] });
  expect(refused.body.code).toBe(10010);
});

describe("a file document", () => {
  test("may have placeholders by number, and tags that are read on request", async () => {
    const placeholders = { 1: { type: "text", party: "signer1" }, 999: {} };
    const document = { ...file, placeholders, document_auto_parse_tags: true };
    const { status } = await call("POST", "/v1/envelopes", envelopeForm({ envelope_documents: [document] }));
    expect(status).toBe(202);
    const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, edition: "current" });
    const sent = await client.envelopes.createFromFiles({
      envelope_title: "NDA",
      envelope_documents: [{ ...file, placeholders: { "7": { type: "date" } } }],
      envelope_parties: [{ ...party, party_role: "signer1" }],
    });
    expect(sent.envelope_fingerprint).toMatch(/./);
  });

  test.each([{ 0: {} }, { 1000: {} }, { first: {} }, { 1: "text" }, []])(
    "with placeholders %j is refused",
    async (placeholders) => {
      const form = envelopeForm({ envelope_documents: [{ ...file, placeholders }] });
      const { status, body } = await call("POST", "/v1/envelopes", form);
      // An empty list counts as missing, as everywhere in documents.
      if (Array.isArray(placeholders)) return expect(status).toBe(202);
      expect([status, body.code]).toEqual([400, 10010]);
      return expect(body.detail).toContain("placeholders");
    },
  );

  test("with an unknown role is refused, or signs in the order of the request", async () => {
    const parties = ["zoe", "ann", "bea"].map((name) => ({ party_name: name, party_email: `${name}@b.example` }));
    const form = envelopeForm({ envelope_parties: parties.map((one) => ({ ...one, party_role: "signer" })) });
    expect((await call("POST", "/v1/envelopes", form)).body).toMatchObject({
      code: 10010,
      detail: expect.stringContaining("--lenient plainRoles"),
    });
    service.configure({ strictness: { plainRoles: false } });
    const { envelope_parties } = (await call("POST", "/v1/envelopes", form)).body;
    expect(envelope_parties.map((one: { party_title: string }) => one.party_title)).toEqual(["zoe", "ann", "bea"]);
  });
});

describe("a new envelope for parties of a template", () => {
  const parties = [{ ...party, party_id: 1 }];
  test.each([
    [{}, 10257],
    [{ envelope_documents: "none" }, 10265],
    [{ envelope_documents: {} }, 10265],
    [{ envelope_documents: [{ document_title: "Card" }] }, 10264],
    [{ envelope_documents: [{ document_title: "Card", document_template_fingerprint: "" }] }, 10264],
    [
      {
        envelope_fingerprint: "f",
        envelope_documents: [{ document_title: "C", document_template_fingerprint: "card" }],
      },
      10250,
    ],
  ])("with %j is %i", async (more, code) => {
    const form = { envelope_title: "Card", envelope_parties: parties, ...more };
    expect((await call("POST", "/v1/envelopes", form)).body).toMatchObject({ http: 400, code });
  });

  test("with documents that say nothing and parties with roles is one of files", async () => {
    const form = envelopeForm({ envelope_documents: [{ document_title: "NDA" }] });
    expect((await call("POST", "/v1/envelopes", form)).body.code).toBe(10264);
  });
});

test.each([
  ["/v1/envelopes", envelopeForm({ envelope_fingerprint: "f" }), 10250],
  ["/v1/webhooks", { webhook_type: "all", webhook_url: "https://a.example/", webhook_id: 7 }, 10303],
  ["/v1/companies", { company_name: "C", user_name: "U", user_email: "u@c.example", company_id: "7" }, 10356],
  ["/v1/contacts", { contact_name: "C", contact_email: "c@c.example", contact_id: "7" }, 10055],
] as const)("POST %s with the ID of what it creates is refused", async (path, form, code) => {
  expect((await call("POST", path, form)).body).toMatchObject({ http: 400, code });
});

test.each([
  ["specification", 1],
  ["current", 0],
] as const)("%s: each page of a list but the first has the URL of the one before", async (edition, first) => {
  service.configure({ edition, bodyTypes: "any" });
  for (const n of [1, 2, 3, 4, 5])
    await call("POST", "/v1/contacts", { contact_name: "C", contact_email: `c${n}@c.example` });
  expect((await call("GET", "/v1/contacts?limit=2")).body).not.toHaveProperty("prev");
  const { prev } = (await call("GET", `/v1/contacts?limit=2&offset=${first + 3}`)).body;
  expect(prev).toBe(`${service.url}/v1/contacts?offset=${first + 1}&limit=2`);
  const before = (await call("GET", prev.slice(service.url.length))).body;
  expect(before.prev).toBe(`${service.url}/v1/contacts?offset=${first}&limit=2`);
  expect((await call("GET", before.prev.slice(service.url.length))).body).not.toHaveProperty("prev");
});

test("a subaccount has one user, who can be changed", async () => {
  const company = { company_name: "C", user_name: "Cleo", user_email: "cleo@b.example" };
  const { api_key, user_id } = (await call("POST", "/v1/companies", company)).body;
  const inside = ask(service, api_key);
  const eve = { user_name: "Eve", user_email: "eve@b.example", role_id: "1" };
  const { status, body } = await inside("POST", "/v1/users", eve);
  expect([status, body.code, body.message]).toEqual([400, undefined, "A subaccount has one user."]);
  expect((await inside("PUT", `/v1/users/${user_id}`, { user_name: "Cleopatra" })).status).toBe(200);
  expect((await call("POST", "/v1/users", eve)).status).toBe(200);
});

test("a proof that fails is notified with its reason", async () => {
  const { id } = service.data().accounts[0]!;
  await call("POST", "/v1/webhooks", { webhook_type: "qes-failed", webhook_url: "https://hooks.example/" });
  await service.notify(id, "qes-failed");
  const [delivery] = service.deliveries();
  const members = Object.fromEntries(new URLSearchParams(delivery!.body));
  expect(Object.keys(members).sort()).toEqual(
    "action action_date company_id envelope_fingerprint envelope_meta failure_message failure_reason".split(" "),
  );
  expect(members.failure_reason).toBe("qes_signing_failed");
});
