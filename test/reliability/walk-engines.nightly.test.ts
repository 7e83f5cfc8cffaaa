/**
 * The walk on real engines: requests of an `up` that creates, changes, replaces and deletes, of a `refresh` and of a `destroy`
 * fail once, in turn. A sample; `WALK=each` takes every request in one way, `WALK=all` every request in every way, and
 * `WALK_FROM=20` either of them from the 20th case on.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { cases } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { type EngineName, hasPulumi, Program } from "../provider/programs";
import { disagreements, likeness, ownedBy } from "./agreement";
import { idleRequests } from "./stack";
import { type Blow, blows, faultOf } from "./walk";
import { edition } from "./wanted";

type Verb = "up" | "refresh" | "destroy";
/** Which request of a run fails, and how. */
type Case = [at: number, blow: Blow];

const isWhole = ["each", "all"].includes(process.env.WALK ?? "");
const first = Number(process.env.WALK_FROM ?? 1);

/** One webhook alone, of several that are read at about the same moment: milliseconds decide whether it is, before the list. */
const atTimes = "GET webhooks.get";
const needed = (requests: string[]) => requests.filter((request) => request !== atTimes);

/** What fails of the requests of a run: the ways take turns. */
function pick(usual: string[], sample: number): Case[] {
  const suits = (at: number) => blows.filter((blow) => !blow.slow && faultOf(blow, usual[at]!) !== undefined);
  if (process.env.WALK === "all") return usual.flatMap((_, at) => suits(at).map((blow): Case => [at, blow]));
  const each = usual.map((_, at): Case => [at, suits(at)[(at * 5 + 9) % suits(at).length]!]);
  if (isWhole) return each;
  // Writes are what matters most.
  const writes = each.filter(([at]) => !usual[at]!.startsWith("GET"));
  const taken = writes.length > 0 ? writes : each;
  return Array.from({ length: sample }, (_, i) => taken[Math.floor((i * taken.length) / sample)]!);
}

function walk(engine: EngineName, samples: Record<Verb, number>): void {
  const timeout = isWhole ? 14_400_000 : 300_000;
  describe(`a run of the ${engine} engine of which one request fails`, { timeout }, () => {
    const service = useEmulator();
    let program: Program;
    let original: unknown;
    let n = 1;
    const asked = () => service.requests().map(({ method, operation }) => `${method} ${operation}`);
    const differences = async () => disagreements(service.data(), await ownedBy(program));
    const run = (verb: Verb, ...options: string[]) =>
      program.run(verb, "--yes", "--skip-preview", "--stack", program.stack, ...options);
    const next = () => {
      program.wanted = edition(++n);
    };

    beforeAll(async () => {
      program = new Program(engine);
      original = likeness(service);
      program.wanted = edition(n);
      await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
      // Without repetitions each fault reaches the hook.
      await program.succeed("config", "set", "--stack", program.stack, "esign:retries", "0");
      await program.operate("up");
    }, 600_000);

    const finished = "is finished by the next one, which has nothing left to do after it";
    it.each(["up", "refresh"] as const)(`(%s) ${finished}`, fail);

    it("has kept each company's key, and shows none", async () => {
      const shown = program.printed;
      const { output } = await program.succeed("stack", "output", "--json", "--show-secrets", "--stack", program.stack);
      for (const { key, name, parent } of service.data().accounts) {
        expect(shown).not.toContain(key);
        if (parent !== undefined) expect(output, name).toContain(key);
      }
    });

    it(`(destroy) ${finished}, and has restored everything`, () => fail("destroy"));

    async function fail(verb: Verb): Promise<void> {
      // Once without a fault: those are the requests. They come in another order each time.
      if (verb === "up") next();
      service.clearLog();
      await program.operate(verb);
      const usual = asked().sort();
      const chosen = pick(usual, samples[verb]);
      const problems: string[] = [];
      for (const [index, [at, blow]] of chosen.entries()) {
        if (index + 1 < first) continue;
        const where = `${index + 1} of ${chosen.length}, ${usual[at]}, ${blow.name}`;
        const found = await strike(verb, usual, at, blow);
        problems.push(...found.map((problem) => `${where}: ${problem}`));
        if (isWhole) console.log(`${engine}, ${verb}: ${where}: ${found.join("\n") || "good"}`);
      }
      expect(problems).toEqual([]);
    }

    /** One request fails, and the next run finishes. Answers everything that is wrong with it. */
    async function strike(verb: Verb, usual: string[], at: number, blow: Blow): Promise<string[]> {
      const problems: string[] = [];
      const say = (problem: string) => problems.push(problem);
      const request = usual[at]!;
      const nth = usual.slice(0, at + 1).filter((same) => same === request).length;
      try {
        if (verb === "up") next();
        if (verb === "destroy") await program.operate("up");
        service.configure({ faults: [faultOf(blow, request, nth)!] });
        service.clearLog();
        const { code, output } = await run(verb);
        const struck = Object.values(service.counts().byFault)[0] ?? 0;
        if (struck !== 1 && !(struck === 0 && request === atTimes)) say(`${struck} requests failed`);
        service.configure({ faults: [] });
        if (code !== 0 && !/: (cannot (create|read( the account)?|update|delete)|the API key is wrong): /.test(output))
          say(`not said: ${output}`);
        if (code === 0 && !/were lost|was lost/.test(output) && verb === "up") problems.push(...(await differences()));
        // What is in a company that is to be deleted is forgotten before it: the company takes it along.
        const stays = new Set(verb === "destroy" ? [] : program.wanted.map(({ name }) => name));
        const going = (await ownedBy(program)).filter(({ name }) => !stays.has(name));
        const isGoing = (problem: string) => going.some(({ id }) => problem.includes(` ${id}/`));
        for (const problem of await differences())
          if (problem.startsWith("orphan") && !isGoing(problem)) say(`after it: ${problem}`);

        service.clearLog();
        const second = await run(verb);
        if (second.code !== 0) say(`the next run fails: ${second.output}`);
        if (needed(asked()).length > needed(usual).length)
          say(`the next run has not ${usual.length} requests, but ${asked().join(", ")}`);
        if (verb === "destroy") {
          expect(await ownedBy(program)).toEqual([]);
          expect(likeness(service)).toEqual(original);
        } else {
          problems.push(...(await differences()));
          service.clearLog();
          const third = await run("up", "--expect-no-changes");
          if (third.code !== 0) say(`not settled: ${third.output}`);
          if (asked().join() !== idleRequests(program.wanted).join()) say(`asked for nothing: ${asked()}`);
        }
      } catch (error) {
        say(String(error));
        // A way on to the next case.
        service.configure({ faults: [] });
        await run("up", "--refresh");
      }
      return problems;
    }
  });
}

walk("embedded", { up: cases(1), refresh: 1, destroy: 1 });
if (hasPulumi) walk("pulumi", { up: 2, refresh: 1, destroy: 1 });
