/**
 * The walk on real engines: requests of an `up` that creates, changes, replaces and deletes, of a `refresh` and of a `destroy`
 * fail once, in turn. A sample; `WALK=each` takes every request in one way, `WALK=all` every request in every way.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fault, type Service, start } from "../../emulator";
import { type EngineName, hasPulumi, Program, type Wanted } from "../provider/programs";
import { disagreements, likeness, ownedBy } from "./agreement";
import { type Blow, blows } from "./walk";

/** Each number is another program: something is created, something changed, replaced and deleted. */
const edition = (n: number): Wanted[] => [
  { kind: "Branding", name: "branding", args: { colour: `#00${String(n).padStart(4, "0")}` } },
  { kind: "BrandingEmail", name: "email", args: { type: "email-send", subject: `${n}: {contract title}` } },
  {
    kind: "BrandingEmail",
    name: "replaced",
    args: { type: n % 2 ? "email-signed" : "email-rejected", subject: "{contract title}" },
  },
  company("firm", "Firm", `o${n}@firm.example`),
  company(`firm-${n}`, `F${n}`, `o@f${n}.example`),
  { kind: "Webhook", name: `inside-${n}`, args: { type: "all", url: "https://r.example/in", account: `firm-${n}` } },
  { kind: "Webhook", name: "hook", args: { type: "all", url: `https://r.example/${n}` } },
  { kind: "Webhook", name: `hook-${n}`, args: { type: "add-user", url: `https://r.example/u${n}` } },
];
function company(name: string, title: string, email: string): Wanted {
  const userEmail = `u@${title.toLowerCase()}.example`;
  return { kind: "Company", name, args: { name: title, userName: "U", userEmail, email, deletionProtection: false } };
}

type Verb = "up" | "refresh" | "destroy";

/** Which requests of a run fail, and how: the ways take turns. */
function pick(usual: string[], sample: number): [at: number, blow: Blow][] {
  const suits = (at: number) => {
    const [method, operation] = usual[at]!.split(" ") as [string, Fault["operation"]];
    return blows.filter((blow) => !blow.slow && blow.fault({ operation, nth: 1 }, method) !== undefined);
  };
  const cases = usual.flatMap((_, at) => suits(at).map((blow): [number, Blow] => [at, blow]));
  if (process.env.WALK === "all") return cases;
  const each = usual.map((_, at): [number, Blow] => [at, suits(at)[(at * 5 + 9) % suits(at).length]!]);
  if (process.env.WALK === "each") return each;
  // Writes are what matters most.
  const writes = each.filter(([at]) => !usual[at]!.startsWith("GET"));
  const taken = writes.length > 0 ? writes : each;
  return Array.from({ length: sample }, (_, i) => taken[Math.floor((i * taken.length) / sample)]!);
}

function walk(engine: EngineName, samples: Record<Verb, number>): void {
  describe(`a run of the ${engine} engine of which one request fails`, { timeout: 1_800_000 }, () => {
    let service: Service;
    let program: Program;
    let original: unknown;
    let n = 1;
    const asked = () => service.requests().map(({ method, operation }) => `${method} ${operation}`);
    const agree = async () => expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
    const run = (verb: Verb) => program.run(verb, "--yes", "--skip-preview", "--stack", program.stack);
    const next = () => {
      program.wanted = edition(++n);
    };

    beforeAll(async () => {
      service = await start();
      program = new Program(engine);
      original = await likeness(service);
      program.wanted = edition(n);
      await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
      // Without repetitions each fault reaches the hook.
      await program.succeed("config", "set", "--stack", program.stack, "esign:retries", "0");
      await program.operate("up");
    }, 600_000);
    afterAll(async () => {
      program.end();
      await service.close();
    });

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

    it(`(destroy) ${finished}, and has put everything back`, () => fail("destroy"));

    async function fail(verb: Verb): Promise<void> {
      // Once without a fault: those are the requests.
      if (verb === "up") next();
      service.clearLog();
      await program.operate(verb);
      const usual = asked();
      if (verb === "destroy") await program.operate("up");
      const problems: string[] = [];
      const cases = pick(usual, samples[verb]);
      for (const [n, [at, blow]] of cases.entries()) {
        const request = usual[at]!;
        const [method, operation] = request.split(" ") as [string, Fault["operation"]];
        const nth = usual.slice(0, at + 1).filter((same) => same === request).length;
        const where = `${request} (${nth}), ${blow.name}`;
        const say = (problem: string) => problems.push(`${where}: ${problem}`);
        if (verb === "up") next();
        service.configure({ faults: [blow.fault({ operation, nth }, method)!] });
        service.clearLog();
        const { code, output } = await run(verb);
        if (Object.values(service.counts().byFault)[0] !== 1) say("it did not fail");
        service.configure({ faults: [] });
        if (code !== 0 && !/: cannot (create|read|update|delete): /.test(output)) say(`not said: ${output}`);
        if (code === 0 && !/were lost|was lost/.test(output) && verb === "up") await agree();
        const state = await ownedBy(program);
        // What is in a company that is to be deleted is forgotten before it: the company takes it along.
        const going = state.filter(
          ({ name }) => verb === "destroy" || program.wanted.every((one) => one.name !== name),
        );
        const isGoing = (problem: string) => going.some(({ id }) => problem.includes(` ${id}/`));
        for (const problem of disagreements(service.data(), state))
          if (problem.startsWith("orphan") && !isGoing(problem)) say(`after it: ${problem}`);

        service.clearLog();
        const second = await run(verb);
        if (second.code !== 0) say(`the next run fails: ${second.output}`);
        if (asked().length > usual.length) say(`the next run has ${asked().length} requests, not ${usual.length}`);
        if (verb === "destroy") {
          expect(await ownedBy(program), where).toEqual([]);
          expect(await likeness(service), where).toEqual(original);
          if (n < cases.length - 1) await program.operate("up");
        } else {
          await agree();
          service.clearLog();
          const third = await program.run(
            "up",
            "--yes",
            "--skip-preview",
            "--expect-no-changes",
            "--stack",
            program.stack,
          );
          if (third.code !== 0) say(`not settled: ${third.output}`);
          for (const each of asked()) say(`asked for nothing: ${each}`);
        }
      }
      expect(problems).toEqual([]);
    }
  });
}

walk("embedded", { up: 2, refresh: 1, destroy: 1 });
if (hasPulumi) walk("pulumi", { up: 2, refresh: 1, destroy: 1 });
