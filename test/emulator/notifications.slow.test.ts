/** The notifications of each edition, to the field, how they are delivered, and the receiver that reads them. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type EventAction, type SettingsInput, start } from "../../emulator";
import { selfSigned } from "../../emulator/http/certificate";
import { nodeReceiver, type Received } from "../../receiver";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../../sdk/api/notification-headers";
import { actions, classic, minimal } from "../fixtures/notifications";
import { listen, type Seen, serve } from "../sdk/server";
import { ask, basic, envelopeForm } from "./ask";
import { emulatorForTest, useEmulator } from "./use-emulator";

const DAY = 24 * 3600_000;
const service = useEmulator({ processingTime: 0, notifications: { backoff: 1, retries: 2 } });
/** What the webhooks' server got, and the statuses that it answers with: 200 when there are no more. */
let requests: Seen[];
let statuses: number[];
let url: string;

beforeEach(async () => {
  statuses = [];
  const server = await serve(() => ({ status: statuses.shift() ?? 200 }));
  requests = server.seen;
  url = `${server.url}/hook`;
});
afterEach(() => service.reset());

const call = ask(service);
const hook = async (type = "all", webhook_url = url) =>
  (await call("POST", "/v1/webhooks", { webhook_type: type, webhook_url })).body;
const accountId = () => service.data().accounts[0]!.id;
const envelope = async (more: object = {}, of = service): Promise<string> =>
  (await ask(of)("POST", "/v1/envelopes", envelopeForm(more))).body.envelope_fingerprint;
const fieldsOf = ({ form }: Seen): Record<string, string> => Object.fromEntries(form);
const sentActions = () => requests.map(({ form }) => form.get("action"));
const current = (notifications: SettingsInput["notifications"] = {}) =>
  service.configure({ edition: "current", notifications });

/** Sends an event by hand. */
async function notify(action: EventAction = "add-user", members?: Record<string, unknown>) {
  await service.notify(accountId(), action, members);
  await service.waitForDeliveries();
}

/** An envelope is sent, and what becomes of the notification. */
async function deliver() {
  await envelope();
  await service.waitForDeliveries();
  const { state, attempts } = service.deliveries().at(-1)!;
  return { state, attempts };
}

/** Everything that can happen to envelopes, and what only happens elsewhere as a test event. */
async function cause(): Promise<void> {
  const first = await envelope({ envelope_meta: { order: 17 } });
  for (const action of ["open", "sign"] as const) await service.performAction(first, action);
  await service.performAction(await envelope(), "reject");
  for (const verb of ["cancel", "expire"]) await call("PUT", `/v1/envelopes/${await envelope()}/${verb}`);
  service.configure({ processingTime: 60_000 });
  await service.performAction(await envelope(), "fail");
  for (const action of ["add-user", "add-template"] as const) await notify(action);
  if (service.settings.edition === "current") {
    const others = ["bounced-envelope", "verify-envelope-widget", "verified-envelope-widget"] as const;
    for (const action of [...others, "qes-ready", "qes-signed", "qes-failed"] as const) await notify(action);
  }
}

describe("the classic form", () => {
  test("every event of an envelope reaches the webhook for all, in its order", async () => {
    await hook();
    const fingerprint = await envelope();
    for (const action of ["open", "sign"] as const) await service.performAction(fingerprint, action);
    await service.waitForDeliveries();
    const [contact, sent, opened, signed, complete] = requests.map(fieldsOf);
    expect([contact, sent, opened, signed, complete].map((fields) => fields!.action)).toEqual([
      "add-contact",
      "send-envelope",
      "opened-envelope",
      "signed-envelope",
      "signed-envelope-complete",
    ]);
    expect(signed).toMatchObject({
      company_id: accountId(),
      envelope_fingerprint: fingerprint,
      contact_name: "Ann",
      contact_email: "ann@b.example",
      client_ip: "127.0.0.1",
    });
    expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(signed!.envelope_documents!)).toMatchObject([{ document_title: "NDA" }]);
    expect(JSON.parse(signed!.envelope_fields!)).toMatchObject([{ field_id: expect.any(Number), field_type: "date" }]);
    for (const link of [JSON.parse(complete!.envelope_documents!)[0].document_pdf, complete!.envelope_download]) {
      const response = await fetch(link);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    }
  });

  test("each event has exactly its fields", async () => {
    current();
    await hook();
    await cause();
    const byAction = new Map(requests.map((request) => [request.form.get("action")!, request]));
    const { "signed-envelope-widget": _, ...expected } = classic;
    expect([...byAction.keys()].sort()).toEqual(Object.keys(expected).sort());
    for (const [action, fields] of Object.entries(expected)) {
      const { form, headers } = byAction.get(action)!;
      expect([...form.keys()].sort(), action).toEqual(Object.keys(fields).sort());
      expect(form.get("action_date")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      expect(headers).toMatchObject({ "content-type": "application/x-www-form-urlencoded" });
      expect(headers).not.toHaveProperty(TIMESTAMP_HEADER.toLowerCase());
    }
    const field = (action: string, name: string) => byAction.get(action)!.form.get(name);
    expect(field("opened-envelope", "envelope_meta")).toBe('{"order":17}');
    expect(field("cancelled-envelope", "envelope_meta")).toBe("");
    expect(field("bounced-envelope", "envelope_bounce_email")).toBe("ann@b.example");
    const [document] = JSON.parse(field("verify-envelope-widget", "envelope_documents")!);
    expect(Object.keys(document)).toEqual(["document_title", "document_fingerprint", "document_download"]);
    const [few] = JSON.parse(field("qes-signed", "envelope_documents")!);
    expect(Object.keys(few)).toEqual(["document_title", "document_fingerprint"]);
    expect(field("qes-ready", "verification_session_expires_at")).toMatch(/T\d\d:\d\d:\d\d\+00:00$/);
    expect(field("qes-ready", "signing_page_link")).toBe("");
  });

  test("with embedded signing, each notification has the link of the party whose turn comes", async () => {
    service.configure({ edition: "current", embeddedSigning: true });
    await hook();
    const parties = ["ann", "ben"].map((name, i) => ({
      ...{ party_name: name, party_email: `${name}@b.example`, party_role: `signer${i + 1}` },
    }));
    const fingerprint = await envelope({ envelope_parties: parties });
    for (let i = 0; i < 2; i++) await service.performAction(fingerprint, "sign");
    await notify("qes-ready");
    const links = requests.flatMap(({ form }) => {
      const link = form.get("envelope_signing_embed") ?? form.get("signing_page_link");
      return link === null ? [] : [[form.get("action"), link]];
    });
    const [ann, ben] = service
      .data()
      .accounts[0]!.envelopes[0]!.parties.map(({ id }) => `${service.url}/sign/${fingerprint}/${id}`);
    expect(links).toEqual([
      ["send-envelope", ann],
      ["signed-envelope", ben],
      ["qes-ready", ann],
    ]);
  });

  test("the edition of the specification sends its own events only, and the party of a signature", async () => {
    await hook();
    await cause();
    const names = new Set(sentActions());
    for (const action of ["bounced-envelope", "verify-envelope-widget", "send-envelope-failed", "expired-envelope"]) {
      expect(names.has(action)).toBe(false);
    }
    expect(names.size).toBe(9);
    expect(requests.find(({ form }) => form.get("action") === "signed-envelope")!.form.get("party_id")).toMatch(
      /^\d+$/,
    );
    await expect(service.notify(accountId(), "bounced-envelope")).rejects.toThrow(/no event bounced-envelope/);
  });

  test("a webhook hears of its own event only, also of one that the specification does not list", async () => {
    current();
    for (const type of [
      ...["cancelled-envelope", "rejected-envelope"],
      ...["bounced-envelope", "verify-envelope-widget", "signed-envelope-widget", "send-envelope-failed"],
    ])
      await hook(type);
    await cause();
    expect(sentActions().sort()).toEqual([
      "bounced-envelope",
      "cancelled-envelope",
      "rejected-envelope",
      "send-envelope-failed",
      "verified-envelope-widget",
      "verify-envelope-widget",
    ]);
  });
});

test("the minimal form: JSON with IDs as texts, and the time in a header", async () => {
  current({ minimal: true });
  await hook();
  await cause();
  const bodies = requests.map(({ body }) => JSON.parse(body));
  expect(new Set(bodies.map(({ action }) => action)).size).toBe(17);
  for (const body of bodies) {
    const other = { action: "", action_date: "", company_id: "", envelope_fingerprint: "" };
    expect(Object.keys(body), body.action).toEqual(Object.keys(minimal[body.action] ?? other));
    expect(Object.values(body).every((value) => typeof value === "string")).toBe(true);
  }
  const { headers } = requests[0]!;
  expect(headers["content-type"]).toBe("application/json");
  const sent = Number(headers[TIMESTAMP_HEADER.toLowerCase()]);
  expect(Math.abs(service.now.getTime() / 1000 - sent)).toBeLessThan(60);
  expect(headers).not.toHaveProperty(SIGNATURE_HEADER.toLowerCase());
});

describe("signed notifications", () => {
  test("have a signature by the secret that only the creation returns", async () => {
    current({ signed: true });
    const { webhook_id, webhook_secret: secret } = await hook();
    expect(secret).toEqual(expect.stringMatching(/^\S{20,}$/));
    const others = [
      await call("GET", `/v1/webhooks/${webhook_id}`),
      await call("GET", "/v1/webhooks"),
      await call("PUT", `/v1/webhooks/${webhook_id}`, { webhook_type: "all", webhook_url: url }),
    ];
    expect(JSON.stringify(others)).not.toContain(secret);
    await notify();
    const [{ headers, body }] = requests as [Seen];
    expect(headers.signature).toBe(createHmac("sha256", secret).update(body).digest("base64"));
  });

  test("are within a receiver's window, however far the clock was advanced", async () => {
    const seen: string[] = [];
    const secret = "secret-of-the-webhook";
    const server = createServer(nodeReceiver(({ event }) => seen.push(event.action), { secrets: secret }));
    const { url: address } = await listen(server, () => server.closeAllConnections());
    const own = await emulatorForTest({
      edition: "current",
      processingTime: 0,
      notifications: { signed: true },
      seed: { partner: { webhooks: [{ type: "expired-envelope", url: address, secret }] } },
    });
    await envelope({ envelope_auto_expire_hours: 13 }, own);
    await own.advance(14 * 3600_000);
    await own.waitForDeliveries();
    expect(own.deliveries()).toMatchObject([{ state: "delivered", attempts: [200] }]);
    expect(seen).toEqual(["expired-envelope"]);
  });

  test("a webhook that is older than the setting has no secret, and a new one without the setting gets none", async () => {
    current();
    expect(await hook()).not.toHaveProperty("webhook_secret");
    current({ signed: true });
    await notify();
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
  const list = async () => (await call("GET", "/v1/webhooks")).body.webhooks as Record<string, unknown>[];

  test("after three days without a 200 it shows in today's list, and another URL ends it", async () => {
    current({ retries: 0 });
    const { webhook_id } = await hook();
    statuses = [500, 500];
    await notify();
    expect(await list()).toMatchObject([{ webhook_suspended: null, webhook_updated: null }]);
    await service.advance(2 * DAY);
    await notify();
    expect(await list()).toMatchObject([{ webhook_suspended: null }]);
    const then = service.now.getTime();
    await service.advance(2 * DAY);
    const [{ webhook_suspended }] = (await list()) as [{ webhook_suspended: string }];
    expect(webhook_suspended).toMatch(/\+0000$/);
    expect(Math.abs(Date.parse(webhook_suspended.replace("+0000", "Z")) - then - DAY)).toBeLessThan(60_000);
    await notify();
    expect(service.deliveries().map(({ state }) => state)).toEqual(["failed", "failed", "suspended"]);
    expect(requests).toHaveLength(2);
    await call("PUT", `/v1/webhooks/${webhook_id}`, { webhook_url: `${url}/new` });
    const webhook_updated = expect.stringMatching(/\+0000$/);
    expect(await list()).toMatchObject([{ webhook_suspended: null, webhook_updated }]);
    await notify();
    expect(service.deliveries().at(-1)).toMatchObject({ state: "delivered" });
  });

  test("a 200 in between begins the three days again", async () => {
    current({ retries: 0 });
    await hook();
    statuses = [500, 200, 500];
    for (let i = 0; i < 3; i++) {
      await notify();
      await service.advance(2 * DAY);
    }
    expect(await list()).toMatchObject([{ webhook_suspended: null }]);
    await service.advance(DAY);
    expect(await list()).toMatchObject([{ webhook_suspended: expect.any(String) }]);
  });

  test("a notification that a reset ended says nothing of its receiver", async () => {
    const own = await emulatorForTest({
      processingTime: 0,
      notifications: { backoff: 60_000 },
      seed: { partner: { webhooks: [{ type: "send-envelope", url }] } },
    });
    statuses = [500];
    await envelope({}, own);
    await expect.poll(() => own.deliveries()[0]!.attempts).toEqual([500]);
    await own.reset();
    await own.waitForDeliveries();
    await own.advance(3 * DAY + 1);
    await envelope({}, own);
    await own.waitForDeliveries();
    expect(own.deliveries()).toMatchObject([{ state: "delivered", attempts: [200] }]);
  });
});

describe("a delivery", () => {
  test("that waits for an earlier one is not made after a reset", async () => {
    await hook();
    statuses = [500];
    service.configure({ notifications: { backoff: 60_000 } });
    for (const action of ["add-user", "add-template"] as const) await service.notify(accountId(), action);
    await expect.poll(() => service.deliveries()[0]!.attempts).toEqual([500]);
    await service.reset();
    await service.waitForDeliveries();
    expect(sentActions()).toEqual(["add-user"]);
  });

  test("is repeated when it was not answered with 200, and no more often than it is set", async () => {
    await hook("send-envelope");
    statuses = [500, 302];
    expect(await deliver()).toEqual({ state: "delivered", attempts: [500, 302, 200] });
    statuses = [500, 500, 500];
    expect(await deliver()).toEqual({ state: "failed", attempts: [500, 500, 500] });
  });

  test("to a receiver that is not there, one of the ports that fetch leaves out", async () => {
    await hook("send-envelope", "http://127.0.0.1:1/hook");
    expect(await deliver()).toEqual({ state: "failed", attempts: Array(3).fill("ECONNREFUSED") });
  });

  test("to a receiver that takes too long", async () => {
    service.configure({ notifications: { retries: 0, timeout: 50 } });
    await hook("send-envelope", (await serve(() => undefined)).url);
    expect(await deliver()).toEqual({ state: "failed", attempts: [expect.stringMatching(/timeout/)] });
  });

  test("to a receiver that takes too long, of many webhooks, while memory is freed; Node warns of nothing", async () => {
    service.configure({ notifications: { retries: 1, timeout: 300, backoff: 50 } });
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);
    setFlagsFromString("--expose-gc");
    const collect = setInterval(runInNewContext("gc") as () => void, 100);
    try {
      const silent = await serve(() => undefined);
      for (let i = 0; i < 12; i++) await hook("add-user", silent.url);
      await notify("add-user");
      expect(service.deliveries().map(({ state, attempts }) => [state, attempts.length])).toEqual(
        Array(12).fill(["failed", 2]),
      );
      await new Promise(setImmediate);
      expect(warnings).toEqual([]);
    } finally {
      clearInterval(collect);
      process.off("warning", warn);
    }
  });

  test("to a receiver whose response does not end: the connection does", async () => {
    service.configure({ notifications: { timeout: 100 } });
    let closed!: Promise<unknown>;
    const endless = await serve((_, __, response) => {
      closed = once(response, "close");
      response.writeHead(200).write("more");
      return undefined;
    });
    await hook("send-envelope", endless.url);
    expect(await deliver()).toEqual({ state: "delivered", attempts: [200] });
    await closed;
  });

  test("goes to a server whose certificate nothing trusts, as those of local servers are", async () => {
    const bodies: string[] = [];
    const server = createTlsServer(selfSigned(), async (request, response) => {
      bodies.push((await request.toArray()).join(""));
      response.end();
    });
    const { url: address } = await listen(server, () => server.closeAllConnections());
    await hook("add-user", address.replace("http:", "https:"));
    await notify();
    expect(service.deliveries()).toMatchObject([{ state: "delivered", attempts: [200] }]);
    expect(bodies).toEqual([expect.stringContaining("action=add-user")]);
  });

  test("goes to a name below localhost, which is this machine's, with the address's user name and password", async () => {
    await hook("send-envelope", url.replace("127.0.0.1", "ann:p%40w@app.localhost"));
    expect(await deliver()).toEqual({ state: "delivered", attempts: [200] });
    const authorization = basic("ann", "p@w");
    expect(requests[0]!.headers).toMatchObject({ authorization, host: expect.stringMatching(/^app\.localhost:/) });
  });

  test.each(["https://example.com/hook", "http://127.0.0.1.example.com/hook"])(
    "never goes to %s",
    async (elsewhere) => {
      await hook("send-envelope", elsewhere);
      expect(await deliver()).toEqual({ state: "skipped-external", attempts: [] });
    },
  );

  test("of an event that the service has no cause for is sent by hand, with members of one's own", async () => {
    await hook("add-user");
    await notify("add-user", { user_name: "Ida", extra: { a: 1 } });
    expect(fieldsOf(requests[0]!)).toMatchObject({ user_name: "Ida", role: "user", extra: '{"a":1}' });
  });

  test("is not made for a request that is refused", async () => {
    await hook();
    await envelope({ user_id: "1" });
    await service.waitForDeliveries();
    expect(service.deliveries()).toEqual([]);
  });

  test("is neither made nor repeated by hand where notifications are off", async () => {
    await hook("add-user");
    await notify();
    service.configure({ notifications: { enabled: false } });
    await expect(notify()).rejects.toThrow("Notifications are off");
    expect(() => service.redeliver(service.deliveries()[0]!.id)).toThrow("Notifications are off");
    expect(requests).toHaveLength(1);
  });

  test("can be repeated: the same body, so the same idempotency key; not when its webhook or itself is unknown", async () => {
    const { webhook_id } = await hook("add-user");
    await notify();
    await service.advance(3600_000);
    service.redeliver(service.deliveries()[0]!.id);
    await service.waitForDeliveries();
    const [first, second] = requests as [Seen, Seen];
    expect(second.body).toBe(first.body);
    expect(service.deliveries()).toMatchObject([{ body: first.body }, { body: first.body, state: "delivered" }]);
    await call("DELETE", `/v1/webhooks/${webhook_id}`);
    expect(() => service.redeliver(service.deliveries()[0]!.id)).toThrow(/no longer exists/);
    expect(() => service.redeliver("17")).toThrow(/17 does not exist/);
  });
});

test.each([
  ["specification", "classic", undefined],
  ["current", "classic", {}],
  ["current", "minimal", { minimal: true }],
  ["current", "signed classic", { signed: true }],
  ["current", "signed minimal", { signed: true, minimal: true }],
] as const)(
  "the receiver reads what the emulator sends: %s edition, %s form",
  async (edition, _, notifications = {}) => {
    service.configure({ edition, notifications });
    const received: Received[] = [];
    const errors: unknown[] = [];
    let secrets: string | false = false;
    const server = createServer((request, response) =>
      nodeReceiver((one) => received.push(one), { secrets, onError: (error) => errors.push(error) })(request, response),
    );
    const created = await hook("all", (await listen(server, () => server.closeAllConnections())).url);
    secrets = created.webhook_secret ?? false;
    expect(secrets !== false).toBe("signed" in notifications);
    const listed = actions.filter(
      (action) => edition === "current" || !/bounced|widget|failed|expired|qes/.test(action),
    );
    for (const action of listed) await notify(action);
    await expect.poll(() => received.map(({ event }) => event.action)).toEqual(listed);
    await cause();
    await expect.poll(() => received.length).toBe(service.deliveries().length);
    expect(errors).toEqual([]);
    expect(service.deliveries().every(({ state }) => state === "delivered")).toBe(true);
    const isMinimal = "minimal" in notifications;
    for (const { event } of received) {
      expect(event.form).toBe(isMinimal ? "minimal" : "classic");
      // The classic form has it where it is documented.
      expect(isMinimal ? [accountId()] : [accountId(), undefined]).toContain(event.company_id);
      if (!isMinimal) expect(event.complete, event.action).toBe(true);
    }
  },
);

describe("hosts beyond this machine", () => {
  const other = "http://app.of-another-container.test:3000/hook";

  test("are called only by the names that the user gives", async () => {
    const named = await emulatorForTest({
      notifyHosts: ["APP.of-another-container.test", "172.31.255.254", "fd00::7"],
      notifications: { retries: 0, timeout: 50 },
    });
    const urls = [
      other,
      "http://172.31.255.254:1/",
      "http://[fd00::7]:1/",
      "http://evil.test/",
      "http://172.31.255.253/",
    ];
    for (const webhook_url of urls)
      await ask(named)("POST", "/v1/webhooks", { webhook_type: "add-contact", webhook_url });
    await ask(named)("POST", "/v1/contacts", { contact_name: "Ann", contact_email: "ann@b.example" });
    await named.waitForDeliveries();
    const states = named.deliveries().map(({ state, attempts }) => [state, attempts.length]);
    const [failed, skipped] = [
      ["failed", 1],
      ["skipped-external", 0],
    ];
    expect(states).toEqual([failed, failed, failed, skipped, skipped]);
  });

  test.each(["http://app", "app:3000", "*", "*.test", "a b", "", "app/hook", "user@app"])(
    "%j is no host",
    async (name) => {
      await expect(start({ notifyHosts: [name] })).rejects.toThrow(/is not a host to notify: use a name or an address/);
    },
  );
});
