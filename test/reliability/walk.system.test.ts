/**
 * Every request of every verb of every resource fails once, in turn, in every way. Whatever comes of that run: the state has
 * the ids and one-time keys of all that exists, the message says what happened and what to do, and the next run only finishes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Emulator, Fault } from "../../emulator";
import { longestWait } from "../../provider/objects/find-lost-create";
import { times } from "../chance";
import { type Stage, stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { disagreements, likeness } from "./agreement";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";
import { type Blow, blows, idleRequests, type Story, stories } from "./walk";

/** A request as the service's log names it: `PUT branding.update`. */
type Request = string;

/** A story's world, at the moment before the run in which requests fail. */
interface Opened {
  world: Stage;
  service: Emulator;
  engine: Engine;
  /** Objects that nobody declares at first. */
  theirs: ReadonlySet<string>;
  act(settings?: Record<string, string>): Promise<{ failures: string[]; steps: string[] }>;
  asked(): Request[];
  close(): Promise<void>;
}

const idsOf = (service: Emulator) =>
  new Set(
    service
      .data()
      .accounts.flatMap(({ id, parent, webhooks, users, contacts }) => [
        ...[...webhooks, ...users.slice(1), ...contacts].map((object) => object.id),
        ...(parent === undefined ? [] : [id]),
      ]),
  );
const folder = mkdtempSync(join(tmpdir(), "esign-walk-"));
let folders = 0;

async function open(story: Story): Promise<Opened> {
  const world = await stage();
  // Without repetitions each fault reaches the hook. Only what is never answered may run out of time, however busy the machine is.
  Object.assign(world.settings, { retries: "0", timeout: "240000" });
  rmSync(world.directory, { recursive: true });
  world.directory = join(folder, String(++folders));
  const { service } = world;
  const engine = new Engine();
  await story.before?.(world);
  const theirs = idsOf(service);
  if (story.from !== undefined) expect((await engine.up(story.from, hooksHere(world))).failures).toEqual([]);
  await story.between?.(world);
  service.clearLog();
  return {
    world,
    service,
    engine,
    theirs,
    act(settings) {
      const hooks = hooksHere(world, settings);
      if (story.act === "up") return engine.up(story.to!, hooks);
      return story.act === "refresh" ? engine.refresh(hooks) : engine.destroy(hooks);
    },
    asked: () => service.requests().map(({ method, operation }) => `${method} ${operation}`),
    close: () => service.close(),
  };
}

/** The end of a story, when all is well: nothing more to do, and after a destroy what is left. */
async function finish({ world, service, engine, asked }: Opened, story: Story, say: (problem: string) => void) {
  if (story.act !== "destroy") {
    service.clearLog();
    const program = story.to ?? story.from!;
    const { steps, failures } = await engine.up(program, hooksHere(world));
    for (const step of [...steps, ...failures]) say(`not settled: ${step}`);
    const requests = asked();
    if (requests.join() !== idleRequests(program).join()) say(`asked for nothing: ${requests}`);
    for (const failure of (await engine.destroy(hooksHere(world))).failures) say(`destroy: ${failure}`);
  }
  return whatIsLeft(service);
}

const whatIsLeft = async (service: Emulator) => JSON.stringify(await likeness(service)).replaceAll(service.url, "");

/** One story told without faults: its requests, and what it leaves. */
async function rehearse(story: Story): Promise<{ usual: Request[]; end: string }> {
  const opened = await open(story);
  const before = await whatIsLeft(opened.service);
  opened.service.clearLog();
  expect((await opened.act()).failures).toEqual([]);
  const usual = opened.asked();
  const problems: string[] = [];
  const end = await finish(opened, story, (problem) => problems.push(problem));
  expect(problems).toEqual([]);
  if (story.from === undefined && !story.takesOver) expect(end).toBe(before);
  await opened.close();
  return { usual, end };
}

/** What a message says of the object: untouched, perhaps changed, or there and kept. */
const outcomes =
  /[Nn]othing was changed|Other fields were restored|changed nothing|checks the account first|is in the account and recorded|did not change|still exists|the response was discarded|not deleted/;
const waysOut =
  /(Check|Contact|Raise|Lower|Rerun|Set|Try|Ask|Use|Refresh|Restore|If this persists|names the field)[^.]*(\. |$)/;
const messages = new Map<string, string>();
const secretsOf = (service: Emulator) =>
  service.data().accounts.flatMap(({ key }) => [
    key,
    Buffer.from(key).toString("hex"),
    // In Basic, at the begin of what is encoded.
    Buffer.from(key).toString("base64").slice(0, 20),
  ]);

/** The n-th request fails in one way. Answers everything that is wrong with what comes of it. */
async function strike(story: Story, usual: Request[], end: string, at: number, blow: Blow): Promise<string[]> {
  const request = usual[at]!;
  const [method, operation] = request.split(" ") as [string, Fault["operation"]];
  const nth = usual.slice(0, at + 1).filter((same) => same === request).length;
  const fault = blow.fault({ operation, nth }, method);
  if (fault === undefined) return [];
  const problems: string[] = [];
  const say = (problem: string) => problems.push(`${request} (${nth}), ${blow.name}: ${problem}`);
  const opened = await open(story);
  const { service, engine } = opened;
  const state = () => [...engine.state.values(), ...engine.replaced];
  const disagree = () => disagreements(service.data(), state(), opened.theirs);
  const secrets = secretsOf(service);
  try {
    service.configure({ faults: [fault] });
    const { failures } = await opened.act(blow.slow ? { timeout: "3000" } : {});
    // A request that is never answered is logged when the service sees that nobody waits for it any more.
    for (let tries = 0; Object.keys(service.counts().byFault).length === 0 && tries < 500; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const struck = Object.values(service.counts().byFault).reduce((sum, count) => sum + count, 0);
    if (struck !== 1) say(`${struck} requests failed`);
    service.configure({ faults: [] });
    for (const failure of failures) {
      if (!story.about.test(failure)) say(`unexpected message: ${failure}`);
      if (!/cannot read/.test(failure) && !outcomes.test(failure))
        say(`whether anything was changed is not said: ${failure}`);
      if (!waysOut.test(failure)) say(`no way out is said: ${failure}`);
      if (/hush/.test(failure)) say(`a value is shown: ${failure}`);
      if (secrets.some((secret) => failure.includes(secret))) say("a key is shown");
      const general = failure.replace(/^[\w-]+: /, "").replace(/\b\d{4,}\b/g, "N");
      messages.set(general, `${story.name}, ${request}, ${blow.name}`);
    }
    // What exists is in the state, with the key that only a creation tells. What is in the state exists, unless it was to go.
    const isGoing = story.act === "destroy" || /delete|replace|another name/.test(story.name);
    const lost = disagree().filter((problem) => (isGoing ? /orphan|key/ : /orphan|dangling|key/).test(problem));
    for (const problem of lost) say(`after it: ${problem}`);
    if (failures.length === 0 && story.act === "up") for (const problem of disagree()) say(`silent: ${problem}`);

    const first = service.requests();
    service.clearLog();
    const next = await opened.act();
    for (const failure of next.failures) say(`the next run fails: ${failure}`);
    if (story.act !== "refresh") for (const problem of disagree()) say(`at the end: ${problem}`);
    const second = service.requests();
    // A copy of a logo that has been made already has the address of before: whether it is another one is looked at.
    const mostToFinish = usual.length + (story.looksFor ? 2 : 0) + (story.hasLogo && story.act === "up" ? 1 : 0);
    const mostAgain = story.act === "refresh" ? usual.length : story.act === "up" ? idleRequests(story.to!).length : 0;
    const most = failures.length === 0 ? mostAgain : mostToFinish;
    if (second.length > most) say(`the next run has ${second.length} requests: ${opened.asked().join(", ")}`);
    const effective = [...first, ...second].filter(
      (entry) => entry.method !== "GET" && (entry.fault === undefined ? entry.status < 300 : blow.commits),
    );
    const wanted = usual.filter((each) => !each.startsWith("GET"));
    const isInParts = story.hasLogo || (blow.parts && (isGoing || story.inParts));
    const isRight = isInParts ? effective.length >= wanted.length : effective.length === wanted.length;
    if (!isRight)
      say(`written ${effective.length} times, not ${wanted.length}: ${effective.map((e) => e.operation).join(", ")}`);
    if ((await finish(opened, story, say)) !== end) say("the end is another");
  } catch (error) {
    say(`${error}`);
  }
  await opened.close();
  return problems;
}

/** So many at a time: most of them wait. */
function gate(width: number) {
  const queue: (() => void)[] = [];
  let free = width;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((go) => queue.push(go));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

/** `WALK=all`: everything in every way. Otherwise the ways take turns from story to story, nightly twice as many. */
const isWhole = process.env.WALK === "all";
/** `WALK_STORIES=User`: those of whose names this is a part. */
const chosen = stories.filter(({ name }) => name.includes(process.env.WALK_STORIES ?? ""));
const density = times > 1 ? 1 : 2;

async function walk(story: Story, pass: ReturnType<typeof gate>): Promise<string[]> {
  const { usual, end } = await pass(() => rehearse(story));
  const number = stories.indexOf(story);
  const cases = usual.flatMap((request, at) =>
    blows
      .filter((_, way) => isWhole || (number + at + way) % (density * (request.startsWith("GET") ? 6 : 3)) === 0)
      .map((blow) => pass(() => strike(story, usual, end, at, blow))),
  );
  return (await Promise.all(cases)).flat();
}

describe("each request fails once, in each way:", { timeout: 1_200_000 }, () => {
  const walks = new Map<string, Promise<string[]>>();
  beforeAll(() => {
    const pass = gate(24);
    for (const story of chosen) {
      const walking = walk(story, pass);
      walking.catch(() => undefined);
      walks.set(story.name, walking);
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    if (process.env.WALK_MESSAGES)
      for (const [message, where] of [...messages].sort()) console.log(`${message}\n    (${where})`);
  });

  it.each(chosen)("$name", async ({ name }) => {
    expect(await walks.get(name)).toEqual([]);
  });
});

describe("two things that fail together:", () => {
  const worlds: Stage[] = [];
  const begin = async () => {
    const world = await stage();
    worlds.push(world);
    Object.assign(world.settings, { retries: "0" });
    return world;
  };
  afterAll(() => Promise.all(worlds.map(({ service }) => service.close())));
  const hook = (onExisting: string): Wanted[] => [
    { kind: "Webhook", name: "hook", args: { type: "all", url: "https://r.example/", onExisting } },
  ];

  it.concurrent.each(["adopt", "fail", "create"])(
    "a lost answer that cannot be looked for is not sent again, and looked for by the next run (%s)",
    { timeout: 120_000 },
    async (onExisting) => {
      const world = await begin();
      world.service.configure({
        faults: [
          { kind: "cut-after", operation: "webhooks.create" },
          { kind: "status", status: 500, operation: "webhooks.list", from: 2 },
        ],
      });
      const engine = new Engine();
      const { failures } = await engine.up(hook(onExisting), hooksHere(world));
      expect(failures).toEqual([
        expect.stringMatching(/may have succeeded.*Rerun the command; it checks the account first/),
      ]);
      expect(world.service.requests().filter(({ method }) => method === "POST")).toHaveLength(1);
      world.service.configure({ faults: [] });
      expect((await engine.up(hook(onExisting), hooksHere(world))).failures).toEqual([]);
      expect(disagreements(world.service.data(), [...engine.state.values()])).toEqual([]);
    },
  );

  it.concurrent("a lost answer that the list does not show in time leaves it open whether there is one, though the next one is refused", {
    timeout: 120_000,
  }, async () => {
    const world = await begin();
    world.service.configure({
      // Each look comes too early, the next run does not.
      listLag: { ms: longestWait / 4 },
      faults: [
        { kind: "cut-after", operation: "webhooks.create", nth: 1 },
        { kind: "error", code: 10010, operation: "webhooks.create", nth: 2 },
      ],
    });
    const engine = new Engine();
    const { failures } = await engine.up(hook("adopt"), hooksHere(world));
    expect(failures).toEqual([expect.stringMatching(/10010.*may have succeeded.*checks the account first/)]);
    expect(failures.join()).not.toMatch(/[Nn]othing was changed/);
    world.service.configure({ faults: [] });
    await sleep(longestWait / 4);
    expect((await engine.up(hook("adopt"), hooksHere(world))).failures).toEqual([]);
    expect(disagreements(world.service.data(), [...engine.state.values()])).toEqual([]);
  });

  it("a company that the list does not show yet is not taken for gone", async () => {
    const world = await begin();
    const args = { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false };
    const engine = new Engine();
    world.service.configure({ listLag: { ms: 200 } });
    await engine.up([{ kind: "Company", name: "firm", args }], hooksHere(world));
    expect((await engine.refresh(hooksHere(world))).failures).toEqual([]);
    expect(disagreements(world.service.data(), [...engine.state.values()])).toEqual([]);
  });

  it("what was there before outlives a lost answer and a refresh after it", async () => {
    const world = await begin();
    const before = await whatIsLeft(world.service);
    const look = (args: object): Wanted[] => [{ kind: "Branding", name: "look", args: { colour: "#0a0b0c", ...args } }];
    const engine = new Engine();
    await engine.up(look({}), hooksHere(world));
    world.service.configure({ faults: [{ kind: "cut-after", operation: "branding.update" }] });
    const withLogo = look({ logoUrl: "https://r.example/l.png" });
    expect((await engine.up(withLogo, hooksHere(world))).failures).toHaveLength(1);
    world.service.configure({ faults: [] });
    await engine.refresh(hooksHere(world));
    expect((await engine.up(withLogo, hooksHere(world))).failures).toEqual([]);
    await engine.destroy(hooksHere(world));
    expect(await whatIsLeft(world.service)).toBe(before);
  });
});
