/** Previews and updates of hooks in this process, and the effects that they report. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childUrn, nameOf, projectOf, stackOf, typeOf } from "../../engine/resource/urn";
import { resourceArg } from "../../provider/core/hidden-argument";
import { type Properties, UNKNOWN, unwrapAll } from "../../provider/core/pulumi-values";
import type { EffectRecord } from "../../provider/plan/effect";
import { definitions, type HandlerName } from "../../provider/resources/index";
import { urnOf } from "../plugin/client";
import { type Phase, type Stage, wired } from "./handlers";

/** A resource of a program, and its entry in the state if it has one. */
export interface Declared {
  handler: HandlerName;
  name: string;
  args: Properties;
  /** Type of the component that it is in. */
  parent?: string;
  secrets?: string[];
  /** Name of the company that it is in, if that is a resource of the program before it. */
  company?: string;
  /** True if the engine replaces it without asking what has changed (`--replace`). */
  isForced?: boolean;
  state?: { id: string; inputs: Properties; outs: Properties } | undefined;
}

/** With the name that the resource's URN has. */
type NamedEffect = EffectRecord & { name?: string };

export interface Run {
  phase: Phase;
  /** Why checks and diffs failed. */
  refusals: string[];
  /** The last record of each resource. */
  effects: NamedEffect[];
  /** Requests of the run, as `GET /v1/branding`. */
  requests: string[];
}

const effectsIn = (file: string): NamedEffect[] => {
  const records = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const last = new Map<string, EffectRecord>();
  for (const line of records) {
    const record = JSON.parse(line) as EffectRecord;
    const isPlanned = !record.done && record.urn !== undefined;
    last.set(isPlanned ? record.urn! : `${record.kind} ${record.id}`, record);
  }
  return [...last.values()].map((record) => ({ ...record, ...(record.urn && { name: nameOf(record.urn) }) }));
};

export const isWrite = (request: string) => !request.startsWith("GET ");

/** Runs hooks as an engine does: resource by resource, until a check or a diff fails. */
async function run(
  world: Stage,
  options: { hasReader?: boolean; settings?: Record<string, string>; environment?: Record<string, string> },
  work: (phase: Phase, refusals: string[]) => Promise<void>,
): Promise<Run> {
  const file = join(mkdtempSync(join(tmpdir(), "esign-effects-")), "effects");
  writeFileSync(file, "", { mode: 0o600 });
  const before = world.service.requests().length;
  const environment = { ...(options.hasReader !== false && { ESIGN_EFFECTS_FILE: file }), ...options.environment };
  const phase = world.phase(options.settings, "", environment);
  const refusals: string[] = [];
  await work(phase, refusals);
  const requests = world.service.requests().slice(before);
  return {
    phase,
    refusals,
    effects: effectsIn(file),
    requests: requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`),
  };
}

type Options = Parameters<typeof run>[1];

function urnIn({ handler, name, parent }: Declared): string {
  const urn = urnOf(definitions[handler].kind, name);
  return parent === undefined ? urn : childUrn(stackOf(urn), projectOf(urn), urnOf(parent, ""), typeOf(urn), name);
}

/** What the class passes of a resource. */
function passed(resources: readonly Declared[], one: Declared, isPreview: boolean): Properties {
  const { args, secrets = [] } = one;
  const company = resources.find((each) => each.handler === "company" && each.name === one.company);
  return {
    ...args,
    ...(company && { account: company.state?.id ?? UNKNOWN }),
    [resourceArg]: {
      ...{ secrets, declared: resources.length, urn: urnIn(one), isPreview },
      ...(company && { company: urnIn(company) }),
    },
  };
}

async function plan(phase: Phase, resources: readonly Declared[], refusals: string[]): Promise<void> {
  for (const one of resources) {
    const { handler, state, isForced } = one;
    const args = passed(resources, one, true);
    const { inputs, failures } = await phase[handler].check(state?.inputs ?? {}, args);
    refusals.push(...failures.map(({ reason }) => reason));
    if (failures.length > 0) return;
    if (state === undefined) continue;
    if (!isForced) {
      const diff = await phase[handler]
        .diff(state.id, wired(handler, unwrapAll(state.outs)), inputs)
        .catch(({ message }: Error) => void refusals.push(message));
      if (diff === undefined) return;
      if (diff.replaces.length === 0) continue;
    }
    const again = await phase[handler].check({}, args);
    refusals.push(...again.failures.map(({ reason }) => reason));
    if (again.failures.length > 0) return;
  }
}

export const preview = (world: Stage, resources: readonly Declared[], options: Options = {}): Promise<Run> =>
  run(world, options, (phase, refusals) => plan(phase, resources, refusals));

/** Creates or updates all resources, at the same time, after all were registered; then what is in a company that is there. What fails is in `refusals`. */
export const update = (world: Stage, resources: Declared[], options: Options = {}): Promise<Run> =>
  run(world, options, async (phase, refusals) => {
    await apply(phase, resources, ({ company }) => company === undefined, refusals);
    const hasId = ({ handler, state }: Declared) => handler === "company" && state !== undefined;
    const companies = resources.filter(hasId).map(({ name }) => name);
    await apply(phase, resources, ({ company = "" }) => companies.includes(company), refusals);
  });

async function apply(
  phase: Phase,
  resources: readonly Declared[],
  isApplied: (one: Declared) => boolean,
  refusals: string[],
): Promise<void> {
  const steps: (() => Promise<void>)[] = [];
  for (const resource of resources.filter(isApplied)) {
    const { handler, state } = resource;
    const { inputs, failures } = await phase[handler].check(state?.inputs ?? {}, passed(resources, resource, false));
    refusals.push(...failures.map(({ reason }) => reason));
    if (failures.length > 0) return;
    if (state === undefined) {
      steps.push(async () => {
        const { id, outs } = await phase[handler].create(wired(handler, inputs));
        resource.state = { id, inputs, outs };
      });
      continue;
    }
    const olds = wired(handler, unwrapAll(state.outs));
    const diff = await phase[handler]
      .diff(state.id, olds, inputs)
      .catch(({ message }: Error) => void refusals.push(message));
    if (diff === undefined) return;
    if (!diff.changes) continue;
    steps.push(async () => {
      const { outs } = await phase[handler].update(state.id, olds, wired(handler, inputs));
      resource.state = { id: state.id, inputs, outs };
    });
  }
  await Promise.all(steps.map((step) => step().catch(({ message }: Error) => void refusals.push(message))));
}
