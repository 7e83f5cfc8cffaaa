/** Creates many objects while answers are lost, and counts. Small in the tests, large in `npm run bench reliability`. */
import type { Emulator, Fault, Seed, SettingsInput } from "../../emulator";
import { stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { disagreements } from "./agreement";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";

/** Three of ten creations are carried out and never answered. */
export const cuts: Fault[] = [{ kind: "cut-after", method: "POST", probability: 0.3 }];
/** The same at a service that is busy besides. */
export const mix: Fault[] = [
  { kind: "status", status: 429, probability: 0.05 },
  { kind: "status", status: 503, probability: 0.05 },
  ...cuts,
];

export const webhooks = (count: number, more: Record<string, unknown> = {}): Wanted[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "Webhook",
    name: `hook-${i}`,
    args: { type: "signed-envelope", url: `https://receiver.example/${i}`, ...more },
  }));

export const companies = (count: number): Wanted[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "Company",
    name: `firm-${i}`,
    args: { name: `Firm ${i}`, userName: "U", userEmail: `u${i}@firm-${i}.example`, deletionProtection: false },
  }));

export interface Trial {
  program: Wanted[];
  settings?: SettingsInput;
  seed?: Seed;
  /** What somebody else does meanwhile, after so many requests; resolves to the ids of their objects. */
  meanwhile?: (service: Emulator) => Promise<string[]>;
}

export interface Figures {
  failures: string[];
  problems: string[];
  requests: number;
  requestsPerObject: number;
  lost: number;
  milliseconds: number;
}

/** One run. */
export async function trial({ program, settings = {}, seed, meanwhile }: Trial): Promise<Figures> {
  const world = await stage({ ...settings, seed });
  try {
    const theirs = new Set(world.service.data().accounts.flatMap(({ webhooks: all }) => all.map(({ id }) => id)));
    const engine = new Engine();
    const begin = performance.now();
    const others = meanwhile?.(world.service);
    const { failures } = await engine.up(program, hooksHere(world));
    const milliseconds = performance.now() - begin;
    for (const id of (await others) ?? []) theirs.add(id);
    const counts = world.service.counts();
    return {
      failures,
      problems: disagreements(world.service.data(), [...engine.state.values()], theirs),
      requests: counts.total,
      requestsPerObject: counts.total / program.length,
      lost: counts.byFault["cut-after"] ?? 0,
      milliseconds,
    };
  } finally {
    await world.service.close();
  }
}
