import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ask, basic } from "./ask";
import { emulatorForTest, useEmulator } from "./use-emulator";

const service = useEmulator({ processingTime: 0, notifications: { backoff: 1, retries: 2 } });
let receiver: Server;
let address: string;
let received: { body: string; headers: Record<string, unknown> }[];
let answers: number[];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: request.headers });
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
beforeEach(() => {
  received = [];
  answers = [];
});
afterEach(() => service.reset());
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
});

const hook = (type: string, url = address) =>
  ask(service)("POST", "/v1/webhooks", { webhook_type: type, webhook_url: url });
const envelope = async (of = service) => {
  const { body } = await ask(of)("POST", "/v1/envelopes", {
    envelope_title: "NDA",
    envelope_documents: JSON.stringify([{ document_title: "NDA", document_url: "https://files.example/nda.pdf" }]),
    envelope_parties: JSON.stringify([{ party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" }]),
  });
  return body.envelope_fingerprint as string;
};
const form = (body: string) => Object.fromEntries(new URLSearchParams(body));
const actions = () => received.map(({ body }) => form(body).action);

test("every event of an envelope reaches the webhook for all, form-encoded, in its order", async () => {
  await hook("all");
  const fingerprint = await envelope();
  await service.performAction(fingerprint, "open");
  await service.performAction(fingerprint, "sign");
  await service.waitForDeliveries();
  expect(actions()).toEqual([
    "add-contact",
    "send-envelope",
    "opened-envelope",
    "signed-envelope",
    "signed-envelope-complete",
  ]);
  const [, , , signed] = received;
  expect(signed!.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  const fields = form(signed!.body);
  expect(fields).toMatchObject({
    action: "signed-envelope",
    company_id: service.data().accounts[0]!.id,
    envelope_fingerprint: fingerprint,
    contact_name: "Ann",
    contact_email: "ann@b.example",
    client_ip: "127.0.0.1",
  });
  expect(fields.action_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
  expect(JSON.parse(fields.envelope_documents!)).toMatchObject([{ document_title: "NDA" }]);
  expect(JSON.parse(fields.envelope_fields!)).toMatchObject([{ field_id: expect.any(Number), field_type: "date" }]);
});

test("a webhook hears of its own event only", async () => {
  await hook("cancelled-envelope");
  await hook("rejected-envelope");
  const first = await envelope();
  await ask(service)("PUT", `/v1/envelopes/${first}/cancel`);
  await service.performAction(await envelope(), "reject");
  await ask(service)("PUT", `/v1/envelopes/${await envelope()}/expire`);
  await service.waitForDeliveries();
  expect(actions().sort()).toEqual(["cancelled-envelope", "rejected-envelope"]);
});

test("a receiver that does not answer 200 is asked again, and no more often than it is set", async () => {
  await hook("send-envelope");
  answers = [500, 302];
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries()).toMatchObject([{ state: "delivered", attempts: [500, 302, 200] }]);
  answers = [500, 500, 500];
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries()[1]).toMatchObject({ state: "failed", attempts: [500, 500, 500] });
});

test("a receiver that is not there, one of the ports that fetch leaves out", async () => {
  await hook("send-envelope", "http://127.0.0.1:1/hook");
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries()).toMatchObject([{ state: "failed", attempts: Array(3).fill("ECONNREFUSED") }]);
});

test("a receiver that takes too long", async () => {
  service.configure({ notifications: { retries: 0, timeout: 50 } });
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  await hook("send-envelope", `http://127.0.0.1:${(silent.address() as AddressInfo).port}/hook`);
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries()).toMatchObject([{ state: "failed", attempts: [expect.stringMatching(/timeout/)] }]);
  silent.closeAllConnections();
  silent.close();
});

test("a name below localhost is this machine's", async () => {
  await hook("send-envelope", address.replace("127.0.0.1", "app.localhost"));
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries()).toMatchObject([{ state: "delivered", attempts: [200] }]);
  expect(received[0]!.headers.host).toMatch(/^app\.localhost:/);
});

test("a user name and password in the address go with the notification", async () => {
  await hook("send-envelope", address.replace("//", "//ann:p%40w@"));
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries()).toMatchObject([{ state: "delivered", attempts: [200] }]);
  expect(received[0]!.headers.authorization).toBe(basic("ann", "p@w"));
});

test("addresses elsewhere are never called", async () => {
  await hook("send-envelope", "https://example.com/hook");
  await hook("send-envelope", "http://127.0.0.1.example.com/hook");
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries().map(({ state, attempts }) => [state, attempts])).toEqual([
    ["skipped-external", []],
    ["skipped-external", []],
  ]);
});

test("a webhook whose receiver does not answer 200 for three days is suspended, until it gets another address", async () => {
  const { body } = await hook("send-envelope");
  answers = [500, 500, 500];
  await envelope();
  await service.waitForDeliveries();
  await service.advance(3 * 24 * 3600_000 + 1);
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries().map(({ state }) => state)).toEqual(["failed", "suspended"]);
  expect(received).toHaveLength(3);
  await ask(service)("PUT", `/v1/webhooks/${body.webhook_id}`, { webhook_url: `${address}/mended` });
  await envelope();
  await service.waitForDeliveries();
  expect(service.deliveries().at(-1)).toMatchObject({ state: "delivered", attempts: [200] });
});

test("a notification that a reset ended says nothing of its receiver", async () => {
  const own = await emulatorForTest({
    processingTime: 0,
    notifications: { backoff: 60_000 },
    seed: { partner: { webhooks: [{ type: "send-envelope", url: address }] } },
  });
  answers = [500];
  await envelope(own);
  await expect.poll(() => own.deliveries()[0]!.attempts).toEqual([500]);
  await own.reset();
  await own.waitForDeliveries();
  await own.advance(3 * 24 * 3600_000 + 1);
  await envelope(own);
  await own.waitForDeliveries();
  expect(own.deliveries()).toMatchObject([{ state: "delivered", attempts: [200] }]);
});

test("events that the service has no cause for can be sent by hand, with members of one's own", async () => {
  await hook("add-user");
  await service.notify(service.data().accounts[0]!.id, "add-user", { user_name: "Ida", extra: { a: 1 } });
  await service.waitForDeliveries();
  expect(form(received[0]!.body)).toMatchObject({ user_name: "Ida", role: "user", extra: '{"a":1}' });
});

test("a request that is refused tells nobody", async () => {
  await hook("all");
  await ask(service)("POST", "/v1/envelopes", {
    envelope_title: "NDA",
    user_id: "1",
    envelope_documents: JSON.stringify([{ document_title: "NDA", document_url: "https://files.example/nda.pdf" }]),
    envelope_parties: JSON.stringify([{ party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" }]),
  });
  await service.waitForDeliveries();
  expect(service.deliveries()).toEqual([]);
});
