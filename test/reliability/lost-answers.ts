/** Creates many objects while answers are lost, and counts. Small in the tests, large in `npm run bench reliability`. */
import { type Emulator, type Fault, type Seed, type SettingsInput, start } from "../../emulator";
import type { Clock } from "../../provider/core/clock";
import { connect } from "../../sdk";
import { stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { Stack } from "./stack";

/** Three of ten creations are applied and never answered. */
export const cuts: Fault[] = [{ kind: "cut-after", method: "POST", probability: 0.3 }];
/** A gateway's word that something behind it failed, before the create or after it. */
export const unavailable = (probability: number): Fault[] => [
  { kind: "html", operation: "webhooks.create", status: 503, commit: true, probability: probability / 2 },
  { kind: "html", operation: "webhooks.create", status: 503, commit: false, probability: probability / 2 },
];
/** The same at a service that is busy besides. */
export const mix: Fault[] = [
  { kind: "status", status: 429, probability: 0.05 },
  { kind: "status", status: 503, probability: 0.05 },
  ...cuts,
];

export interface Trial {
  program: Wanted[];
  settings?: SettingsInput;
  seed?: Seed;
  /** What is done outside Pulumi meanwhile, after so many requests; resolves to the ids of these objects. */
  meanwhile?: (service: Emulator) => Promise<string[]>;
  /** How long the hooks wait. Default: by the virtual clock. */
  clock?: Clock;
}

/** One run. */
export async function trial({ program, settings = {}, seed, meanwhile, clock }: Trial) {
  const world = await stage({ ...settings, seed });
  if (clock !== undefined) world.clock = clock;
  try {
    const theirs = new Set(world.service.data().accounts.flatMap(({ webhooks: all }) => all.map(({ id }) => id)));
    const stack = new Stack(world);
    const begin = performance.now();
    const others = meanwhile?.(world.service);
    const { failures } = await stack.up(program);
    const milliseconds = performance.now() - begin;
    for (const id of (await others) ?? []) theirs.add(id);
    const counts = world.service.counts();
    return {
      failures,
      problems: stack.disagreements(theirs),
      requests: counts.total,
      requestsPerObject: counts.total / program.length,
      lost: counts.byFault["cut-after"] ?? 0,
      milliseconds,
    };
  } finally {
    await world.service.close();
  }
}

/** The simplest thing that works while lists show every write at once: after a failure it lists, and sends again what is not there. Milliseconds. */
export async function listAndRetry(urls: string[], settings: SettingsInput, width = 8): Promise<number> {
  const service = await start(settings);
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner, retries: 0 });
  const queue = [...urls];
  const worker = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const create = () => client.webhooks.create({ webhook_type: "signed-envelope", webhook_url: url! });
      const isCreated = async () => (await client.webhooks.list().all()).some(({ webhook_url }) => webhook_url === url);
      while (
        !(await create().then(
          () => true,
          () => isCreated(),
        ))
      );
    }
  };
  try {
    const begin = performance.now();
    await Promise.all(Array.from({ length: width }, worker));
    return performance.now() - begin;
  } finally {
    await service.close();
  }
}
