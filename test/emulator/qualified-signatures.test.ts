/** Qualified signatures: after signing, each signer proves who it is. */
import { beforeEach, expect, test } from "vitest";
import { parseEvent } from "../../receiver/event";
import { connect } from "../../sdk";
import { ask, type Body } from "./ask";
import { emulatorForTest, useEmulator } from "./use-emulator";

const templates = [{ fingerprint: "deed", title: "Deed", parties: ["Buyer", "Seller"], qualified: true }];
const accounts = (isEnabled: boolean) => ({
  partner: { templates, settings: { setting_qes_enabled: isEnabled }, webhooks: [{ type: "all", url }] },
});
const url = "https://receiver.example/" as const;
const options = { edition: "current", processingTime: 0, clock: () => Date.parse("2026-11-02T10:00:00Z") } as const;

const service = useEmulator({ ...options, seed: accounts(true) as never });
const call = ask(service);
beforeEach(() => service.reset());

const form = {
  envelope_title: "Deed",
  envelope_documents: [{ document_title: "Deed", document_template_fingerprint: "deed" }],
  envelope_parties: [
    { party_name: "Ann", party_email: "ann@b.example", party_id: 1 },
    { party_name: "Ben", party_email: "ben@b.example", party_id: 2 },
    { party_name: "Carl", party_email: "carl@b.example", party_id: 3, party_role: "copy" },
  ],
};
const create = async (from = call) => {
  const { body } = await from("POST", "/v1/envelopes", form);
  return body.envelope_fingerprint as string;
};
const read = async (fingerprint: string) => (await call("GET", `/v1/envelopes/${fingerprint}`)).body;
const states = async (fingerprint: string) => {
  const { envelope_status, envelope_parties } = await read(fingerprint);
  return [envelope_status, ...envelope_parties.map((party: Body) => party.party_qes_status)];
};
const inProgress = async () => (await call("GET", "/v1/templates/deed")).body.template_in_progress;
const events = () => service.deliveries().map(({ body }) => parseEvent(body));
const actions = () => events().map(({ action }) => action);

test("after signing, each signer in turn proves who it is; then the envelope is signed", async () => {
  const fingerprint = await create();
  await service.advance(1);
  expect(await states(fingerprint)).toEqual(["sent", "waiting", "waiting", undefined]);
  await service.performAction(fingerprint, "sign");
  await service.performAction(fingerprint, "sign");
  expect(await states(fingerprint)).toEqual(["qes_in_progress", "ready", "waiting", undefined]);
  expect(await inProgress()).toBe("1");
  const [ann, ben, carl] = (await read(fingerprint)).envelope_parties;
  expect(ann.party_qes_session_expires_at).toBe("2026-11-03T10:00:00+00:00");
  expect(ben.party_qes_session_expires_at).toBeNull();
  expect(carl).not.toHaveProperty("party_qes_session_expires_at");
  await service.performAction(fingerprint, "identify");
  expect(await states(fingerprint)).toEqual(["qes_in_progress", "complete", "ready", undefined]);
  await service.performAction(fingerprint, "identify");
  expect(await states(fingerprint)).toEqual(["signed", "complete", "complete", undefined]);
  expect(await inProgress()).toBe("0");
  expect((await read(fingerprint)).envelope_signed_pdf).toMatch(/\.pdf/);
  const ofEnvelope = actions().filter((action) => action !== "add-contact");
  expect(ofEnvelope).toEqual([
    ...["send-envelope", "signed-envelope", "signed-envelope"],
    ...["qes-ready", "qes-signed", "qes-ready", "qes-signed", "signed-envelope-complete"],
  ]);
  const ready = events().find((event) => event.action === "qes-ready");
  expect(ready).toMatchObject({
    complete: true,
    contact_name: "Ann",
    party_id: ann.party_id,
    verification_session_expires_at: ann.party_qes_session_expires_at,
  });
  expect(ready).not.toHaveProperty("signing_page_link");
});

test("a proof that fails ends the envelope", async () => {
  const fingerprint = await create();
  await service.advance(1);
  for (const action of ["sign", "sign", "identify", "misidentify"] as const)
    await service.performAction(fingerprint, action);
  expect(await states(fingerprint)).toEqual(["failed", "complete", "failed", undefined]);
  expect(actions().slice(-3)).toEqual(["qes-signed", "qes-ready", "qes-failed"]);
  await expect(service.performAction(fingerprint, "identify")).rejects.toThrow(/its status is failed/);
});

test("meanwhile it can be neither cancelled, reminded of nor deleted", async () => {
  const fingerprint = await create();
  await service.advance(1);
  for (const _ of [1, 2]) await service.performAction(fingerprint, "sign");
  for (const [method, path, code] of [
    ["PUT", "/cancel", 10274],
    ["PUT", "/remind", 10275],
    ["DELETE", "", 10277],
  ] as const)
    expect((await call(method, `/v1/envelopes/${fingerprint}${path}`)).body.code).toBe(code);
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, edition: "current" });
  const found = await client.envelopes.list({ status: "qes_in_progress" }).all();
  expect(found.map((one) => one.envelope_fingerprint)).toEqual([fingerprint]);
  // Not before it is a party's turn.
  const [, ben] = (await read(fingerprint)).envelope_parties;
  await expect(service.performAction(fingerprint, "identify", ben.party_id)).rejects.toThrow(/not Ben's turn/);
});

test("the page on which a party signs asks for the proof, and its link is in the event with embedded signing", async () => {
  service.configure({ embeddedSigning: true });
  const fingerprint = await create();
  await service.advance(1);
  const links = (await read(fingerprint)).envelope_parties.map((party: Body) => party.party_signing_url);
  const post = (page: string, action: string) =>
    fetch(page, { method: "POST", body: new URLSearchParams({ action }), redirect: "manual" });
  for (const link of links.slice(0, 2)) expect((await post(link, "sign")).headers.get("location")).toContain("/sign/");
  expect(events().find((event) => event.action === "qes-ready")).toMatchObject({ signing_page_link: links[0] });
  expect(await (await fetch(links[0])).text()).toContain("Prove who you are");
  expect(await (await fetch(links[1])).text()).not.toContain("Prove who you are");
  expect((await post(links[0], "identify")).headers.get("location")).toBe("/signed");
  expect((await post(links[0], "identify")).status).toBe(409);
  expect(await states(fingerprint)).toEqual(["qes_in_progress", "complete", "ready", undefined]);
});

test.each([
  ["an account that has none", { ...options, seed: accounts(false) }],
  ["the specification's edition", { ...options, edition: "specification", seed: accounts(true) }],
] as const)("%s: signing is all", async (_, others) => {
  const own = await emulatorForTest(others as never);
  const fingerprint = await create(ask(own));
  await own.advance(1);
  for (const _ of [1, 2]) await own.performAction(fingerprint, "sign");
  const { body } = await ask(own)("GET", `/v1/envelopes/${fingerprint}`);
  expect([body.envelope_status, body.envelope_parties[0].party_qes_status]).toEqual(["signed", undefined]);
});
