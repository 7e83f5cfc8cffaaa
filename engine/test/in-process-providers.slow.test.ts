/** Providers in the engine's own process: their arguments, and how their results and errors are processed. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openProject } from "../backend/project";
import type { EngineEvent } from "../events";
import type {
  InProcessHost,
  InProcessProvider,
  InProcessProviders,
  RecordedState,
} from "../resource/in-process-providers";
import { secret, type ValueMap } from "../resource/property-value";
import { InitError } from "../resource/provider-interface";
import { storage } from "./yaml-program";

const root = mkdtempSync(join(tmpdir(), "in-process-providers-"));
afterAll(() => rmSync(root, { recursive: true }));

interface Service extends Partial<InProcessProvider> {
  hosts?: InProcessHost[];
  /** For each check, the recorded state of its instance and its arguments. */
  checks?: { recorded: RecordedState; dependencies: Readonly<Record<string, readonly string[]>> }[];
  /** For each closed instance, the value of `isSaved`. */
  closed?: boolean[];
  /** The error on closing an instance. */
  closing?: Error;
}

/** Serves buckets of a service with these responses. */
const serve = (service: Service): InProcessProviders => ({
  serves: ({ name, version }) => name === "storage" && version !== "9.0.0",
  schema: async () => storage,
  async load(host) {
    service.hosts = [...(service.hosts ?? []), host];
    return {
      checkConfig: async (_urn, _olds, news) => ({ inputs: news, failures: [] }),
      diffConfig: async () => ({ changes: "none", replaces: [], deleteBeforeReplace: false }),
      open: (_reference, _settings, recorded) => ({
        check: async (_urn, _olds, news, dependencies = {}) => {
          service.checks = [...(service.checks ?? []), { recorded, dependencies }];
          return { inputs: news, failures: [] };
        },
        diff: async () => ({ changes: "none", replaces: [], deleteBeforeReplace: false }),
        create: async (urn, news) => ({ id: urn.split("::").at(-1)!, outputs: { ...news } }),
        update: async (_urn, _id, _old, news) => news,
        read: async (_urn, id, inputs, state) => ({ id, inputs, outputs: state }),
        delete: async () => undefined,
        invoke: async () => ({ result: {}, failures: [] }),
        construct: () => Promise.reject(new Error("no components")),
        ...service,
        close: (isSaved) => {
          service.closed = [...(service.closed ?? []), isSaved];
          if (service.closing) throw service.closing;
        },
      }),
    };
  },
});

let count = 0;
async function stackOf(resources: string, service: Service) {
  const dir = join(root, String(count++));
  mkdirSync(dir);
  writeFileSync(join(dir, "Pulumi.yaml"), `name: shop\nruntime: yaml\nresources:\n${resources}`);
  const env = { PULUMI_CONFIG_PASSPHRASE: "p", PULUMI_BACKEND_URL: `file://${dir}`, PULUMI_HOME: dir, OWN: "yes" };
  const stack = await (await openProject({ dir, env, inProcessProviders: serve(service) })).initStack("dev");
  const events: EngineEvent[] = [];
  const run = (operation: "update" | "preview" | "destroy" = "update") =>
    stack.run(operation, { onEvent: (event) => events.push(event) });
  const state = () => {
    const folder = join(dir, ".pulumi/stacks/shop");
    const file = readdirSync(folder).find((name) => name === "dev.json")!;
    return JSON.parse(readFileSync(join(folder, file), "utf8")).checkpoint.latest as {
      resources: { urn: string; id?: string; outputs?: ValueMap }[];
      pending_operations?: unknown[];
    };
  };
  const errors = () =>
    events.flatMap((event) => (event.type === "diagnostic" && event.severity === "error" ? [event.message] : []));
  return { run, state, errors, dir };
}

const bucket = (name: string, more = "") =>
  `  ${name}: { type: storage:Bucket, properties: { label: ${name} }${more} }\n`;

it("are given values as messages carry them, and the run that they serve", async () => {
  const service: Service = {
    create: async (_urn, news) => ({ id: "1", outputs: { z: 1, a: { y: 2, b: undefined as never }, ...news } }),
  };
  const { run, state, dir } = await stackOf(bucket("b"), service);
  expect((await run()).ok).toBe(true);
  const created = state().resources.find(({ id }) => id === "1");
  expect(JSON.stringify(created?.outputs)).toBe('{"a":{"y":2},"label":"b","z":1}');
  expect(
    service.hosts?.map(({ project, stack, programDirectory, env }) => [project, stack, programDirectory, env.OWN]),
  ).toEqual([["shop", "dev", dir, "yes"]]);
  expect((await run("preview")).ok).toBe(true);
  expect(service.closed).toEqual([true, false]);
});

it("are given the state before the run, and what each argument depends on", async () => {
  const service: Service = {};
  const second = "  c: { type: storage:Bucket, properties: { label: '${b.id}' } }\n";
  const other =
    "  p: { type: pulumi:providers:storage }\n  d: { type: storage:Bucket, properties: { label: d }, options: { provider: '${p}' } }\n";
  const { run, errors } = await stackOf(bucket("b") + second + other, service);
  expect((await run()).ok, errors().join()).toBe(true);
  expect(service.checks?.map(({ recorded }) => [recorded.own.length, recorded.ids.size])).toEqual(
    Array(3).fill([0, 0]),
  );
  const dependencies = service.checks?.map((each) => each.dependencies.label ?? []);
  expect(dependencies?.filter((urns) => urns.length > 0)).toEqual([[expect.stringMatching(/::b$/)]]);
  service.checks = [];
  expect((await run()).ok).toBe(true);
  const own = service.checks.map(({ recorded }) => recorded.own.map(({ id }) => id).sort());
  expect(own.sort((a, b) => a.length - b.length)).toEqual([["d"], ["b", "c"], ["b", "c"]]);
  const ids = service.checks.map(({ recorded }) => recorded.ids);
  expect([...ids[0]!]).toEqual([["storage:index:Bucket", new Set(["b", "c", "d"])]]);
  // Once, independently of the number of instances.
  expect(new Set(ids).size).toBe(1);
});

it("an object that is made but not as it should be is kept, with its secrets", async () => {
  const create = () => Promise.reject(new InitError("1", { z: secret("hush"), a: "b" }, ["half of it"]));
  const { run, state, errors } = await stackOf(bucket("b"), { create });
  expect((await run()).ok).toBe(false);
  expect(errors().join()).toContain("half of it");
  expect(state().resources.find(({ id }) => id === "1")?.outputs).toMatchObject({
    a: "b",
    z: { ciphertext: expect.anything() },
  });
});

it("a failure that nothing waits for stops the run, which saves what it has, and does not end the process", async () => {
  const create: InProcessProvider["create"] = async (urn, news) => {
    if (urn.endsWith("::b")) void Promise.reject(new Error("came apart"));
    // The run continues until the rejection is noticed.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { id: urn.split("::").at(-1)!, outputs: news };
  };
  const { run, state, errors } = await stackOf(bucket("b") + bucket("c", ', options: { dependsOn: ["${b}"] }'), {
    create,
  });
  expect((await run()).ok).toBe(false);
  expect(errors().join()).toContain("came apart");
  expect(
    state()
      .resources.map(({ id }) => id)
      .filter((id) => id === "b" || id === "c"),
  ).toEqual(["b"]);
  expect(state().pending_operations ?? []).toEqual([]);
});

it("another version than theirs is not served, and without a process that is said before anything is made", async () => {
  const { run, errors, state } = await stackOf(bucket("b", ', options: { version: "9.0.0" }'), {});
  expect((await run()).ok).toBe(false);
  expect(errors().join()).toContain("the provider of the package storage 9.0.0 is not part of this command");
  expect(state().resources.some(({ id }) => id === "b")).toBe(false);
});

it("one that cannot be closed is no failure of a run that has saved its state", async () => {
  const { run, state, dir } = await stackOf(bucket("b"), { closing: new Error("EBUSY") });
  expect((await run()).ok).toBe(true);
  expect(state().resources.map(({ id }) => id)).toContain("b");
  expect(readdirSync(join(dir, ".pulumi")).sort()).toContain("history");
});

it("a function without an answer does not keep a run that has failed from its end", async () => {
  const service: Service = {
    invoke: () => new Promise(() => undefined),
    create: () => Promise.reject(new Error("refused")),
  };
  const variables = "variables: { v: { fn::invoke: { function: storage:getBuckets, arguments: { prefix: x } } } }\n";
  const { run, errors } = await stackOf(`${bucket("b")}${variables}`, service);
  expect((await run()).ok).toBe(false);
  expect(errors().join()).toContain("refused");
});
