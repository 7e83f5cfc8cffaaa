import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, type Options, start } from "../../emulator";
import { Store } from "../../emulator/domain/store";
import { temporaryFolder } from "../files";
import { ask } from "./ask";

let folder: string;
let file: string;
const open: Emulator[] = [];
const run = async (options: Options = {}) => {
  const service = await start({ file, ...options });
  open.push(service);
  return service;
};
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "service.json");
});
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

const bytes = () => readFileSync(file, "utf8");
const hook = (i: number) => ({ webhook_type: "all", webhook_url: `https://example.com/${i}` });

test("everything is in the file before the answer, and there again after a restart, keys included", async () => {
  const first = await run();
  const call = ask(first);
  const company = await call("POST", "/v1/companies", { company_name: "A", user_name: "B", user_email: "b@a.example" });
  expect(bytes()).toContain(company.body.api_key);
  const sub = ask(first, company.body.api_key);
  await sub("POST", "/v1/webhooks", hook(1));
  await sub("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/a.png", branding_colour: "#abcdef" });
  await sub("PUT", "/v1/branding/emails/email-send", { branding_email_subject: "Ours" });
  const paths = ["/v1/webhooks", "/v1/branding/emails"];
  const before = await Promise.all(paths.map(async (path) => (await sub("GET", path)).body));
  const keys = first.keys;
  await first.close();
  // Elsewhere, since this process would go on using its connections to the first one.
  const second = await run({ port: 0 });
  expect(second.keys).toEqual(keys);
  const again = ask(second, company.body.api_key);
  expect(await Promise.all(paths.map(async (path) => (await again("GET", path)).body))).toEqual(before);
});

test("a file without users, contacts and settings, as version 0.1.0 had it, is read and completed", async () => {
  const first = await run();
  const { partner } = first.keys;
  await first.close();
  const data = JSON.parse(bytes());
  for (const account of data.accounts) {
    const { role: _, added: __, ...user } = account.users[0];
    Object.assign(account, { user, users: undefined, contacts: undefined, settings: undefined });
  }
  writeFileSync(file, JSON.stringify(data));
  const second = await run({ port: 0 });
  expect(second.keys.partner).toBe(partner);
  await ask(second)("POST", "/v1/webhooks", hook(1));
  expect(JSON.parse(bytes()).accounts[0]).toMatchObject({ users: [{ role: "3" }], contacts: [], settings: {} });
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
  const squatter = await start({ port: first.port });
  open.push(squatter);
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

test("the file is readable, for its owner only, and starting again leaves it as it is", async () => {
  await (await run()).close();
  const before = bytes();
  expect(JSON.parse(before)).toMatchObject({ version: 1, accounts: [{ partner: true }, { partner: false }] });
  expect(before).toMatch(/^ {2}"version": 1,\n {2}"port": \d+,\n {2}"accounts": \[\n {4}\{\n {6}"id": /m);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await (await run()).close();
  expect(bytes()).toBe(before);
});

test("what is created and deleted leaves no trace, reading leaves none, and branding can be put back", async () => {
  const service = await run();
  const call = ask(service);
  await call("POST", "/v1/webhooks", hook(0));
  const before = bytes();
  const branding = (await call("GET", "/v1/branding")).body;
  const made = await Promise.all([1, 2, 3].map((i) => call("POST", "/v1/webhooks", hook(i))));
  const company = await call("POST", "/v1/companies", { company_name: "A", user_name: "B", user_email: "b@a.example" });
  await call("PUT", "/v1/branding", { branding_logo_url: "https://cdn.example/a.png", branding_colour: "#abcdef" });
  await call("GET", "/v1/usage");
  expect(bytes()).not.toBe(before);
  await Promise.all(made.map(({ body }) => call("DELETE", `/v1/webhooks/${body.webhook_id}`)));
  await call("DELETE", `/v1/companies/${company.body.company_id}`);
  await call("PUT", "/v1/branding", {
    branding_logo_url: branding.branding_logo,
    branding_colour: branding.branding_colour,
  });
  expect(bytes()).toBe(before);
});

test("an e-mail that was changed and put back differs in nothing but the time of its change", async () => {
  const service = await run({ seed: { partner: { emails: { "email-send": { subject: "Ours" } } } } });
  const call = ask(service);
  const before = bytes();
  await call("PUT", "/v1/branding/emails/email-send", { branding_email_subject: "Theirs" });
  await call("PUT", "/v1/branding/emails/email-send", { branding_email_subject: "Ours" });
  const withoutTime = (text: string) => text.replace(/("updated": )"[^"]*"/g, "$1");
  expect(bytes()).not.toBe(before);
  expect(withoutTime(bytes())).toBe(withoutTime(before));
});

test("the file is the data's JSON after whatever happened to webhooks and envelopes", async () => {
  const service = await run({ processingTime: 1000, notifications: { enabled: false } });
  const call = ask(service);
  const agree = () => {
    const { version, port, accounts } = service.data();
    expect(bytes()).toBe(`${JSON.stringify({ version, port, accounts }, null, 2)}\n`);
  };
  const hooks = await Promise.all([1, 2, 3].map((i) => call("POST", "/v1/webhooks", hook(i))));
  await call("PUT", `/v1/webhooks/${hooks[1]!.body.webhook_id}`, { webhook_type: "add-user" });
  agree();
  await call("DELETE", `/v1/webhooks/${hooks[0]!.body.webhook_id}`);
  // A text that looks like a member of the file.
  await call("PUT", "/v1/branding/emails/email-send", { branding_email_subject: '\n      "envelopes": [] $&' });
  agree();
  const made: string[] = [];
  for (const title of ["A", "B", "C", "D"]) {
    const { body } = await call("POST", "/v1/envelopes", {
      envelope_title: title,
      envelope_auto_remind_hours: "24",
      envelope_documents: JSON.stringify([{ document_title: "NDA", document_url: "https://files.example/nda.pdf" }]),
      envelope_parties: JSON.stringify([{ party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" }]),
    });
    made.push(body.envelope_fingerprint);
    agree();
  }
  const [signed, rejected, cancelled, reminded] = made as [string, string, string, string];
  await call("PUT", `/v1/envelopes/${cancelled}/cancel`);
  agree();
  await service.advance(2000);
  agree();
  await service.performAction(signed, "open");
  agree();
  await service.performAction(signed, "sign");
  agree();
  await service.performAction(rejected, "reject");
  agree();
  await service.performAction(rejected, "acknowledge");
  agree();
  await call("PUT", `/v1/envelopes/${reminded}/remind`);
  agree();
  await service.advance(25 * 3600_000);
  agree();
  await call("PUT", `/v1/envelopes/${reminded}/expire`);
  agree();
  await call("DELETE", `/v1/envelopes/${signed}`);
  agree();
});

test("two hundred answers at once: each is in the file when it comes, and they share their writes", async () => {
  const service = await run();
  await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const { body } = await ask(service)("POST", "/v1/webhooks", hook(i));
      expect(bytes()).toContain(body.webhook_id);
    }),
  );
  expect(JSON.parse(bytes()).accounts[0].webhooks).toHaveLength(200);
});

describe("when the file cannot be written", () => {
  let inner: string;
  const start = async (options: Options = {}) => {
    inner = join(folder, "inner");
    return run({ file: join(inner, "service.json"), ...options });
  };
  const fill = () => {
    rmSync(inner, { recursive: true });
    writeFileSync(inner, "");
  };
  const free = () => rmSync(inner);
  const saved = () => JSON.parse(readFileSync(join(inner, "service.json"), "utf8"));
  const envelope = {
    envelope_title: "NDA",
    envelope_documents: JSON.stringify([{ document_title: "NDA", document_url: "https://files.example/nda.pdf" }]),
    envelope_parties: JSON.stringify([{ party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" }]),
  };

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
      ["PUT", "/v1/branding/emails/email-send", { branding_email_subject: "Ours" }],
      ["POST", "/v1/companies", { company_name: "A", user_name: "B", user_email: "b@a.example" }],
      ["PUT", "/v1/companies/7", { company_name: "Other" }],
      ["DELETE", "/v1/companies/7"],
      ["POST", "/v1/envelopes", envelope],
    ] as const;
    for (const [method, path, form] of requests) {
      expect(await call(method, path, form)).toMatchObject({
        status: 500,
        body: { http: 500, message: expect.stringContaining("Nothing was changed") },
      });
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
    expect(saved().accounts).toEqual(service.data().accounts);
    expect(saved().accounts[0].webhooks.map(({ url }: { url: string }) => url)).toEqual(
      [hook(1), hook(3)].map((h) => h.webhook_url),
    );
  });

  test("of requests that came together none is kept that was answered with an error, and each that was not", async () => {
    const service = await start();
    const call = ask(service);
    const create = (i: number) => call("POST", "/v1/webhooks", hook(i));
    const round = (first: number) => Promise.all(Array.from({ length: 20 }, (_, i) => create(first + i)));
    await round(0);
    const [failed, some] = [round(20), round(40)];
    fill();
    const during = [...(await failed), ...(await some)];
    free();
    const after = await round(60);
    expect(after.every(({ status }) => status === 200)).toBe(true);
    const ids = [...during, ...after].flatMap(({ status, body }) => (status === 200 ? [body.webhook_id] : []));
    const kept = saved().accounts[0].webhooks.map(({ id }: { id: string }) => id);
    expect(kept.slice(20).sort()).toEqual(ids.sort());
    expect(service.data().accounts[0]!.webhooks.map(({ id }) => id)).toEqual(kept);
  });

  test("what is due happens when it can be saved, with its notifications, once", async () => {
    const service = await start({ processingTime: 3600_000 });
    const call = ask(service);
    await call("POST", "/v1/webhooks", hook(1));
    await call("POST", "/v1/envelopes", envelope);
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

test.each([
  ["{", /not valid JSON/],
  ["[]", /not a data file of the emulator/],
  ['{"version":2,"accounts":[]}', /not a data file of the emulator: version/],
])("a file that holds %s is refused and left alone", async (text, message) => {
  writeFileSync(file, text);
  await expect(start({ file })).rejects.toThrow(message);
  expect(bytes()).toBe(text);
});

test.each([
  ["https://example.com/1", "example.com", /webhooks\.0\.url must be an absolute URL/],
  ['"id": "17"', '"id": "seventeen"', /accounts\.0\.id must be the digits/],
])("a file in which somebody wrote something else for %s is refused, in words", async (before, after, message) => {
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
