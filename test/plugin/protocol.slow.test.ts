/** The plugin's messages, against the emulator: what an engine sends in each operation, and what it gets. */

import { AsyncResource } from "node:async_hooks";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ListValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { version } from "../../package.json";
import { EngineLog } from "../../plugin/engine-log";
import { isSecret, type Properties, secret, UNKNOWN } from "../../provider/core/pulumi-values";
import { connect } from "../../sdk";
import { cases, spread } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { virtualClock } from "../virtual-clock";
import { urnOf } from "./client";
import { type StartedPlugin, startEngine, startPlugin } from "./start";

const service = useEmulator({ clock: virtualClock.date });
const settings = () => ({ apiKey: service.keys.partner, baseUrl: service.url });
const start = (more: Properties = {}) => startPlugin({ ...settings(), ...more });
const client = () => connect(settings());
const writes = () => service.requests().filter(({ method }) => method !== "GET");
const { Kind } = PropertyDiff;

const hook = urnOf("Webhook", "signed");
const args = { type: "signed-envelope", url: "https://receiver.example/signed" };

/** What an engine does for a new resource. */
async function create(plugin: StartedPlugin, urn: string, news: Properties) {
  const { inputs, failures } = await plugin.check(urn, {}, news);
  expect(failures).toEqual([]);
  return { inputs, ...(await plugin.create(urn, inputs)) };
}

beforeEach(() => service.reset());

describe("about the plugin", () => {
  it("accepts secrets and previews, has a version and a schema", async () => {
    const plugin = await start();
    const configured = await plugin.configure(settings());
    expect(configured.toObject()).toMatchObject({ acceptsecrets: true, supportspreview: true });
    const handshake = await plugin.call<messages.ProviderHandshakeResponse>((answer) =>
      plugin.client.handshake(new messages.ProviderHandshakeRequest(), answer),
    );
    expect(handshake.getAcceptSecrets()).toBe(true);
    const schema = await plugin.call<messages.GetSchemaResponse>((answer) =>
      plugin.client.getSchema(new messages.GetSchemaRequest(), answer),
    );
    expect(JSON.parse(schema.getSchema())).toMatchObject({ name: "esign", version });
    await plugin.call((answer) => plugin.client.cancel(new Empty(), answer));
  });
});

describe("settings", () => {
  it("names what is wrong, before any request and without the key", async () => {
    const plugin = await start();
    const { failures } = await plugin.checkConfig({ apiKey: "k ey", baseUrl: "http://else.example", apiKye: "x" });
    expect(failures.join()).toMatch(/esign:apiKye is not a setting, did you mean esign:apiKey\?/);
    expect(failures.join()).toMatch(/esign:baseUrl/);
    expect(failures.join()).not.toContain("k ey");
    expect(service.requests()).toEqual([]);
  });

  it("marks the key as secret, and takes settings of any type", async () => {
    const plugin = await start();
    const { inputs, failures } = await plugin.checkConfig({ ...settings(), retries: 2, comparePictures: "false" });
    expect(failures).toEqual([]);
    expect(isSecret(inputs.apiKey)).toBe(true);
  });

  it("says that it is not asked before an update, while the key is a new company's", async () => {
    const plugin = await start();
    const { inputs, failures } = await plugin.checkConfig({ ...settings(), apiKey: UNKNOWN });
    expect([isSecret(inputs.apiKey), failures]).toEqual([true, []]);
    const message = expect.stringContaining("the key of this provider is not known before the update");
    expect(plugin.notices).toEqual([{ urn: expect.stringContaining("pulumi:providers:esign"), message }]);
  });

  it("replaces nothing when a key is rotated, nor when a stack comes from dynamic resources", async () => {
    const plugin = await start();
    for (const olds of [{ ...settings(), apiKey: "other" }, { "esign:apiKey": "other" }, {}]) {
      const response = await plugin.diffConfig(olds, settings());
      expect(response).toMatchObject({ changes: 2, replacesList: [], deletebeforereplace: false });
    }
    expect(await plugin.diffConfig(settings(), settings())).toMatchObject({ changes: 1 });
  });
});

describe("life of a webhook", () => {
  it("is created, compared, updated, refreshed and deleted, each write once", async () => {
    const plugin = await start();
    const { id, outs, inputs } = await create(plugin, hook, args);
    expect(outs).toMatchObject({ ...args, webhookId: id });
    expect(await plugin.diff(hook, id, outs, inputs)).toMatchObject({ isChanged: false, details: {} });

    const news = { ...args, url: "https://receiver.example/new" };
    const { inputs: changed } = await plugin.check(hook, inputs, news);
    expect(await plugin.diff(hook, id, outs, changed)).toMatchObject({
      isChanged: true,
      details: { url: Kind.UPDATE },
      replaces: [],
    });
    const updated = await plugin.update(hook, id, outs, changed);
    expect(updated).toMatchObject({ url: news.url, webhookId: id });

    await client().webhooks.update({ webhook_id: id, webhook_url: "https://drifted.example/" });
    // Each command of an engine has a process of its own.
    const drifted = await (await start()).read(hook, id, updated, changed);
    expect(drifted).toMatchObject({ id, inputs: { url: "https://drifted.example/" } });

    const last = await start();
    await last.delete(hook, id, drifted.props);
    expect(await last.read(hook, id, updated, changed)).toMatchObject({ id: "" });
    // One of them is the test's own.
    expect(writes().map(({ method }) => method)).toEqual(["POST", "PUT", "PUT", "DELETE"]);
  });

  it("plans without a write, and keeps every value that a preview has", async () => {
    const { id, outs, inputs } = await create(await start(), hook, args);
    const count = writes().length;
    const plugin = await start();
    const other = { type: "signed-envelope", url: "https://other.example/" };
    const planned = await plugin.create(urnOf("Webhook", "other"), other, true);
    expect(planned).toMatchObject({ id: "", outs: { ...other, webhookId: UNKNOWN } });
    const news = { ...inputs, url: "https://receiver.example/new" };
    const preview = await plugin.update(hook, id, outs, news, true);
    expect(preview).toMatchObject({ url: news.url, webhookId: id, createdAt: outs.createdAt });
    expect(writes()).toHaveLength(count);
  });

  it("plans with a company's rotated key as unknown, and with everything else as known", async () => {
    const firm = urnOf("Company", "firm");
    const declared = { name: "Firm", userName: "Ann", userEmail: "ann@firm.example", deletionProtection: false };
    const { id, outs, inputs } = await create(await start(), firm, declared);
    const renamed = { ...inputs, name: "New" };
    expect(await (await start()).update(firm, id, outs, renamed, true)).toMatchObject({ apiKey: outs.apiKey });
    await service.rotateKey(id);
    const plugin = await start();
    await plugin.check(firm, inputs, declared);
    expect(await plugin.diff(firm, id, outs, inputs)).toMatchObject({ isChanged: true, details: {} });
    expect(await plugin.update(firm, id, outs, inputs, true)).toMatchObject({ apiKey: UNKNOWN, companyId: id });
  });

  it("says under the resource what is waited for, only while it is", async () => {
    service.configure({ faults: [{ kind: "status", status: 429, retryAfter: 2, times: 1, method: "POST" }] });
    const plugin = await start();
    await plugin.create(hook, args);
    const message = expect.stringMatching(/ 429.*; the next attempt follows in 2 s/);
    expect(plugin.notices).toEqual([
      { urn: hook, message, isEphemeral: true },
      { urn: hook, message: "", isEphemeral: true },
    ]);
  });

  it("ends the waits of each resource with the last of them, and at the latest with its call", async () => {
    const { address, notices } = await startEngine();
    const log = new EngineLog(address);
    onTestFinished(() => log.close());
    let end = () => {};
    await log.about("a", async () => {
      for (const notice of ["first", "second", "", "", "third"]) log.writeWait(notice);
      end = AsyncResource.bind(() => log.writeWait(""));
    });
    end();
    await log.about("b", async () => log.writeWait("fourth"));
    const waits = { a: ["first", "second", "", "third", ""], b: ["fourth", ""] };
    expect(notices).toEqual(
      Object.entries(waits).flatMap(([urn, texts]) => texts.map((message) => ({ urn, message, isEphemeral: true }))),
    );
  });

  it("plans to adopt: the id is known, and a notice under the resource reports it", async () => {
    const { webhook_id } = await client().webhooks.create({ webhook_type: "signed-envelope", webhook_url: args.url });
    const plugin = await start();
    const planned = await plugin.create(hook, args, true);
    expect(planned).toMatchObject({ id: String(webhook_id), outs: { webhookId: String(webhook_id) } });
    expect(plugin.notices).toEqual([{ urn: hook, message: expect.stringContaining("adopts the existing one") }]);
  });

  it("plans to adopt and change: the notice says where the replaced text is shown", async () => {
    const plugin = await start();
    const email = urnOf("BrandingEmail", "send");
    const subject = "Please sign {contract title}";
    await plugin.create(email, { type: "email-send", subject }, true);
    const message = expect.stringMatching(
      /\(updating subject; `esign preview --diff` shows the values that it replaces\)/,
    );
    expect(plugin.notices).toEqual([{ urn: email, message }]);
  });

  it("is replaced by a change of its account, and the preview says what was forced", async () => {
    const plugin = await start();
    const { id, outs, inputs } = await create(plugin, hook, args);
    const { replaces, details, deleteBeforeReplace } = await plugin.diff(hook, id, outs, { ...inputs, account: "7" });
    expect({ replaces, details, deleteBeforeReplace }).toEqual({
      replaces: ["account"],
      details: { account: Kind.ADD_REPLACE },
      deleteBeforeReplace: true,
    });
  });

  it("is a new one after a forced replacement, which asks for no difference", async () => {
    const plugin = await start();
    const first = await create(plugin, hook, args);
    const again = await start();
    await again.check(hook, first.inputs, args);
    const second = await create(again, hook, args);
    expect(second.id).not.toBe(first.id);
    await again.delete(hook, first.id, first.outs);
    const left = await client().webhooks.list().all();
    expect(left.map(({ webhook_id }) => String(webhook_id))).toEqual([second.id]);
  });

  /** What engines ask for before they replace what the state has: with `diff` where the program has changed, not by an option or a trigger. */
  const ways = ["by its arguments", "by an option"] as const;
  const onExistings = ["adopt", "fail", "create"] as const;
  const interrupted = onExistings.flatMap((onExisting) =>
    [true, false].flatMap((isDeletedFirst) =>
      ways.flatMap((before) => ways.map((after) => ({ onExisting, isDeletedFirst, before, after }))),
    ),
  );
  it.each(spread(interrupted, 7))(
    "is the one that a killed run has created in the place of the former one ($before, deleted first: $isDeletedFirst; then $after): onExisting $onExisting",
    async ({ onExisting, isDeletedFirst, before, after }) => {
      const directory = temporaryFolder();
      const started = () => startPlugin(settings(), directory);
      const company = { name: "Harbour", userName: "Hanna", userEmail: "hanna@harbour.example" };
      const { id: account } = await create(await started(), urnOf("Company", "harbour"), company);
      const former = { ...args, onExisting, account };
      const news = { ...args, onExisting };
      const { id, outs, inputs } = await create(await started(), hook, former);
      const replacing = async (way: (typeof ways)[number]) => {
        const plugin = await started();
        const wanted = await plugin.check(hook, inputs, news);
        if (way === "by its arguments")
          expect(await plugin.diff(hook, id, outs, wanted.inputs)).toMatchObject({ deleteBeforeReplace: true });
        return plugin;
      };
      const killed = await replacing(before);
      if (isDeletedFirst) await killed.delete(hook, id, outs);
      const { id: made } = await create(killed, hook, news);
      // The state has the former one still, and not the new one.
      const preview = await replacing(after);
      const { inputs: planned } = await preview.check(hook, {}, news);
      const plan = await preview.create(hook, planned, true);
      const next = await create(await replacing(after), hook, news);
      expect({ planned: plan.id, created: next.id }).toEqual({ planned: made, created: made });
      expect(await client().webhooks.list().all()).toHaveLength(1);
    },
  );
});

describe("secrets", () => {
  it("stay secret in inputs, outputs, and what is read, and nothing else becomes one", async () => {
    const plugin = await start();
    const news = { ...args, url: secret("https://receiver.example/?token=1") };
    const { inputs, outs, id } = await create(plugin, hook, news);
    expect([isSecret(inputs.url), isSecret(outs.url), isSecret(outs.type)]).toEqual([true, true, false]);
    const { props, inputs: read } = await plugin.read(hook, id, outs, inputs);
    expect([isSecret(props.url), isSecret(read.url), isSecret(read.type)]).toEqual([true, true, false]);
  });

  it("of a company: its key", async () => {
    const plugin = await start();
    const company = { name: "Harbour", userName: "Hanna", userEmail: "hanna@harbour.example" };
    const { outs } = await create(plugin, urnOf("Company", "harbour"), company);
    expect(isSecret(outs.apiKey)).toBe(true);
    expect(JSON.stringify(plugin.notices)).not.toContain((outs.apiKey as { value: string }).value);
  });

  it("of one member only: the others stay readable", async () => {
    const plugin = await start();
    const news = { other: { setting_x: secret("a"), setting_y: "b" } };
    const { inputs } = await plugin.check(urnOf("Settings", "settings"), {}, news);
    const { other } = inputs as { other: Properties };
    expect([isSecret(other), isSecret(other.setting_x), other.setting_y]).toEqual([false, true, "b"]);
  });
});

describe("import", () => {
  it("reads an object by its ID alone, with inputs to write code from", async () => {
    const { webhook_id } = await client().webhooks.create({ webhook_type: "signed-envelope", webhook_url: args.url });
    const plugin = await start();
    const { id, inputs } = await plugin.read(hook, String(webhook_id));
    expect({ id, inputs }).toEqual({ id: String(webhook_id), inputs: args });
    // Engines show a failed import under the stack.
    await expect(plugin.read(hook, "999999")).rejects.toThrow(/^Webhook "signed": cannot read: no Webhook .*ESIGN1020/);
    await expect(plugin.read(hook, "x")).rejects.toThrow(/^Webhook "signed": cannot read: the ID is not .*ESIGN1020/);
  });

  it("of a company: what the service does not return is recorded later, without a replacement or a write", async () => {
    const plugin = await start();
    const urn = urnOf("Company", "harbour");
    const company = { name: "Harbour", userName: "Hanna", userEmail: "hanna@harbour.example" };
    const { id } = await create(plugin, urn, company);
    const other = await start();
    const imported = await other.read(urn, id);
    // An engine checks what it has imported, and takes a failure for an error of the provider's.
    expect(await other.check(urn, imported.inputs, imported.inputs)).toMatchObject({ failures: [] });
    const empty = { ...imported.inputs, userName: "", userEmail: "" };
    expect((await other.check(urn, imported.inputs, empty)).failures).toHaveLength(2);
    const { inputs } = await other.check(urn, imported.inputs, company);
    const difference = await other.diff(urn, id, imported.props, inputs);
    expect(difference).toMatchObject({ isChanged: true, replaces: [] });
    const count = writes().length;
    const outs = await other.update(urn, id, imported.props, inputs);
    expect(outs).toMatchObject(company);
    expect(writes()).toHaveLength(count);
    expect(await other.diff(urn, id, outs, inputs)).toMatchObject({ isChanged: false });
  });
});

describe("moving from dynamic resources", () => {
  it("changes nothing, and leaves the text of the dynamic provider behind", async () => {
    const plugin = await start();
    const { id, outs, inputs } = await create(plugin, hook, args);
    const state = { ...outs, __provider: "exports.handler = 1" };
    expect(await plugin.check(hook, { ...inputs, __provider: "x" }, args)).toEqual({ inputs: args, failures: [] });
    expect(await plugin.diff(hook, id, state, inputs)).toMatchObject({ isChanged: false });
    expect(await plugin.read(hook, id, state, inputs)).toMatchObject({ id });
    await plugin.delete(hook, id, state);
  });
});

describe("functions", () => {
  it("return objects, and lists as items", async () => {
    await client().webhooks.create({ webhook_type: "signed-envelope", webhook_url: args.url });
    const plugin = await start();
    const { result } = await plugin.invoke("esign:index:getWebhooks", {});
    expect(result).toEqual({ items: [expect.objectContaining(args)] });
    expect((await plugin.invoke("esign:index:getBranding", {})).result).toHaveProperty("colour");
  });

  it.each<[string, Properties, RegExp]>([
    ["esign:index:getWebhook", {}, /webhookId is missing/],
    ["esign:index:getEnvelopes", { statusses: ["sent"] }, /did you mean "statuses"/],
  ])("%s with %j: %s", async (token, args, message) => {
    const plugin = await start();
    expect((await plugin.invoke(token, args)).failures.join()).toMatch(message);
    expect(service.requests()).toEqual([]);
  });
});

describe("bad input gets an error that names it, before any request", () => {
  it("arguments", async () => {
    const plugin = await start();
    const { failures } = await plugin.check(hook, {}, { type: "signed-envelop", url: "ftp://x", uri: "y" });
    expect(failures).toEqual([
      expect.stringMatching(/^Webhook: type .*did you mean "signed-envelope"/),
      expect.stringMatching(/^Webhook: url /),
      expect.stringMatching(/^Webhook: uri is not an argument of Webhook, did you mean "url"/),
    ]);
    expect(service.requests()).toEqual([]);
  });

  it("two resources that declare the same object, both by name", async () => {
    const plugin = await start();
    expect((await plugin.check(hook, {}, args)).failures).toEqual([]);
    const { failures } = await plugin.check(urnOf("Webhook", "again"), {}, args);
    expect(failures.join()).toMatch(/^Webhook "signed" and "again" declare the same object \(ESIGN1013\)/);
    const second = { ...args, onExisting: "create" };
    expect((await plugin.check(urnOf("Webhook", "third"), {}, second)).failures).toEqual([]);
  });

  it("what the update will refuse fails the preview", async () => {
    const creating = await start();
    const { id, outs, inputs } = await create(creating, hook, args);
    await client().webhooks.update({ webhook_id: id, webhook_url: "https://drifted.example/" });
    const plugin = await start();
    const news = { ...inputs, url: "https://receiver.example/new" };
    await expect(plugin.update(hook, id, outs, news, true)).rejects.toThrow(/ESIGN1012/);
  });

  it.each(["urn:pulumi:dev::shop::esign:index:Nothing::x", "urn:pulumi:dev::shop::aws:s3:Bucket::x", "", "::::", "x"])(
    "URN %j",
    async (urn) => {
      const plugin = await start();
      await expect(plugin.check(urn, {}, args)).rejects.toThrow(/is not a resource of this plugin|no URN/);
      await expect(plugin.delete(urn, "1", {})).rejects.toThrow(/is not a resource of this plugin|no URN/);
      expect((await plugin.check(hook, {}, args)).failures).toEqual([]);
    },
  );

  it("a function that does not exist", async () => {
    const plugin = await start();
    await expect(plugin.invoke("esign:index:getNothing", {})).rejects.toThrow(/is not a function of this plugin/);
  });
});

describe("hostile messages end no process", () => {
  const deep = (levels: number): Value => {
    let value = new Value().setStringValue("x");
    for (let i = 0; i < levels; i++) value = new Value().setListValue(new ListValue().setValuesList([value]));
    return value;
  };

  // More cost the message's reader the square of their number.
  it.each([100, Math.min(2000, cases(500))])("values nested %d levels deep", async (levels) => {
    const plugin = await start();
    const request = new messages.CheckRequest();
    request.setUrn(hook);
    const news = new Struct();
    news.getFieldsMap().set("type", deep(levels));
    request.setNews(news);
    const sent = plugin.call((answer) => plugin.client.check(request, answer));
    await expect(sent).rejects.toThrow(/deep|stack|recursion/i);
    expect((await plugin.check(hook, {}, args)).failures).toEqual([]);
  });

  it.each(["half of a pair: \ud800", "x".repeat(1_000_000), "\u{1F600}".repeat(10_000)])(
    "what an error repeats of them: %.20s",
    async (text) => {
      const plugin = await start();
      await expect(plugin.delete(`urn:pulumi:dev::shop::${text}::it`, "1", {})).rejects.toThrow(/is not a resource|…/);
      await expect(plugin.invoke(text, {})).rejects.toThrow(/is not a function|…/);
      expect((await plugin.check(hook, {}, args)).failures).toEqual([]);
    },
  );

  it("messages without any member, and huge values", async () => {
    const plugin = await start();
    const empty = [
      plugin.call((answer) => plugin.client.check(new messages.CheckRequest(), answer)),
      plugin.call((answer) => plugin.client.diff(new messages.DiffRequest(), answer)),
      plugin.call((answer) => plugin.client.create(new messages.CreateRequest(), answer)),
      plugin.call((answer) => plugin.client.read(new messages.ReadRequest(), answer)),
      plugin.call((answer) => plugin.client.update(new messages.UpdateRequest(), answer)),
      plugin.call((answer) => plugin.client.delete(new messages.DeleteRequest(), answer)),
      plugin.call((answer) => plugin.client.invoke(new messages.InvokeRequest(), answer)),
    ];
    for (const result of await Promise.allSettled(empty)) expect(result.status).toBe("rejected");
    const { failures } = await plugin.check(hook, {}, { ...args, url: `https://x.example/${"a".repeat(5_000_000)}` });
    expect(failures.join().length).toBeLessThan(2000);
    expect((await plugin.check(hook, {}, args)).failures).toEqual([]);
  });
});

describe("failures", () => {
  it("of a second write: the engine gets the ID and what is recorded", async () => {
    const plugin = await start({ retries: "0" });
    service.configure({ faults: [{ kind: "status", status: 500, operation: "companies.update", times: 1 }] });
    const urn = urnOf("Company", "harbour");
    const news = {
      name: "Harbour",
      userName: "Hanna",
      userEmail: "hanna@harbour.example",
      email: "office@harbour.example",
    };
    const failure = await create(plugin, urn, news).catch((error) => error);
    expect(failure.partial).toMatchObject({ id: expect.stringMatching(/^\d+$/) });
    expect(failure.partial.reasons.join()).toMatch(/recorded \(id/);
    expect(isSecret(failure.partial.properties.apiKey)).toBe(true);
  });
});
