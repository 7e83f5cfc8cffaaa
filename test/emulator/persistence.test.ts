import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Options, start } from "../../emulator";
import { Store } from "../../emulator/domain/store";
import { temporaryFolder } from "../files";
import { ask, askWithNode, type Body, basic, envelopeForm } from "./ask";
import { emulatorForTest } from "./use-emulator";

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "service.json");
});

const run = (options: Options = {}) => emulatorForTest({ file, ...options });
const bytes = () => readFileSync(file, "utf8");
const hook = (i: number) => ({ webhook_type: "all", webhook_url: `https://example.com/${i}` });
const company = { company_name: "A", user_name: "B", user_email: "b@a.example" };
const emailPath = "/v1/branding/emails/email-send";

test("everything is in the file before the answer, and there again after a restart, keys included", async () => {
  const first = await run();
  const { api_key } = (await ask(first)("POST", "/v1/companies", company)).body;
  expect(bytes()).toContain(api_key);
  const sub = ask(first, api_key);
  await sub("POST", "/v1/webhooks", hook(1));
  await sub("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/a.png", branding_colour: "#abcdef" });
  await sub("PUT", emailPath, { branding_email_subject: "Ours" });
  const paths = ["/v1/webhooks", "/v1/branding/emails"];
  const before = await Promise.all(paths.map(async (path) => (await sub("GET", path)).body));
  const keys = first.keys;
  await first.close();
  // Elsewhere, since this process would go on using its connections to the first one.
  const second = await run({ port: 0 });
  expect(second.keys).toEqual(keys);
  const again = ask(second, api_key);
  expect(await Promise.all(paths.map(async (path) => (await again("GET", path)).body))).toEqual(before);
});

test("the port is the same the next time, so that addresses stay right; when it is taken, they follow to another", async () => {
  const first = await run();
  const { branding_logo } = (await ask(first)("PUT", "/v1/branding", { branding_logo_url: "https://a.example/b.png" }))
    .body;
  await first.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await run();
  expect(second.url).toBe(first.url);
  expect((await ask(second)("GET", "/v1/branding")).body.branding_logo).toBe(branding_logo);
  await second.close();
  await emulatorForTest({ port: first.port });
  const before = bytes();
  const third = await run();
  expect(third.port).not.toBe(first.port);
  const moved = new URL((await ask(third)("GET", "/v1/branding")).body.branding_logo);
  expect(moved.origin).toBe(third.url);
  // An address of the earlier port is still the service's own.
  await ask(third)("PUT", "/v1/branding", { branding_logo_url: branding_logo });
  expect(bytes()).toBe(before);
  await expect(start({ port: first.port })).rejects.toThrow(/in use/);
});

test("a port that a start names is the one of later starts, too; port 0 is not", async () => {
  const first = await run();
  const other = await emulatorForTest();
  const { port } = other;
  await Promise.all([first.close(), other.close()]);
  await (await run({ port })).close();
  const elsewhere = await run({ port: 0 });
  expect(JSON.parse(bytes()).port).toBe(port);
  await elsewhere.close();
  expect((await run()).port).toBe(port);
});

test("the file is readable, for its owner only, and starting again leaves it as it is", async () => {
  await (await run()).close();
  const before = bytes();
  expect(JSON.parse(before)).toMatchObject({ version: 1, accounts: [{ partner: true }, { partner: false }] });
  expect(before).toMatch(/^ {2}"version": 1,\n {2}"port": \d+,\n {2}"accounts": \[\n {4}\{\n {6}"id": /m);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await (await run()).close();
  expect(bytes()).toBe(before);
});

test("what is created and deleted leaves no trace, reading leaves none, and branding can be restored", async () => {
  const service = await run();
  const call = ask(service);
  await call("POST", "/v1/webhooks", hook(0));
  const before = bytes();
  const { branding_logo: branding_logo_url, branding_colour } = (await call("GET", "/v1/branding")).body;
  const made = await Promise.all([1, 2, 3].map((i) => call("POST", "/v1/webhooks", hook(i))));
  const { company_id } = (await call("POST", "/v1/companies", company)).body;
  await call("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/a.png", branding_colour: "#abcdef" });
  await call("GET", "/v1/usage");
  expect(bytes()).not.toBe(before);
  await Promise.all(made.map(({ body }) => call("DELETE", `/v1/webhooks/${body.webhook_id}`)));
  await call("DELETE", `/v1/companies/${company_id}`);
  await call("PUT", "/v1/branding", { branding_logo_url, branding_colour });
  expect(bytes()).toBe(before);
});

test("an email that was changed and restored differs in nothing but the time of its change", async () => {
  const service = await run({ seed: { partner: { emails: { "email-send": { subject: "Ours" } } } } });
  const call = ask(service);
  const before = bytes();
  await call("PUT", emailPath, { branding_email_subject: "Theirs" });
  await call("PUT", emailPath, { branding_email_subject: "Ours" });
  const withoutTime = (text: string) => text.replace(/("updated": )"[^"]*"/g, "$1");
  expect(bytes()).not.toBe(before);
  expect(withoutTime(bytes())).toBe(withoutTime(before));
});

test("the file is the data's JSON after whatever happened to webhooks and envelopes", async () => {
  const service = await run({ processingTime: 1000, notifications: { enabled: false } });
  const call = ask(service);
  const { webhook_id: first } = (await call("POST", "/v1/webhooks", hook(1))).body;
  const { webhook_id: second } = (await call("POST", "/v1/webhooks", hook(2))).body;
  const create = async () =>
    (await call("POST", "/v1/envelopes", envelopeForm({ envelope_auto_remind_hours: 24 }))).body.envelope_fingerprint;
  const [signed, rejected, cancelled, reminded] = [await create(), await create(), await create(), await create()];
  for (const step of [
    () => call("PUT", `/v1/webhooks/${second}`, { webhook_type: "add-user" }),
    () => call("DELETE", `/v1/webhooks/${first}`),
    // A text that looks like a member of the file.
    () => call("PUT", emailPath, { branding_email_subject: '\n      "envelopes": [] $&' }),
    create,
    () => call("PUT", `/v1/envelopes/${cancelled}/cancel`),
    () => service.advance(2000),
    () => service.performAction(signed, "open"),
    () => service.performAction(signed, "sign"),
    () => service.performAction(rejected, "reject"),
    () => service.performAction(rejected, "acknowledge"),
    () => call("PUT", `/v1/envelopes/${reminded}/remind`),
    () => service.advance(25 * 3600_000),
    () => call("PUT", `/v1/envelopes/${reminded}/expire`),
    () => call("DELETE", `/v1/envelopes/${signed}`),
  ]) {
    const before = bytes();
    await step();
    const { version, port, accounts } = service.data();
    expect(bytes()).toBe(`${JSON.stringify({ version, port, accounts }, null, 2)}\n`);
    expect(bytes()).not.toBe(before);
  }
});

describe("a file of format 1, as an earlier version wrote it, without members that are younger", () => {
  const clock = () => Date.UTC(2026, 10, 3, 10);
  const old = readFileSync(resolve(__dirname, "../fixtures/emulator-data-1.json"), "utf8");
  beforeEach(() => writeFileSync(file, old));

  test.each(["specification", "current"] as const)(
    "all of it is read, and none is written: edition %s",
    async (edition) => {
      const service = await run({ edition, clock });
      expect(service.keys).toEqual({
        partner: "older-partner-key",
        test: "older-test-key",
        account: "older-account-key",
      });
      const get = async (path: string) => {
        const { status, body } = await ask(service)("GET", `/v1/${path}`);
        expect(status).toBe(200);
        return body;
      };
      expect((await get("webhooks")).webhooks).toMatchObject([{ webhook_id: "4001" }]);
      expect((await get("branding")).branding_logo).toBe(`${service.url}/logos/1001-0123456789ab.png?1705309200`);
      expect((await get("branding/emails")).branding_emails[4].branding_email_content_plain).toBe("{contract url}");
      expect((await get("companies")).companies).toMatchObject([{ company_api_key: "older-company-key" }]);
      expect((await get("usage")).companies).toHaveLength(1);
      expect((await get("users")).users).toMatchObject([{ user_id: "2001", role_id: "3" }]);
      expect((await get("contacts")).contacts).toMatchObject([{ contact_outstanding_documents: "1" }]);
      expect((await get("settings")).setting_email_pdf_attach).toBe(false);
      expect((await get("templates/lease")).template_parties).toMatchObject([{ party_name: "Tenant" }]);
      const [second, first] = (await get("envelopes")).envelopes;
      expect([first.envelope_status, second.envelope_status]).toEqual(["sent", "processing"]);
      expect(await get(`envelopes/${first.envelope_fingerprint}`)).toMatchObject({
        envelope_meta: { flat: 1 },
        envelope_parties: [{ party_id: "5001", party_status: "in progress" }],
        envelope_documents: [{ document_fields: [{ field_value: "1", field_merge: "Flat" }] }],
      });
      await service.close();
      expect(bytes().replace(/ {2}"port": \d+,\n/, "")).toBe(old);
    },
  );

  test("what it leaves open goes on", async () => {
    const service = await run({ clock });
    await service.advance(24 * 3600_000);
    expect(service.sentEmails()).toMatchObject([
      { type: "email-reminder", subject: expect.stringContaining("Flat 1") },
    ]);
    await service.performAction("00000000000000000000000000000001", "sign");
    const statuses = service.data().accounts[0]!.envelopes.map(({ status }) => status);
    expect(statuses).toEqual(["signed", "sent"]);
    expect(service.deliveries().map(({ type }) => type)).toEqual([
      "send-envelope",
      "signed-envelope",
      "signed-envelope-complete",
    ]);
  });
});

test("an emulator that ended while it handled a request writes nothing any more", async () => {
  const service = await run({ latency: 150, processingTime: 200, bodyTypes: "any" });
  const headers = { authorization: basic(service.keys.partner), "content-type": "application/json" };
  const body = JSON.stringify(envelopeForm());
  // Without a connection that stays open. A busy machine may take longer than the end waits, which cuts it.
  const creation = askWithNode(`${service.url}/v1/envelopes`, { method: "POST", headers, agent: false }, body).catch(
    () => undefined,
  );
  await expect.poll(() => service.counts().maxInFlight, { interval: 5 }).toBe(1);
  await service.close();
  await creation;
  const before = bytes();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(bytes()).toBe(before);
});

test("fifty answers at once: each is in the file when it comes", async () => {
  const service = await run();
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const { body } = await ask(service)("POST", "/v1/webhooks", hook(i));
      expect(bytes()).toContain(body.webhook_id);
    }),
  );
  expect(JSON.parse(bytes()).accounts[0].webhooks).toHaveLength(50);
});

describe("when the file cannot be written", () => {
  let inner: string;
  const start = (options: Options = {}) => {
    inner = join(folder, "inner");
    return run({ file: join(inner, "service.json"), ...options });
  };
  const fill = () => {
    rmSync(inner, { recursive: true });
    writeFileSync(inner, "");
  };
  const free = () => rmSync(inner);
  const saved = () => JSON.parse(readFileSync(join(inner, "service.json"), "utf8")).accounts;

  test("a request is answered and logged as 500, and nothing of it is kept, whatever it was", async () => {
    const service = await start({ seed: { companies: [{ id: "7" }] } });
    const call = ask(service);
    const { webhook_id } = (await call("POST", "/v1/webhooks", hook(1))).body;
    const before = service.data();
    service.clearLog();
    fill();
    const requests = [
      ["POST", "/v1/webhooks", hook(2)],
      ["PUT", `/v1/webhooks/${webhook_id}`, { webhook_url: "https://example.com/other" }],
      ["DELETE", `/v1/webhooks/${webhook_id}`],
      ["PUT", "/v1/branding", { branding_colour: "#123456" }],
      ["PUT", emailPath, { branding_email_subject: "Ours" }],
      ["POST", "/v1/companies", company],
      ["PUT", "/v1/companies/7", { company_name: "Other" }],
      ["DELETE", "/v1/companies/7"],
      ["POST", "/v1/envelopes", envelopeForm()],
    ] as const;
    const body = { http: 500, message: expect.stringContaining("Nothing was changed") };
    for (const [method, path, form] of requests) {
      expect(await call(method, path, form)).toMatchObject({ status: 500, body });
      expect(service.data()).toEqual(before);
    }
    await expect(service.rotateKey("7")).rejects.toThrow(/could not be saved/);
    await expect(service.suspend("7")).rejects.toThrow(/could not be saved/);
    expect(service.data()).toEqual(before);
    expect(service.requests().map(({ status }) => status)).toEqual(requests.map(() => 500));
    expect([service.deliveries(), service.sentEmails()]).toEqual([[], []]);
    free();
    expect((await call("GET", "/v1/webhooks")).body.total_webhooks).toBe("1");
    expect((await call("POST", "/v1/webhooks", hook(3))).status).toBe(200);
    expect(saved()).toEqual(service.data().accounts);
    expect(saved()[0].webhooks).toMatchObject([1, 3].map((i) => ({ url: hook(i).webhook_url })));
  });

  test("of requests that came together none is kept that was answered with an error, and each that was not", async () => {
    const service = await start();
    const call = ask(service);
    const round = (first: number) =>
      Promise.all(Array.from({ length: 20 }, (_, i) => call("POST", "/v1/webhooks", hook(first + i))));
    await round(0);
    const [failed, some] = [round(20), round(40)];
    fill();
    const during = [...(await failed), ...(await some)];
    free();
    const after = await round(60);
    expect(after.every(({ status }) => status === 200)).toBe(true);
    const ids = [...during, ...after].flatMap(({ status, body }) => (status === 200 ? [body.webhook_id] : []));
    const kept = saved()[0].webhooks.map(({ id }: Body) => id);
    expect(kept.slice(20).sort()).toEqual(ids.sort());
    expect(service.data().accounts[0]!.webhooks.map(({ id }) => id)).toEqual(kept);
  });

  test("what is due happens when it can be saved, with its notifications, once", async () => {
    const service = await start({ processingTime: 3600_000 });
    const call = ask(service);
    await call("POST", "/v1/webhooks", hook(1));
    await call("POST", "/v1/envelopes", envelopeForm());
    fill();
    await expect(service.advance(3600_001)).rejects.toThrow(/could not be saved/);
    expect([service.deliveries().map(({ type }) => type), service.sentEmails()]).toEqual([["add-contact"], []]);
    free();
    expect((await call("GET", "/v1/envelopes")).body.envelopes).toMatchObject([{ envelope_status: "sent" }]);
    expect(service.deliveries().map(({ type }) => type)).toEqual(["add-contact", "send-envelope"]);
    expect(service.sentEmails()).toMatchObject([{ type: "email-send", to: "ann@b.example" }]);
  });
});

test("changes that come while the file is written wait for one next write", async () => {
  const store = await Store.open(file, { version: 1, accounts: [] });
  expect(store.writes).toBe(1);
  await Promise.all(
    Array.from({ length: 100 }, () => {
      store.markChanged();
      return store.commit();
    }),
  );
  expect(store.writes).toBe(3);
  await store.commit();
  expect(store.writes).toBe(3);
  await store.close();
});

test("a file that an editor has saved with a byte order mark is read", async () => {
  const first = await run();
  const { keys } = first;
  await first.close();
  writeFileSync(file, `\ufeff${bytes()}`);
  expect((await run()).keys).toEqual(keys);
});

test.each([
  ["{", /not valid JSON/],
  ["[]", /not a data file of the emulator/],
  ['{"version":0,"accounts":[]}', /not a data file of the emulator: version/],
  ['{"version":2,"accounts":[]}', /was written by a later version of the emulator/],
])("a file that holds %s is refused and left alone", async (text, message) => {
  writeFileSync(file, text);
  await expect(start({ file })).rejects.toThrow(message);
  expect(bytes()).toBe(text);
});

test.each([
  ["https://example.com/1", "example.com", /webhooks\.0\.url must be an absolute URL/],
  ['"id": "17"', '"id": "seventeen"', /accounts\.0\.id must be the digits/],
])("a file with something else for %s is refused with a message", async (before, after, message) => {
  const webhooks = [{ type: "all" as const, url: hook(1).webhook_url }];
  await (await run({ seed: { partner: { id: "17", webhooks } } })).close();
  writeFileSync(file, bytes().replace(before, after));
  await expect(start({ file })).rejects.toThrow(message);
});

test("two services on one file: the second is refused; after the first's end it may", async () => {
  const first = await run();
  const links = [join(folder, "link.json"), join(folder, "there", "service.json")];
  symlinkSync(file, links[0]!);
  symlinkSync(folder, join(folder, "there"));
  for (const name of [file, ...links]) await expect(start({ file: name })).rejects.toThrow(/in use/);
  for (const link of ["link.json", "there"]) rmSync(join(folder, link));
  await first.close();
  expect(readdirSync(folder)).toEqual(["service.json"]);
  await run();
  // Closing once more does not take the file from who has it now.
  await first.close();
  await expect(start({ file })).rejects.toThrow(/in use/);
});
