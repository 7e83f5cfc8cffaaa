/** The notifications of each edition, to the field, and the receiver that reads them. */
import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type EventAction, type SettingsInput, start } from "../../emulator";
import { nodeReceiver, type Received, receive } from "../../receiver";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../../sdk/api/notification-headers";
import { actions, classic, minimal } from "../fixtures/notifications";
import { ask } from "./ask";
import { useEmulator } from "./use-emulator";

interface Request {
  headers: Record<string, string>;
  body: string;
}

const service = useEmulator({ processingTime: 0 });
let server: Server;
let url: string;
let requests: Request[];
let status: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
beforeEach(() => {
  requests = [];
  status = 200;
});
afterEach(() => service.reset());
afterAll(() => server.close());

const call = (method: string, path: string, form?: Record<string, string>) => ask(service)(method, path, form);
const hook = async (type = "all", to = url) =>
  (await call("POST", "/v1/webhooks", { webhook_type: type, webhook_url: to })).body;
const accountId = () => service.data().accounts[0]!.id;
const envelope = async (meta?: string) => {
  const { body } = await call("POST", "/v1/envelopes", {
    envelope_title: "NDA",
    envelope_documents: JSON.stringify([{ document_title: "NDA", document_url: "https://files.example/nda.pdf" }]),
    envelope_parties: JSON.stringify([{ party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" }]),
    ...(meta === undefined ? {} : { envelope_meta: meta }),
  });
  return body.envelope_fingerprint as string;
};
const fieldsOf = ({ body }: Request): Record<string, string> => Object.fromEntries(new URLSearchParams(body));
const sentActions = () => requests.map((request) => fieldsOf(request).action);
const common = ["action", "action_date", "company_id", "client_ip"];
const current = (notifications: SettingsInput["notifications"] = {}) =>
  service.configure({ edition: "current", notifications });

/** Everything that can happen to envelopes, and what only happens elsewhere as a test event. */
async function cause(): Promise<void> {
  const first = await envelope('{"order":17}');
  await service.performAction(first, "open");
  await service.performAction(first, "bounce");
  await service.performAction(first, "verify");
  await service.performAction(first, "confirm");
  await service.performAction(first, "sign");
  await service.performAction(await envelope(), "reject");
  await call("PUT", `/v1/envelopes/${await envelope()}/cancel`);
  service.configure({ processingTime: 60_000 });
  await service.performAction(await envelope(), "fail");
  for (const action of ["add-user", "add-template"] as const) await service.notify(accountId(), action);
  await service.waitForDeliveries();
}

describe("the classic form", () => {
  test("each event has exactly its fields", async () => {
    current();
    await hook();
    await cause();
    const byAction = new Map(requests.map((request) => [fieldsOf(request).action!, request]));
    const { "signed-envelope-widget": _, ...expected } = classic;
    expect([...byAction.keys()].sort()).toEqual(Object.keys(expected).sort());
    for (const [action, fields] of Object.entries(expected)) {
      const sent = fieldsOf(byAction.get(action)!);
      const names = new Set([...common, ...Object.keys(fields)]);
      expect(Object.keys(sent).sort(), action).toEqual([...names].sort());
      expect(sent.action_date).toMatch(/\+00:00$/);
      expect(byAction.get(action)!.headers).toMatchObject({ "content-type": "application/x-www-form-urlencoded" });
      expect(byAction.get(action)!.headers).not.toHaveProperty(TIMESTAMP_HEADER.toLowerCase());
    }
    expect(fieldsOf(byAction.get("opened-envelope")!).envelope_meta).toBe('{"order":17}');
    expect(fieldsOf(byAction.get("cancelled-envelope")!).envelope_meta).toBe("");
    expect(fieldsOf(byAction.get("bounced-envelope")!).envelope_bounce_email).toBe("ann@b.example");
    const [document] = JSON.parse(fieldsOf(byAction.get("verify-envelope-widget")!).envelope_documents!);
    expect(Object.keys(document)).toEqual(["document_title", "document_fingerprint", "document_download"]);
  });

  test("the edition of the specification sends its own events only, and the party of a signature", async () => {
    await hook();
    await cause();
    const names = new Set(sentActions());
    for (const action of ["bounced-envelope", "verify-envelope-widget", "send-envelope-failed"]) {
      expect(names.has(action)).toBe(false);
    }
    expect(names.size).toBe(9);
    const signed = requests.map(fieldsOf).find(({ action }) => action === "signed-envelope")!;
    expect(signed.party_id).toMatch(/^\d+$/);
    await expect(service.notify(accountId(), "bounced-envelope")).rejects.toThrow(/no event bounced-envelope/);
  });

  test("links of a notification lead to the documents", async () => {
    await hook("signed-envelope-complete");
    const fingerprint = await envelope();
    await service.performAction(fingerprint, "sign");
    await service.waitForDeliveries();
    const { envelope_documents, envelope_download } = fieldsOf(requests[0]!);
    for (const link of [JSON.parse(envelope_documents!)[0].document_pdf, envelope_download!]) {
      const response = await fetch(link);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    }
  });

  test("types that the specification does not list are notified where they are subscribed", async () => {
    current();
    for (const type of [
      "bounced-envelope",
      "verify-envelope-widget",
      "signed-envelope-widget",
      "send-envelope-failed",
    ]) {
      await hook(type);
    }
    await cause();
    expect(sentActions().sort()).toEqual([
      "bounced-envelope",
      "send-envelope-failed",
      "verified-envelope-widget",
      "verify-envelope-widget",
    ]);
  });

  test("the link in the email confirms the address, once", async () => {
    current();
    await hook("signed-envelope-widget");
    await service.performAction(await envelope(), "verify");
    const { html } = service.sentEmails().at(-1)!;
    const link = /http:[^"<]*\/verify\/[^"<]*/.exec(html)![0];
    for (let i = 0; i < 2; i++) await fetch(link);
    await service.waitForDeliveries();
    expect(sentActions()).toEqual(["verified-envelope-widget"]);
  });
});

test("the minimal form: JSON with IDs as texts, and the time in a header", async () => {
  current({ minimal: true });
  await hook();
  await cause();
  const bodies = requests.map(({ body }) => JSON.parse(body));
  expect(new Set(bodies.map(({ action }) => action)).size).toBe(13);
  for (const body of bodies) {
    const documented = minimal[body.action as keyof typeof minimal];
    const names = documented
      ? Object.keys(documented)
      : ["action", "action_date", "company_id", "envelope_fingerprint"];
    expect(Object.keys(body), body.action).toEqual(names);
    expect(Object.values(body).every((value) => typeof value === "string")).toBe(true);
  }
  const [{ headers }] = requests as [Request];
  expect(headers["content-type"]).toBe("application/json");
  const sent = Number(headers[TIMESTAMP_HEADER.toLowerCase()]);
  expect(Math.abs(service.now.getTime() / 1000 - sent)).toBeLessThan(60);
  expect(headers).not.toHaveProperty(SIGNATURE_HEADER.toLowerCase());
});

describe("signed notifications", () => {
  test.each([false, true])("minimal %s: signed with the secret that only the creation returns", async (isMinimal) => {
    current({ signed: true, minimal: isMinimal });
    const { webhook_id, webhook_secret: secret } = await hook();
    expect(secret).toEqual(expect.stringMatching(/^\S{20,}$/));
    const others = [
      await call("GET", `/v1/webhooks/${webhook_id}`),
      await call("GET", "/v1/webhooks"),
      await call("PUT", `/v1/webhooks/${webhook_id}`, { webhook_type: "all", webhook_url: url }),
    ];
    expect(JSON.stringify(others)).not.toContain(secret);
    await envelope();
    await service.waitForDeliveries();
    for (const { headers, body } of requests) {
      expect(headers.signature).toBe(
        createHmac("sha256", secret as string)
          .update(body)
          .digest("base64"),
      );
      expect(receive(headers, body, { secrets: secret as string }).event.form).toBe(isMinimal ? "minimal" : "classic");
    }
    expect(requests.length).toBeGreaterThan(0);
  });

  test("a webhook that is older than the setting has no secret, and a new one without the setting gets none", async () => {
    current();
    expect(await hook()).not.toHaveProperty("webhook_secret");
    current({ signed: true });
    await service.notify(accountId(), "add-user");
    await service.waitForDeliveries();
    expect(requests[0]!.headers).not.toHaveProperty("signature");
  });

  test("are of today's edition only, as are minimal ones", async () => {
    for (const name of ["signed", "minimal"]) {
      expect(() => service.configure({ notifications: { [name]: true } })).toThrow(/needs the edition `current`/);
    }
    await expect(start({ edition: "next" as "current" })).rejects.toThrow(/edition/);
  });
});

describe("suspension", () => {
  const DAY = 24 * 3600_000;
  const list = async () => (await call("GET", "/v1/webhooks")).body.webhooks as Record<string, unknown>[];
  const attempt = async () => {
    await service.notify(accountId(), "add-user");
    await service.waitForDeliveries();
  };

  test("after three days without a 200 it shows in today's list, and another URL ends it", async () => {
    current({ retries: 0 });
    const { webhook_id } = await hook();
    status = 500;
    await attempt();
    expect(await list()).toMatchObject([{ webhook_suspended: null, webhook_updated: null }]);
    await service.advance(2 * DAY);
    await attempt();
    expect(await list()).toMatchObject([{ webhook_suspended: null }]);
    const then = service.now.getTime();
    await service.advance(2 * DAY);
    const [{ webhook_suspended }] = (await list()) as [{ webhook_suspended: string }];
    expect(webhook_suspended).toMatch(/\+0000$/);
    expect(Math.abs(Date.parse(webhook_suspended.replace("+0000", "Z")) - then - DAY)).toBeLessThan(5000);
    status = 200;
    await attempt();
    expect(service.deliveries().map(({ state }) => state)).toEqual(["failed", "failed", "suspended"]);
    await call("PUT", `/v1/webhooks/${webhook_id}`, { webhook_url: `${url}/new` });
    expect(await list()).toMatchObject([
      { webhook_suspended: null, webhook_updated: expect.stringMatching(/\+0000$/) },
    ]);
    await attempt();
    expect(service.deliveries().at(-1)).toMatchObject({ state: "delivered" });
  });

  test("a 200 in between begins the three days again", async () => {
    current({ retries: 0 });
    await hook();
    for (const next of [500, 200, 500]) {
      status = next;
      await attempt();
      await service.advance(2 * DAY);
    }
    expect(await list()).toMatchObject([{ webhook_suspended: null }]);
    await service.advance(DAY);
    expect(await list()).toMatchObject([{ webhook_suspended: expect.any(String) }]);
  });

  test("the specification's list does not have it", async () => {
    await hook();
    expect(Object.keys((await list())[0]!).sort()).toEqual([
      "webhook_created",
      "webhook_id",
      "webhook_type",
      "webhook_url",
    ]);
  });
});

describe("a delivery", () => {
  test("can be repeated: the same body, so the same idempotency key", async () => {
    await hook("add-user");
    await service.notify(accountId(), "add-user");
    await service.waitForDeliveries();
    await service.advance(3600_000);
    service.redeliver(service.deliveries()[0]!.id);
    await service.waitForDeliveries();
    const [first, second] = requests as [Request, Request];
    expect(second.body).toBe(first.body);
    expect(service.deliveries()).toMatchObject([{ body: first.body }, { body: first.body, state: "delivered" }]);
  });

  test("cannot be repeated when its webhook or itself is unknown", async () => {
    const { webhook_id } = await hook("add-user");
    await service.notify(accountId(), "add-user");
    await service.waitForDeliveries();
    await call("DELETE", `/v1/webhooks/${webhook_id}`);
    expect(() => service.redeliver(service.deliveries()[0]!.id)).toThrow(/does not exist any more/);
    expect(() => service.redeliver("17")).toThrow(/17 does not exist/);
  });
});

describe.each([
  ["specification", "classic", undefined],
  ["current", "classic", {}],
  ["current", "minimal", { minimal: true }],
  ["current", "signed classic", { signed: true }],
  ["current", "signed minimal", { signed: true, minimal: true }],
] as const)("the receiver reads what the emulator sends: %s edition, %s form", (edition, _, notifications = {}) => {
  test("test events of every kind, and what happens", async () => {
    service.configure({ edition, notifications });
    const received: Received[] = [];
    const errors: unknown[] = [];
    let secret: string | undefined;
    const listener = createServer((request, response) =>
      nodeReceiver((one) => received.push(one), { secrets: secret ?? false, onError: (error) => errors.push(error) })(
        request,
        response,
      ),
    );
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const target = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
    const created = await hook("all", target);
    secret = created.webhook_secret as string | undefined;
    expect(secret !== undefined).toBe("signed" in notifications);
    const known = actions.filter((action) => edition === "current" || !/bounced|widget|failed/.test(action));
    for (const action of known) await service.notify(accountId(), action as EventAction);
    await service.waitForDeliveries();
    const isMinimal = "minimal" in notifications;
    await expect.poll(() => received.map(({ event }) => event.action)).toEqual(known);
    await cause();
    await expect.poll(() => received.length).toBe(service.deliveries().length);
    expect(errors).toEqual([]);
    expect(service.deliveries().every(({ state }) => state === "delivered")).toBe(true);
    for (const { event } of received) {
      expect(event.form).toBe(isMinimal ? "minimal" : "classic");
      if (!isMinimal) expect(event.complete, event.action).toBe(true);
      expect(event.company_id).toBe(accountId());
    }
    listener.closeAllConnections();
    listener.close();
  });
});
