/** Runs YAML programs against a registrar that responds immediately, and records the registrations. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { parseConfigSchema } from "../config/config-schema";
import type { ConfigNode } from "../config/file-values";
import { goYamlReviver, goYamlTags } from "../config/go-yaml";
import { resolveConfig } from "../config/resolve-config";
import type { Registrar } from "../monitor/resource-monitor";
import type { ProgramResult } from "../plugin/language-host";
import type { Goal, ReadGoal } from "../resource/goal";
import type { PackageSchema } from "../resource/package-schema";
import type { ValueMap } from "../resource/property-value";
import type { FunctionCall, RegisterResult } from "../resource/provider-interface";
import { childUrn } from "../resource/urn";
import { runYamlProgram } from "../yaml/program";

/** A package of buckets. */
export const storage: PackageSchema = {
  name: "storage",
  provider: { inputProperties: { key: { type: "string", secret: true } } },
  resources: {
    "storage:index:Bucket": {
      inputProperties: {
        label: { type: "string" },
        size: { type: "integer" },
        isPublic: { type: "boolean" },
        tags: { type: "object" },
        list: { type: "array" },
        password: { type: "string", secret: true },
        any: { $ref: "pulumi.json#/Any" },
      },
      requiredInputs: ["label"],
      properties: { label: {}, address: {}, token: { secret: true } },
      aliases: [{ type: "old:index:Bucket" }],
    },
    "storage:index:Group": {
      isComponent: true,
      inputProperties: { label: { type: "string" } },
      properties: { first: {} },
    },
  },
  functions: {
    "storage:index:getBuckets": {
      inputs: { properties: { prefix: { type: "string" } } },
      outputs: { properties: { items: { type: "array", items: { $ref: "#/types/storage:index:BucketInfo" } } } },
    },
  },
  types: {
    "storage:index:BucketInfo": { properties: { label: { type: "string" }, any: { $ref: "pulumi.json#/Any" } } },
  },
};

export interface RunOptions {
  dryRun?: boolean;
  config?: Record<string, ConfigNode>;
  files?: Record<string, string>;
  /** The outputs of a registration besides its inputs. */
  outputs?: (goal: Goal) => ValueMap;
  outcome?: (goal: Goal) => RegisterResult["outcome"];
  invoke?: (call: FunctionCall) => ValueMap;
}

export interface Recorded {
  result: ProgramResult;
  goals: Goal[];
  reads: ReadGoal[];
  calls: FunctionCall[];
  outputs: ValueMap | undefined;
  /** By name. */
  goal(name: string): Goal;
}

export const urnOf = (type: string, name: string, parent = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev") =>
  childUrn("dev", "shop", type === "pulumi:pulumi:Stack" ? undefined : parent, type, name);

/** The text begins with the program's declarations; name and runtime are added before it. */
export async function runProgram(text: string, options: RunOptions = {}): Promise<Recorded> {
  const folder = mkdtempSync(join(tmpdir(), "yaml-program-"));
  const file = join(folder, "Pulumi.yaml");
  const whole = `name: shop\nruntime: yaml\n${text}`;
  writeFileSync(file, whole);
  for (const [name, content] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), content);
  const recorded: Recorded = {
    ...{ result: { ok: false }, goals: [], reads: [], calls: [], outputs: undefined },
    goal(name) {
      const found = this.goals.find((goal) => goal.name === name);
      if (found === undefined) throw new Error(`${name} was not registered: ${this.result.message}`);
      return found;
    },
  };
  try {
    const project = readLoosely(whole);
    const fail = (what: string): never => {
      throw new Error(what);
    };
    const declared = parseConfigSchema("shop", project.config, fail);
    const values = new Map(Object.entries(options.config ?? {}));
    const decrypting = { decrypt: (text: string) => text } as never;
    recorded.result = await runYamlProgram({
      project: "shop",
      stack: "dev",
      dryRun: options.dryRun === true,
      projectFile: file,
      projectDirectory: folder,
      programDirectory: folder,
      config: resolveConfig({ project: "shop", stack: "dev", values, declarations: declared, crypter: decrypting }),
      packages: [storage],
      registrar: recordingRegistrar(recorded, options),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return recorded;
}

/** A text that is not YAML has no configuration. */
function readLoosely(text: string): { config?: unknown } {
  try {
    return parse(text, goYamlReviver, { customTags: goYamlTags }) as { config?: unknown };
  } catch {
    return {};
  }
}

function recordingRegistrar(recorded: Recorded, { dryRun, outputs, outcome, invoke }: RunOptions): Registrar {
  return {
    async register(goal) {
      recorded.goals.push(goal);
      return {
        urn: urnOf(goal.type, goal.name, goal.parent),
        id: dryRun || !goal.custom ? "" : `id-of-${goal.name}`,
        outputs: { ...goal.inputs, ...outputs?.(goal) },
        outcome: outcome?.(goal) ?? "done",
      };
    },
    async read(goal) {
      recorded.reads.push(goal);
      const values = goal.inputs as ValueMap;
      return {
        urn: urnOf(goal.type, goal.name),
        id: goal.id,
        outputs: { ...values, outputs: { region: "west" } },
        outcome: "done",
      };
    },
    async registerOutputs(_urn, values) {
      recorded.outputs = values;
    },
    async construct(goal) {
      recorded.goals.push(goal);
      return {
        urn: urnOf(goal.type, goal.name),
        outputs: { first: "a" },
        dependencies: { first: ["urn:pulumi:dev::shop::t::inside"] },
      };
    },
    async invoke(call) {
      recorded.calls.push(call);
      return { result: invoke?.(call) ?? { items: ["x", "y"] }, failures: [] };
    },
    lookup: () => undefined,
  };
}
