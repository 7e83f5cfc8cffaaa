/** What an engine reads without an id: what an interrupted create has made, of which the state has neither id nor outputs. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { recoverCreateQuery } from "../../provider/core/recover-create-query";
import { pendingCreatesFolder } from "../../provider/recovery/pending-create-file";
import { PendingCreateRecords } from "../../provider/recovery/pending-create-records";
import type { HandlerName } from "../../provider/resources/index";
import { emulatorForTest } from "../emulator/use-emulator";
import { Managed, wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();

const hook = (more: Properties = {}) => wired("webhook", { type: "all", url: "https://r.example/", ...more });
const firm = () =>
  wired("company", { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false });
const recover = (handler: HandlerName, inputs: Properties, managed: string[] = []) =>
  new Managed(world, handler, "", recoverCreateQuery(inputs, managed)).read();

it.each([
  ["webhook", hook()],
  ["webhook", hook({ onExisting: "create" })],
  ["company", firm()],
] as [HandlerName, Properties][])("finds a %s, which can then be deleted", async (handler, inputs) => {
  const made = await world.create(handler, inputs);
  const found = await recover(handler, inputs);
  expect(found.id).toBe(made.id);
  expect(found.outs).toMatchObject({ ...inputs, ...(handler === "company" && { apiKey: expect.any(String) }) });
  expect(found.outs.__esign).not.toHaveProperty("adopted");
  expect(await found.differs(inputs)).toBe(false);
  await found.delete();
  expect((await recover(handler, inputs)).id).toBe("");
});

it("finds nothing where nothing was created, or only what the state has", async () => {
  expect((await recover("webhook", hook())).id).toBe("");
  const duplicate = hook({ onExisting: "create" });
  const made = await world.create("webhook", duplicate);
  expect((await recover("webhook", duplicate, [made.id])).id).toBe("");
  // Its record is over.
  await expect(recover("webhook", duplicate)).rejects.toThrow(/identical one exists.*no record/);
});

it("continues each of several equal creates once, at the same moment", async () => {
  const duplicates = [hook({ onExisting: "create" }), hook({ onExisting: "create" })];
  world.service.configure({ faults: [{ kind: "hang", operation: "webhooks.create" }] });
  // As a run that is killed before the answers come.
  const killed = world.phase();
  for (const duplicate of duplicates) void world.create("webhook", duplicate, killed).catch(() => undefined);
  const ids = () => world.service.data().accounts.flatMap(({ webhooks }) => webhooks.map(({ id }) => id));
  await vi.waitUntil(() => ids().length === 2, { timeout: 30_000 });
  world.service.configure({ faults: [] });
  const phase = world.phase();
  const made = await Promise.all(duplicates.map((duplicate) => world.create("webhook", duplicate, phase)));
  expect(made.map(({ id }) => id).sort()).toEqual(ids().sort());
  for (const one of made) world.acknowledge(one);
  // What is left would be a create in doubt, for which `destroy` fails.
  expect(readdirSync(join(world.directory, pendingCreatesFolder))).toEqual([]);
});

it("leaves no doubt about what was in a company that is gone, although no hook is asked about that", async () => {
  const records = () => readdirSync(join(world.directory, pendingCreatesFolder));
  const made = await world.create("company", firm());
  const inside = hook({ account: made.id });
  await world.create("webhook", inside);
  expect(records()).toHaveLength(2);
  world.service.configure({ faults: [{ kind: "hang", operation: "webhooks.create" }] });
  const other = hook({ account: made.id, url: "https://r.example/other" });
  void world.create("webhook", other).catch(() => undefined);
  const areBothThere = () => world.service.data().accounts.some(({ webhooks }) => webhooks.length === 2);
  await vi.waitUntil(areBothThere, { timeout: 30_000 });
  world.service.configure({ faults: [] });
  await made.delete();
  expect(records()).toHaveLength(1);
  expect((await recover("webhook", other)).id).toBe("");
  expect(records()).toEqual([]);
});

it("forgets what was created in a company that is gone, and in no other one, by the company in its record", async () => {
  const folder = join(world.directory, pendingCreatesFolder);
  await world.create("webhook", hook({ account: (await world.create("company", firm())).id }));
  const [text] = readdirSync(folder).flatMap((name) => {
    const file = readFileSync(join(folder, name), "utf8");
    return file.includes("Webhook ") ? [file] : [];
  });
  const [record, object] = text!.split("\n");
  const { company, ...rest } = JSON.parse(record!);
  expect(JSON.parse(object!).createdObject).toMatch(new RegExp(`^Webhook ${company}/`));
  for (const [name, account] of Object.entries({ "inside.json": "7", "elsewhere.json": "8" }))
    writeFileSync(
      join(folder, name),
      [{ ...rest, company: account }, { createdObject: `Webhook ${account}/12` }]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
  const before = readdirSync(folder);
  new PendingCreateRecords(world.directory).forgetInside("7");
  expect(readdirSync(folder)).toEqual(before.filter((name) => name !== "inside.json"));
});

it("does not take another partner's key for a company that is gone: what was created in it stays in doubt", async () => {
  const records = () => readdirSync(join(world.directory, pendingCreatesFolder));
  const theirs = await emulatorForTest();
  // One address, at which each key opens an account of another service.
  const service = createServer((request, response) => {
    const { method, headers } = request;
    const credentials = Buffer.from(headers.authorization!.replace("Basic ", ""), "base64").toString();
    const { url } = credentials.includes(theirs.keys.partner) ? theirs : world.service;
    const passOn = (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    };
    request.pipe(send(url + request.url, { method, headers }, passOn));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void service.close());
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const made = await world.create("company", firm());
  world.settings = { ...world.settings, baseUrl };
  world.service.configure({ faults: [{ kind: "test", operation: "webhooks.create" }] });
  const inside = hook({ account: made.id, onExisting: "create" });
  await expect(world.create("webhook", inside)).rejects.toThrow();
  const before = records();
  expect(before).toHaveLength(2);
  world.settings = { baseUrl, apiKey: theirs.keys.partner };
  expect((await recover("webhook", inside)).id).toBe("");
  expect(records()).toEqual(before);
});

it("finds what the list shows late", async () => {
  world.service.configure({
    listLag: { ms: 3_000 },
    faults: [{ kind: "hang", operation: "webhooks.create", commit: true }],
  });
  // As a run that is killed before the answer comes.
  void world.create("webhook", hook()).catch(() => undefined);
  const isCreated = () => world.service.data().accounts.some(({ webhooks }) => webhooks.length > 0);
  await vi.waitUntil(isCreated, { timeout: 30_000 });
  expect((await recover("webhook", hook())).id).not.toBe("");
});

it("leaves it open whose an identical object is when the records are lost, and writes nothing", async () => {
  const { id } = await world.create("webhook", hook());
  rmSync(join(world.directory, ".esign"), { recursive: true });
  await expect(recover("webhook", hook())).rejects.toThrow(new RegExp(`identical one exists \\(id ${id}\\)`));
  expect(await world.client.webhooks.list().all()).toHaveLength(1);
});

it.each([true, false])(
  "finds whether a colour was written that every account has (%s); its deletion restores it",
  async (isWritten) => {
    const before = await world.client.branding.get();
    const inputs = wired("branding", { colour: "#112233" });
    expect((await recover("branding", inputs)).id).toBe("");
    await world.create("branding", inputs);
    // As a write that never arrived.
    if (!isWritten) await world.client.branding.update({ branding_colour: before.branding_colour! });
    const found = await recover("branding", inputs);
    expect(await found.differs(inputs)).toBe(!isWritten);
    if (!isWritten) await found.update(inputs);
    expect((await world.client.branding.get()).branding_colour).toBe("#112233");
    await found.delete();
    expect(await world.client.branding.get()).toEqual(before);
  },
);

it("keeps an original value through a refresh between a rename that was killed and its repetition", async () => {
  const before = await world.client.branding.get();
  const [first, second] = [wired("branding", { colour: "#111111" }), wired("branding", { colour: "#222222" })];
  const old = await world.create("branding", first);
  world.service.configure({ faults: [{ kind: "hang", operation: "branding.update" }] });
  void world.create("branding", second).catch(() => undefined);
  const isWritten = () => world.service.data().accounts.some(({ branding }) => branding.colour === "#222222");
  await vi.waitUntil(isWritten, { timeout: 30_000 });
  world.service.configure({ faults: [] });
  const refreshed = await old.read();
  const phase = world.phase();
  const made = await world.create("branding", second, phase);
  await refreshed.delete(phase);
  // As the second run does that records what the former resource has left.
  await (await made.update(second)).delete();
  expect(await world.client.branding.get()).toEqual(before);
});
