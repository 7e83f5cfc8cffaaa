/** What the client sends by edition. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connect, InputError } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { bad, failure, form as hook, serve, webhook } from "./server";

const envelope = {
  envelope_title: "Lease",
  user_id: 7,
  envelope_password_protect: true,
  envelope_meta: { order: 5 },
  envelope_documents: [
    {
      document_title: "Lease",
      document_template_fingerprint: "f",
      document_merge_fields: [{ field_id: 1, field_value: "a" }],
    },
  ],
  envelope_parties: [{ party_name: "Ann", party_email: "ann@a.example", party_id: 1 }],
};
const created = () => ({ body: { http: 202, envelope_fingerprint: "f" } });
const onTestKey = () => ({ body: { http: 200, test: true, ...webhook } });

test("bodies are JSON in today's edition, with lists as lists, numbers as numbers and metadata as text", async () => {
  const service = await serve(created);
  await service.client({ edition: "current" }).envelopes.createFromTemplate(envelope);
  expect(service.seen[0]!.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(service.seen[0]!.body)).toEqual({ ...envelope, envelope_meta: '{"order":5}' });
});

test("a request without fields has no body in today's edition", async () => {
  const service = await serve(onTestKey);
  const { envelopes, webhooks } = service.client({ edition: "current", onTestKey: () => {} });
  await envelopes.remind({ envelope_fingerprint: "f" });
  await webhooks.get({ webhook_id: "7" });
  await webhooks.delete({ webhook_id: "7" });
  const none = [undefined, ""];
  expect(service.seen.map(({ headers, body }) => [headers["content-type"], body])).toEqual([none, none, none]);
});

test("a refused body is sent in the other encoding, once; the client remembers which", async () => {
  const emulator = await emulatorForTest({ edition: "current" });
  const client = connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner });
  await client.webhooks.create(hook);
  await client.webhooks.create(hook);
  const company = { company_name: "C", user_name: "U", user_email: "u@b.example" };
  const { company_id } = await client.companies.create(company);
  await client.as(company_id).webhooks.create(hook);
  const posts = emulator.requests().filter(({ method }) => method === "POST");
  expect(posts.map(({ status }) => status)).toEqual([400, 200, 200, 200, 200]);
  expect(emulator.data().accounts[0]!.webhooks).toHaveLength(2);
  const other = connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner });
  await Promise.all(Array.from({ length: 30 }, () => other.webhooks.create(hook)));
  expect(emulator.data().accounts[0]!.webhooks).toHaveLength(32);
});

test("a service that takes neither form fields nor JSON gets both once, then the call fails", async () => {
  const service = await serve(() => bad(415));
  const { webhooks } = service.client();
  for (let n = 1; n <= 2; n++) {
    await expect(webhooks.create(hook)).rejects.toThrow("415");
    expect(service.seen).toHaveLength(2 * n);
  }
  await expect(webhooks.delete({ webhook_id: "1" })).rejects.toThrow("415");
  expect(service.seen).toHaveLength(5);
});

test("an unknown edition is refused", () => {
  const options = { baseUrl: "https://a.example", apiKey: "k", edition: "next" as "current" };
  expect(() => connect(options)).toThrow(InputError);
  expect(() => connect(options)).toThrow("edition must be specification or current");
});

test("a test key is said by a hook after each write, and never after a read", async () => {
  const events: object[] = [];
  const client = (await serve(onTestKey)).client({ onTestKey: (event) => events.push(event) });
  expect(await client.webhooks.create(hook)).toMatchObject({ test: true });
  await client.webhooks.get({ webhook_id: "7" });
  await client.webhooks.delete({ webhook_id: "7" });
  expect(events).toEqual([
    { operation: "webhooks.create", method: "POST", path: "/v1/webhooks" },
    { operation: "webhooks.delete", method: "DELETE", path: "/v1/webhooks/7" },
  ]);
});

test("without a hook, it is said by a warning of the process, once per client", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const client = (await serve(onTestKey)).client();
  for (let n = 0; n < 2; n++) await client.webhooks.create(hook);
  expect(warn.mock.calls).toEqual([
    [
      "webhooks.create: this is a test key: the service reported success and changed nothing",
      { type: "EsignWarning", code: "ESIGN_TEST_KEY" },
    ],
  ]);
});

describe("members of the edition current", () => {
  const party = { party_name: "Ann", party_email: "ann@a.example", party_role: "signer1" };
  const form = {
    envelope_title: "Lease",
    envelope_documents: [{ document_title: "d", document_url: "https://a.example/d.pdf" }],
    envelope_parties: [{ ...party, party_mobile: "+447700900123", signature_in_person: true }],
    envelope_all_at_once_enabled: true,
    envelope_auto_expire_hours: 12,
    is_draft: true,
  };

  test("are sent there", async () => {
    const service = await serve(created);
    await service.client({ edition: "current" }).envelopes.createFromFiles(form);
    expect(JSON.parse(service.seen[0]!.body)).toEqual(form);
    await service.client({ edition: "current" }).branding.update({ branding_logo_url: null });
    expect(service.seen[1]!.body).toBe('{"branding_logo_url":null}');
  });

  test("are refused by the specification's edition, each by its name, unless unknown values are allowed", async () => {
    const service = await serve(created);
    const error = await failure(service.client().envelopes.createFromFiles(form), InputError);
    expect(error.issues.map(({ path }) => path).sort()).toEqual([
      "envelope_all_at_once_enabled",
      "envelope_auto_expire_hours",
      "envelope_parties[0].party_mobile",
      "envelope_parties[0].signature_in_person",
      "is_draft",
    ]);
    expect(error.message).toContain(
      "is_draft exists in the edition `current` only (option edition, esign:edition, ESIGN_EDITION)",
    );
    const list = await failure(service.client().envelopes.list({ q: "lease" }).all());
    expect(list.message).toContain("q exists in the edition `current` only");
    const logo = await failure(service.client().branding.update({ branding_logo_url: null }));
    expect(logo.message).toContain("branding_logo_url cannot be null in the edition `specification`");
    expect(service.seen).toEqual([]);
    const { envelope_auto_expire_hours: _, ...others } = form;
    await service.client({ allowUnknownValues: true }).envelopes.createFromFiles(others);
    const parties = JSON.parse(service.seen[0]!.form.get("envelope_parties")!);
    expect(parties).toEqual(form.envelope_parties);
  });

  test("unknown ones, at the top of a document or party, need allowUnknownValues on either edition", async () => {
    const service = await serve(created);
    const parties = [{ ...party, party_colour: "red" }] as unknown as (typeof party)[];
    const documents = [{ ...form.envelope_documents[0]!, document_language: "en" }];
    const unknown = { envelope_title: "Lease", envelope_documents: documents, envelope_parties: parties };
    for (const edition of ["specification", "current"] as const) {
      const error = await failure(service.client({ edition }).envelopes.createFromFiles(unknown), InputError);
      expect(error.issues.map(({ path }) => path)).toEqual([
        "envelope_documents[0].document_language",
        "envelope_parties[0].party_colour",
      ]);
      await service.client({ edition, allowUnknownValues: true }).envelopes.createFromFiles(unknown);
    }
    expect(JSON.parse(service.seen[1]!.body)).toEqual(unknown);
    // A member of the other form is a mistake in any case.
    const mixed = { ...unknown, envelope_parties: [{ ...party, party_id: 1 }] as unknown as (typeof party)[] };
    const open = service.client({ allowUnknownValues: true });
    expect((await failure(open.envelopes.createFromFiles(mixed))).message).toContain("party_id belongs to");
  });

  test("filters are in the query of each page", async () => {
    const service = await serve(() => ({ body: { http: 200, total_envelopes: "0", envelopes: [] } }));
    await service.client({ edition: "current" }).envelopes.list({ status: "rejected", q: "a b", limit: 5 }).all();
    expect(service.seen[0]!.url).toBe("/v1/envelopes?limit=5&status=rejected&q=a+b");
  });
});
