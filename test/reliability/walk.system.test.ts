/**
 * Every request of every verb of every resource fails once, in turn, in every way. Whatever comes of that run: the state has
 * the ids and one-time keys of all that exists, the message says what happened and what to do, and the next run only finishes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { times } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import { Stage, stage } from "../provider/handlers";
import { virtualClock } from "../virtual-clock";
import { idsOf, likeness, secretsOf } from "./agreement";
import { idleRequests, Stack } from "./stack";
import { type Blow, blows, faultOf, type Story, stories } from "./walk";
import { company, webhook } from "./wanted";

const aDay = 24 * 3600_000;

const whatIsLeft = (service: Emulator) => JSON.stringify(likeness(service));

/** A story's world, at the moment before the run in which requests fail. */
async function open({ from, before, between, act, to }: Story) {
  const stack = new Stack(await stage());
  const { world, service } = stack;
  // Without repetitions each fault reaches the hook. Only what is never answered may run out of time, however busy the machine is.
  Object.assign(world.settings, { retries: "0", timeout: "240000" });
  await before?.(world);
  /** Objects that are not declared at first. */
  const theirs = idsOf(service.data());
  const original = whatIsLeft(service);
  expect((await stack.up(from)).failures).toEqual([]);
  await between?.(world);
  service.clearLog();
  return {
    stack,
    original,
    act: (settings?: Record<string, string>) => (act === "up" ? stack.up(to, settings) : stack[act](settings)),
    disagree: () => stack.disagreements(theirs),
    /** The end, when all is well: nothing more to do, and after a destroy what is left. */
    async finish(say: (problem: string) => void): Promise<string> {
      if (act !== "destroy") {
        for (const problem of await stack.unsettled(to)) say(problem);
        for (const failure of (await stack.destroy()).failures) say(`destroy: ${failure}`);
      }
      await service.close();
      return whatIsLeft(service);
    },
  };
}

/** One story without faults: its requests, and what it leaves. */
async function rehearse(story: Story): Promise<{ usual: string[]; end: string }> {
  const opened = await open(story);
  expect((await opened.act()).failures).toEqual([]);
  const usual = opened.stack.asked();
  const problems: string[] = [];
  const end = await opened.finish((problem) => problems.push(problem));
  expect(problems).toEqual([]);
  if (story.before === undefined) expect(end).toBe(opened.original);
  return { usual, end };
}

/** What a message says of the object: untouched, perhaps changed, or there and kept. */
const outcomes =
  /[Nn]othing was changed|Other fields were restored|changed nothing|checks the account first|is in the account and recorded|did not change|still exists|the response was discarded|not deleted/;
const remedies =
  /(Check|Contact|Raise|Lower|Rerun|Set|Try|Ask|Use|Refresh|Restore|If this persists|names the field)[^.]*(\. |$)/;

function check(failure: string, { about }: Story, secrets: string[], say: (problem: string) => void): void {
  // Whatever was about to be done.
  const isOfKey = /^[\w-]+: \w+: the API key is wrong: [A-Z]+ /.test(failure);
  if (!about.test(failure) && !isOfKey) say(`unexpected message: ${failure}`);
  if (!/cannot read/.test(failure) && !isOfKey && !outcomes.test(failure))
    say(`whether anything was changed is not said: ${failure}`);
  if (!remedies.test(failure)) say(`no remedy is said: ${failure}`);
  if (/hush/.test(failure)) say(`a value is shown: ${failure}`);
  if (secrets.some((secret) => failure.includes(secret))) say("a key is shown");
}

interface Case extends Awaited<ReturnType<typeof rehearse>> {
  story: Story;
  /** Which of the usual requests fails. */
  at: number;
  blow: Blow;
}

/** One request fails in one way. Tells everything that is wrong with what comes of it. */
async function strike({ story, usual, end, at, blow }: Case, tell: (problem: string) => void): Promise<void> {
  const request = usual[at]!;
  const nth = usual.slice(0, at + 1).filter((same) => same === request).length;
  const fault = faultOf(blow, request, nth);
  if (fault === undefined) return;
  const say = (problem: string) => tell(`${request} (${nth}), ${blow.name}: ${problem}`);
  const opened = await open(story);
  const { stack, disagree } = opened;
  const { service } = stack;
  const secrets = secretsOf(service);
  service.configure({ faults: [fault] });
  const { failures } = await opened.act(blow.slow ? { timeout: "3000" } : {});
  const struck = () => Object.values(service.counts().byFault).reduce((sum, count) => sum + count, 0);
  // A request that is never answered is logged when the service sees that its client has gone.
  for (let tries = 0; struck() === 0 && tries < 1500; tries++) await sleep(20);
  // A list that was read a moment ago is not read again: how many reads there are depends on how busy the machine is.
  if (struck() === 0 && request.startsWith("GET") && failures.length === 0) return;
  if (struck() !== 1) say(`${struck()} requests failed`);
  service.configure({ faults: [] });
  for (const failure of failures) check(failure, story, secrets, say);
  // What exists is in the state, with the key that only a creation tells. What is in the state exists, unless it was to go.
  const lost = story.isGoing ? /orphan|key/ : /orphan|dangling|key/;
  for (const problem of disagree()) if (lost.test(problem)) say(`after it: ${problem}`);
  if (failures.length === 0 && story.act === "up") for (const problem of disagree()) say(`silent: ${problem}`);

  const first = service.requests();
  service.clearLog();
  for (const failure of (await opened.act()).failures) say(`the next run fails: ${failure}`);
  if (story.act !== "refresh") for (const problem of disagree()) say(`at the end: ${problem}`);
  const second = service.requests();
  // A copy of a logo that has been made already has the address of before: whether it is another one is looked at.
  const isDoubted = blow.doubtful === true && request.startsWith("POST");
  // What was made or written a moment ago may only not be shown yet: it is looked for as long as reads may lag behind.
  const looks = blow.commits === true && !request.startsWith("GET") ? 12 : 0;
  const mostToFinish = usual.length + (story.looksFor ? 2 : 0) + (story.hasLogo ? 1 : 0) + (isDoubted ? 1 : 0) + looks;
  const mostAgain = { refresh: usual.length, up: idleRequests(story.to).length, destroy: 0 }[story.act];
  if (second.length > (failures.length === 0 ? mostAgain : mostToFinish))
    say(`the next run has ${second.length} requests: ${stack.asked().join(", ")}`);
  const effective = [...first, ...second].filter(
    (entry) => entry.method !== "GET" && (entry.fault === undefined ? entry.status < 300 : blow.commits),
  );
  const wanted = usual.filter((each) => !each.startsWith("GET"));
  const isInParts = story.hasLogo || (blow.parts && (story.isGoing || story.inParts));
  if (isInParts ? effective.length < wanted.length : effective.length !== wanted.length)
    say(`written ${effective.length} times, not ${wanted.length}: ${effective.map((e) => e.operation).join(", ")}`);
  if ((await opened.finish(say)) !== end) say("the end is another");
}

/** `WALK=all`: everything in every way. Otherwise the ways take turns from story to story, nightly four times as many. */
const isWhole = process.env.WALK === "all";
/** `WALK_STORIES=User`: those of whose names this is a part. */
const chosen = stories.filter(({ name }) => name.includes(process.env.WALK_STORIES ?? ""));
const density = times > 1 ? 1 : 4;

describe("each request fails once, in each way:", () => {
  const problems = new Map<string, string[]>(chosen.map(({ name }) => [name, []]));
  /** The work that is left: first the rehearsals, each of which adds the cases of its story. */
  const queue: { story: Story; work(say: (problem: string) => void): Promise<void> }[] = chosen.map((story) => ({
    story,
    async work() {
      const { usual, end } = await rehearse(story);
      const isTurn = (at: number, way: number) =>
        (stories.indexOf(story) + at + way) % (density * (usual[at]!.startsWith("GET") ? 6 : 3)) === 0;
      for (const at of usual.keys())
        for (const [way, blow] of blows.entries())
          if (isWhole || isTurn(at, way))
            queue.push({ story, work: (say) => strike({ story, usual, end, at, blow }, say) });
    },
  }));
  beforeAll(async () => {
    const worker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const say = (problem: unknown) => problems.get(next!.story.name)!.push(String(problem));
        await next.work(say).catch(say);
      }
    };
    // Most of them wait.
    await Promise.all(Array.from({ length: 24 }, worker));
  }, 1_200_000);

  it.each(chosen)("$name", ({ name }) => {
    expect(problems.get(name)).toEqual([]);
  });
});

describe("two things that fail together:", () => {
  const begin = async () => {
    const world = new Stage(await emulatorForTest({ clock: virtualClock.date }));
    world.settings.retries = "0";
    return new Stack(world);
  };

  it("lost answers that cannot be looked for are not sent again, and looked for by the next run", async () => {
    const stack = await begin();
    const { service } = stack;
    const hooks = ["adopt", "fail", "create"].map((onExisting) =>
      webhook({ url: `https://${onExisting}.example/`, onExisting }, onExisting),
    );
    service.configure({
      faults: [
        { kind: "cut-after", operation: "webhooks.create" },
        { kind: "status", status: 500, operation: "webhooks.list", from: 2 },
      ],
    });
    const message = /may have succeeded.*Rerun the command; it checks the account first/;
    expect((await stack.up(hooks)).failures).toEqual(hooks.map(() => expect.stringMatching(message)));
    expect(service.requests().filter(({ method }) => method === "POST")).toHaveLength(3);
    service.configure({ faults: [] });
    expect(await stack.finish(hooks)).toEqual([]);
  });

  it("a lost answer that the list does not show in time leaves it open whether there is one, though the next one is refused", async () => {
    const stack = await begin();
    const { service } = stack;
    service.configure({
      // Each look comes too early, the next run does not.
      listLag: { ms: aDay },
      faults: [
        { kind: "cut-after", operation: "webhooks.create", nth: 1 },
        { kind: "error", code: 10010, operation: "webhooks.create", nth: 2 },
      ],
    });
    const { failures } = await stack.up([webhook()]);
    expect(failures).toEqual([expect.stringMatching(/10010.*may have succeeded.*checks the account first/)]);
    expect(failures.join()).not.toMatch(/[Nn]othing was changed/);
    service.configure({ faults: [] });
    await service.advance(aDay);
    expect(await stack.finish([webhook()])).toEqual([]);
  });

  it("a company that the list does not show yet is not taken for gone", async () => {
    const stack = await begin();
    const { service } = stack;
    service.configure({ listLag: { ms: 2_000 } });
    await stack.up([company()]);
    expect((await stack.refresh()).failures).toEqual([]);
    expect(stack.disagreements()).toEqual([]);
  });
});
