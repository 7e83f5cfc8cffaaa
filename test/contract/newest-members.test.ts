/** What the service has added to envelopes and settings: read by the client, and by the emulator as far as it has them. */
import { expect, test } from "vitest";
import { connect, waitFor } from "../../sdk";
import { ask, envelopeForm } from "../emulator/ask";
import { emulatorForTest } from "../emulator/use-emulator";
import { serve } from "../sdk/server";

const envelope = (envelope_status: string, party: object = {}, field_type = "text") => ({
  http: 200,
  envelope_fingerprint: "f",
  envelope_title: "Lease",
  envelope_status,
  envelope_documents: [{ document_fingerprint: "d", document_fields: [{ field_id: 1, field_type, field_value: "" }] }],
  envelope_parties: [{ party_id: 1, party_title: "Ann", ...party }],
});

test.each([
  [
    {
      party_qes_status: "ready",
      party_qes_session_expires_at: "2026-11-02T10:00:00+00:00",
      party_signing_url: "https://s.example/1",
    },
    {},
  ],
  [{ party_qes_status: "postponed", party_signing_url: null, party_qes_session_expires_at: null }, {}],
  [
    { party_qes_session_expires_at: "soon", party_qes_status: 7 },
    { party_qes_session_expires_at: undefined, party_qes_status: undefined },
  ],
])("a party of %j is read; what has another form than documented is left out", async (members, read) => {
  const { client } = await serve(() => ({ body: envelope("qes_in_progress", members) }));
  const { envelope_status, envelope_parties } = await client().envelopes.get({ envelope_fingerprint: "f" });
  expect(envelope_status).toBe("qes_in_progress");
  expect(envelope_parties![0]).toMatchObject({ party_id: "1", ...members, ...read });
});

test.each(["date-signed", "a-type-of-tomorrow"])("a field of type %s breaks nothing", async (type) => {
  const { client } = await serve(() => ({ body: envelope("signed", {}, type) }));
  const { envelope_documents } = await client().envelopes.get({ envelope_fingerprint: "f" });
  expect(envelope_documents![0]!.document_fields![0]!.field_type).toBe(type);
});

test("an envelope whose parties prove who they are has not ended", async () => {
  const statuses = ["sent", "qes_in_progress", "qes_in_progress", "signed"];
  const { client } = await serve((_, index) => ({ body: envelope(statuses[index]!) }));
  const seen: string[] = [];
  const onProgress = (step: { envelope: { envelope_status: string } }) => seen.push(step.envelope.envelope_status);
  await waitFor(client(), "f", { interval: 1, onProgress });
  expect(seen).toEqual(statuses);
});

test("the setting for qualified signatures is that of accounts which have it", async () => {
  const settings = { setting_qes_enabled: false };
  const service = await emulatorForTest({ edition: "current", seed: { account: { settings } } });
  for (const [key, has] of [
    [service.keys.account, true],
    [service.keys.partner, false],
  ] as const) {
    const client = connect({ baseUrl: service.url, apiKey: key, edition: "current" });
    expect("setting_qes_enabled" in (await client.settings.get())).toBe(has);
    await client.settings.update({ setting_qes_enabled: "true" as never });
    expect((await client.settings.get()).setting_qes_enabled).toBe(has ? true : undefined);
  }
});

test("a mobile number decides about one-time codes, whatever the request says of them", async () => {
  const service = await emulatorForTest({ edition: "current", embeddedSigning: true });
  const call = ask(service);
  for (const isAsked of [true, false]) {
    for (const party_mobile of [undefined, "+447700900123"]) {
      const party = { party_name: "Ann", party_email: "ann@b.example", party_role: "signer1", party_mobile };
      const form = envelopeForm({ envelope_requires_otp: isAsked, envelope_parties: [party] });
      const { status, body } = await call("POST", "/v1/envelopes", form);
      expect([status, body.envelope_requires_otp]).toEqual([202, party_mobile !== undefined]);
      const read = (await call("GET", `/v1/envelopes/${body.envelope_fingerprint}`)).body;
      expect(read.envelope_requires_otp).toBe(party_mobile !== undefined);
      expect(read.envelope_parties[0].party_signing_url).toMatch(/\/sign\//);
      service.configure({ embeddedSigning: false });
      const without = (await call("GET", `/v1/envelopes/${body.envelope_fingerprint}`)).body;
      expect(without.envelope_parties[0]).not.toHaveProperty("party_signing_url");
      service.configure({ embeddedSigning: true });
    }
  }
});

test("the signer's page is in the response for a new envelope with one signer, on accounts with embedded signing", async () => {
  const service = await emulatorForTest({ edition: "current" });
  const call = ask(service);
  const party = (n: number) => ({ party_name: "Ann", party_email: `ann${n}@b.example`, party_role: `signer${n}` });
  const copy = { party_name: "Carl", party_email: "carl@b.example", party_role: "copy" };
  for (const [embeddedSigning, parties, has] of [
    [false, [party(1)], false],
    [true, [party(1)], true],
    [true, [party(1), copy], true],
    [true, [party(1), party(2)], false],
  ] as const) {
    service.configure({ embeddedSigning });
    const { body } = await call("POST", "/v1/envelopes", envelopeForm({ envelope_parties: parties }));
    expect(body.envelope_signing_embed).toEqual(has ? expect.stringMatching(/^http.*\/sign\//) : undefined);
  }
});
