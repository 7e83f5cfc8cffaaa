/** Components for programs in other languages, in the built plugin: what they register, and what they return. */
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { version } from "../../package.json";
import { isSecret, type Properties, secret, UNKNOWN, unknownOutput, unwrap } from "../../provider/core/pulumi-values";
import { temporaryFolder } from "../files";
import { PluginClient } from "./client";
import { construct } from "./construct";
import { startMonitor } from "./monitor";
import { spawnPlugin } from "./spawn-plugin";
import { startEngine } from "./start";

const plugin = join(__dirname, "../../dist/plugin/bin/index.js");
const company = { companyId: "77", apiKey: secret("hush") };
const ann = { userName: "Ann", userEmail: "ann@firm.example" };

/** The port of a process of the plugin that serves all tests but the one that configures it. */
let shared: number;
const ends: (() => void)[] = [];
beforeAll(async () => {
  const atEnd = (end: () => void) => void ends.unshift(end);
  const { address } = await startEngine(atEnd);
  shared = (await spawnPlugin(plugin, address, temporaryFolder(), atEnd)).port;
});
afterAll(() => {
  for (const end of ends) end();
});

async function started({
  outputs = { "esign:index:Company": company } as Record<string, Properties>,
  refused = "",
  port = shared,
} = {}) {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  const monitor = await startMonitor({ outputs, refused });
  const make = (type: string, name: string, args: Properties, isPreview = false, providers = {}) =>
    construct(client, monitor, type, name, args, isPreview, providers);
  return { client, make, registered: monitor.registered };
}

/** Constructs a component called `it`. */
async function made(type: string, args: Properties) {
  const { make, registered } = await started();
  return { ...(await make(type, "it", args)), registered };
}

describe("a SubAccount", () => {
  it("registers its company below it, with the type that stacks of dynamic resources have, and returns id and key", async () => {
    const args = { name: "Firm", ...ann, deletionProtection: false };
    const { urn, state, registered } = await made("SubAccount", args);
    expect(urn).toBe("urn:pulumi:dev::shop::esign:index:SubAccount::it");
    expect(state).toEqual(company);
    expect(registered).toMatchObject([
      { type: "esign:index:SubAccount", name: "it", parent: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev" },
      {
        ...{ type: "esign:index:Company", name: "it", parent: urn, inputs: args, version, protect: false },
        aliases: ["pulumi-nodejs:dynamic/esign:Company"],
      },
    ]);
    // What only the dynamic provider needs is not passed.
    expect(Object.keys(registered[1]!.inputs).filter((name) => name.startsWith("__"))).toEqual([]);
  });

  it("protects its company by default", async () => {
    const { registered } = await made("SubAccount", { name: "Firm", ...ann });
    expect(registered.map(({ protect }) => protect)).toEqual([false, true]);
  });

  it("has its resources served by the process itself, as far as an engine says which that is and the program names none", async () => {
    const { port } = await spawnPlugin(plugin, (await startEngine()).address);
    const { client, make, registered } = await started({ port });
    const args = { name: "Firm", ...ann };
    const providerOf = (name: string) => registered.find((each) => each.name === name && each.inputs.name)!.provider;
    await make("SubAccount", "older", args);
    const request = new ConfigureRequest();
    request.setUrn("urn:pulumi:dev::shop::pulumi:providers:esign::default");
    request.setId("7");
    await new PluginClient(client).call((answer) => client.configure(request, answer));
    await make("SubAccount", "own", args);
    const other = "urn:pulumi:dev::shop::pulumi:providers:esign::other::8";
    await make("SubAccount", "explicit", args, false, { esign: other });
    expect(["older", "own", "explicit"].map(providerOf)).toEqual(["", `${request.getUrn()}::7`, other]);
  });

  it("of a folder has what is in it, in an account that a preview does not know yet", async () => {
    const folder = temporaryFolder({
      "company.yaml": "name: Firm\nuserName: Ann\nuserEmail: ann@firm.example\n",
      "account.yaml": 'branding:\n  colour: "#1A5FB4"\nwebhooks:\n  all:\n    type: all\n    url: ${hooks}/all\n',
    });
    const outputs = { "esign:index:Company": { companyId: UNKNOWN, apiKey: UNKNOWN } };
    const { make, registered } = await started({ outputs });
    const values = { hooks: "https://hooks.example" };
    const { state } = await make("SubAccount", "it", { folder, values }, true);
    expect(state).toMatchObject({ companyId: UNKNOWN });
    expect(registered.slice(1).map(({ type, name, inputs }) => [type, name, inputs])).toEqual([
      ["esign:index:Company", "it", { name: "Firm", ...ann }],
      ["esign:index:Branding", "it-branding", { account: UNKNOWN, colour: "#1A5FB4" }],
      ["esign:index:Webhook", "it-all", { account: UNKNOWN, type: "all", url: "https://hooks.example/all" }],
    ]);
  });

  it.each([
    [{ name: "Firm", ...ann, nmae: "x" }, /^SubAccount "it": nmae is not an argument.*name.*ESIGN1060/s],
    [
      { name: "Firm", ...ann, deletionProtection: secret(false) },
      /deletionProtection must be a plain value.*ESIGN1060/,
    ],
    [
      { name: "Firm", ...ann, folder: "x", values: unknownOutput() },
      /the names of values are not known yet.*ESIGN1060/,
    ],
    [{ name: "Firm" }, /^SubAccount "it": userName is missing.*ESIGN1060/],
    [{ folder: "/nowhere", name: "Firm", ...ann }, /^SubAccount "it": .*\/nowhere.*ESIGN1061/s],
  ])("that is invalid (%j) is refused before anything is created", async (args, message) => {
    const { make, registered } = await started();
    await expect(make("SubAccount", "it", args, true)).rejects.toThrow(message);
    expect(registered.filter(({ type }) => type === "esign:index:Company")).toEqual([]);
  });
});

it.each<[string, (value: unknown) => unknown]>([
  ["not known yet", () => UNKNOWN],
  ["secret, and not known yet", () => secret(UNKNOWN)],
  ["an output", (value) => ({ ...unknownOutput(), value, dependencies: ["urn:pulumi:dev::shop::a:b:C::c"] })],
  ["secret", secret],
])("of the values of a folder one is %s, and nothing else", async (_, wrap) => {
  const folder = temporaryFolder({
    "account.yaml": "branding:\n  colour: ${colour}\nwebhooks:\n  all:\n    type: all\n    url: ${hooks}/all\n",
  });
  const { make, registered } = await started();
  await make("AccountConfig", "it", { folder, values: { hooks: wrap("https://h.example"), colour: "#112233" } }, true);
  const inputsOf = (name: string) => registered.find((each) => each.name === name)!.inputs;
  expect(inputsOf("it-branding")).toEqual({ colour: "#112233" });
  const url = inputsOf("it-all").url;
  expect(isSecret(url)).toBe(wrap === secret);
  expect(unwrap(url)).toBe(unwrap(wrap("")) === UNKNOWN ? UNKNOWN : "https://h.example/all");
});

it("an AccountConfig returns the ids of its subaccounts by their directories, and secret values stay secret", async () => {
  const folder = temporaryFolder({
    "account.yaml": "webhooks:\n  all:\n    type: all\n    url: ${hooks}/all\n",
    "companies/acme/company.yaml": "name: Acme\nuserName: Ann\nuserEmail: ann@acme.example\n",
  });
  const values = { hooks: secret("https://hush.example") };
  const { state, registered } = await made("AccountConfig", { folder, values });
  expect(state).toEqual({ companyIds: { acme: "77" } });
  expect(registered.map(({ type, name }) => `${type.replace("esign:index:", "")} ${name}`).sort()).toEqual([
    "AccountConfig it",
    "Company it-acme",
    "SubAccount it-acme",
    "Webhook it-all",
  ]);
  expect(registered.find(({ name }) => name === "it-all")!.inputs.url).toEqual(secret("https://hush.example/all"));
});

it("what the engine refuses is an error of its component, and the process goes on", async () => {
  const { make, registered } = await started({ refused: "firm" });
  const args = { name: "Firm", ...ann };
  const results = await Promise.allSettled(["firm", "other"].map((name) => make("SubAccount", name, args)));
  expect(results).toMatchObject([
    { status: "rejected", reason: { message: expect.stringContaining("refused") } },
    { status: "rejected" },
  ]);
  await expect(make("SubAccount", "next", args)).resolves.toMatchObject({ state: company });
  expect(registered.map(({ name }) => name)).toContain("next");
});

it("another component is an error that names those there are", async () => {
  await expect(made("Account", {})).rejects.toThrow(
    "esign:index:Account is not a component of this plugin (esign:index:AccountConfig, esign:index:SubAccount)",
  );
});
