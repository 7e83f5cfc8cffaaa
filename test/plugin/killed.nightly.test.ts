/** The built plugin, killed when the service has applied a write whose response it waits for: the next process finishes it. */
import { once } from "node:events";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Properties, unwrap } from "../../provider/core/pulumi-values";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { Line } from "../reliability/line";
import { PluginClient, urnOf } from "./client";
import { spawnPlugin } from "./spawn-plugin";
import { startEngine } from "./start";

const service = useEmulator();
let line: Line;
beforeAll(async () => {
  line = await Line.to(service.url);
});
afterAll(() => line.close());
const settings = () => ({ apiKey: service.keys.partner, baseUrl: line.url });
const client = () => connect(settings());

/** A process in the folder of a program, configured. */
async function started(cwd: string) {
  const file = join(__dirname, "../../dist/plugin/bin/index.js");
  const { child, port } = await spawnPlugin(file, (await startEngine()).address, cwd);
  const connection = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => connection.close());
  const plugin = new PluginClient(connection);
  await plugin.configure(settings());
  return { plugin, child };
}

/** Begins something in a process of its own, and kills that when the service has applied the write. */
async function kill(cwd: string, begin: (plugin: PluginClient) => Promise<unknown>): Promise<void> {
  const { plugin, child } = await started(cwd);
  const applied = line.strikeAt("after", 1);
  const ended = begin(plugin).then(
    () => "answered",
    () => "lost",
  );
  await Promise.race([applied, ended]);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  expect(await ended).toBe("lost");
  line.cut();
}

const kinds: [kind: string, args: Properties, change: Properties][] = [
  ["Webhook", { type: "all", url: "https://r.example/one" }, { url: "https://r.example/two" }],
  [
    "Company",
    { name: "Firm", userName: "Ann", userEmail: "ann@firm.example", deletionProtection: false },
    { name: "Renamed" },
  ],
  ["Branding", { colour: "#112233" }, { colour: "#445566" }],
];

describe.each(kinds)("%s", (kind, args, change) => {
  const urn = urnOf(kind, "it");
  /** What the account has, without the times at which it was written. */
  const live = async () =>
    kind === "Webhook"
      ? (await client().webhooks.list().all()).map(({ webhook_url }) => webhook_url)
      : kind === "Company"
        ? (await client().companies.list().all()).map(({ company_name }) => company_name)
        : [(await client().branding.get()).branding_colour];
  const contentOf = (properties: Properties) => properties.url ?? properties.name ?? properties.colour;

  it("is created, updated and deleted once, whichever of these is killed", async () => {
    await service.reset();
    const original = await live();
    const cwd = temporaryFolder();
    const news = { ...args, ...change };
    const { plugin: first } = await started(cwd);
    const { inputs } = await first.check(urn, {}, args);
    await kill(cwd, (plugin) => plugin.create(urn, inputs));
    const { plugin: second } = await started(cwd);
    await second.check(urn, {}, args);
    const { id, outs } = await second.create(urn, inputs);
    expect(await live()).toEqual([...(kind === "Branding" ? [] : original), contentOf(args)]);
    // The key that only the response which was lost had.
    if (kind === "Company") await connect({ ...settings(), apiKey: unwrap(outs.apiKey) as string }).branding.get();

    await kill(cwd, (plugin) => plugin.update(urn, id, outs, news));
    const { plugin: third } = await started(cwd);
    expect(await third.diff(urn, id, outs, news)).toMatchObject({ isChanged: true, replaces: [] });
    const state = await third.update(urn, id, outs, news);
    expect(await live()).toEqual([...(kind === "Branding" ? [] : original), contentOf(news)]);

    await kill(cwd, (plugin) => plugin.delete(urn, id, state));
    await (await started(cwd)).plugin.delete(urn, id, state);
    expect(await live()).toEqual(original);
  });
});
