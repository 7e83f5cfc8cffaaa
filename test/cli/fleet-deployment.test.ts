/** The deployment of a customer's stack, whatever the engine: what is counted, and what is not applied. */
import { beforeEach, expect, it, vi } from "vitest";
import type { FleetStack } from "../../cli/fleet/engine/fleet-engine";
import { runOnStack } from "../../cli/fleet/stack/stack-operation";
import type { EngineEvent, Operation, ResourceView, RunOptions, StepInfo } from "../../engine/index";
import { providerKind, unevaluated } from "../../provider/plan/effect";
import { EffectReporter } from "../../provider/reporting/effect-reporter";
import { temporaryFolder } from "../files";

const urnOf = (type: string, name = "it") => `urn:pulumi:dev::shop::${type}::${name}`;
const company = "pulumi-nodejs:dynamic/esign:Company";

beforeEach(() => {
  for (const name of ["ESIGN_API_KEY", "ESIGN_BASE_URL"]) vi.stubEnv(name, undefined);
});

interface World {
  /** The steps of a run, which may report what they do. */
  steps: (reporter: EffectReporter) => StepInfo[];
  state?: ResourceView[];
  /** Errors of a run. */
  errors?: string[];
}

/** A stack of an engine that does nothing, and says which runs it was asked for. */
function stackOf({ steps, state = [], errors = [] }: World) {
  const runs: string[] = [];
  const run = async (operation: Operation, options: RunOptions) => {
    const preview = operation === "preview" || options.preview === true;
    runs.push(preview ? `preview of ${operation}` : operation);
    const emit = (event: EngineEvent) => options.onEvent?.(event);
    const status = preview ? "planned" : "done";
    for (const step of steps(new EffectReporter(options.env ?? {}))) emit({ type: "step", status, step });
    for (const message of errors) emit({ type: "diagnostic", severity: "error", source: "engine", message });
    const result = {
      ...{ operation, preview, ok: errors.length === 0, cancelled: false, durationMs: 1, outputs: {}, stateWrites: 0 },
      changes: { same: 1, update: 1 },
    };
    emit({ type: "end", result });
    return result;
  };
  const stack: FleetStack = {
    stack: {
      ...{ name: "dev", project: "shop", programDirectory: temporaryFolder(), engine: "none", verifiesDeletions: true },
      run,
      resources: async () => state,
      setConfig: async () => undefined,
      assertReady: async () => undefined,
      prepare: async () => undefined,
      close: async () => undefined,
    },
    account: async () => ({ label: undefined, configuration: async () => ({ get: () => undefined }) }),
    configuration: {
      read: async () => ({}),
      ...{ setAll: async () => undefined, setSecret: async () => undefined },
      ...{ removeAll: async () => undefined, restore: async () => undefined },
    },
  };
  const deploy = (operation: Parameters<typeof runOnStack>[0]) =>
    runOnStack(operation, stack, { env: {}, message: undefined, onWait: () => undefined });
  return { runs, deploy };
}

it("what an explicit provider serves is not read while its key is unknown, as in the plan of one stack", async () => {
  const steps = ["esign:index:Company", "esign:index:Webhook"].map(
    (type): StepInfo => ({ urn: urnOf(type), type, name: "it", op: "create", custom: true }),
  );
  const { deploy } = stackOf({
    steps: (reporter) => {
      reporter.reportPlan(providerKind, { urn: urnOf("pulumi:providers:esign", "firm") }, unevaluated);
      reporter.reportPlan("Company", steps[0]!, { effect: "create", writes: 1 });
      return steps;
    },
  });
  expect(await deploy("preview")).toEqual({
    changes: { create: 2 },
    account: { effects: { create: 1, unread: 1 }, writes: { least: 1 }, unread: 1 },
    isStateChanged: true,
  });
});

const resource = (outputs: Record<string, unknown>, type = company): ResourceView =>
  ({ urn: urnOf(type), type, id: "1", custom: true, inputs: {}, outputs, dependencies: [] }) as unknown as ResourceView;
const deletion = (type = company, more: Partial<StepInfo> = {}): StepInfo => ({
  ...{ op: "delete", urn: urnOf(type), type, name: "it", custom: true, id: "1" },
  ...more,
});

it.each(["destroy", "preview"] as const)("a %s that the provider would refuse is not applied", async (operation) => {
  const { deploy, runs } = stackOf({ steps: () => [deletion()], state: [resource({})] });
  await expect(deploy(operation)).rejects.toThrow(
    /^Company "it": deletionProtection protects the company and all data in it \(ESIGN1040\)/,
  );
  expect(runs).toEqual([operation === "destroy" ? "preview of destroy" : "preview of preview"]);
});

it.each([
  ["is not protected", deletion(), resource({ deletionProtection: false })],
  ["leaves the state alone", deletion(company, { retained: true }), resource({})],
  ["stays", deletion(company, { op: "same" }), resource({})],
  ["is of another package", deletion("random:index:Pet"), resource({}, "random:index:Pet")],
])("a destroy of what %s is applied", async (_, step, state) => {
  const { deploy, runs } = stackOf({ steps: () => [step], state: [state] });
  await deploy("destroy");
  expect(runs).toEqual(["preview of destroy", "destroy"]);
});

it.each([
  ["up", ["update"]],
  ["refresh", ["refresh"]],
  ["drift", ["preview of refresh"]],
] as const)("%s is one run, and what it reports is the reason where it fails", async (operation, expected) => {
  const { deploy, runs } = stackOf({ steps: () => [] });
  const counted = { changes: { same: 1, update: 1 } };
  expect(await deploy(operation)).toMatchObject(operation === "up" ? { isStateChanged: true } : counted);
  expect(runs).toEqual(expected);
  const failing = stackOf({ steps: () => [], errors: ["error: of a name", "two\nlines"] });
  await expect(failing.deploy(operation)).rejects.toThrow("error: of a name\ntwo\n  lines");
});
