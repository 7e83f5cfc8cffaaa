/**
 * Parts of a real run are killed at its boundaries: before a write of it reaches the service, after the service has
 * carried it out, before and after the state is written. The next run ends with exactly the wanted objects. A sample;
 * `KILL_EVERY=1` walks through all of them, `KILL_EVERY=20` from the 20th on.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { type EngineName, hasPulumi, Program, type Wanted } from "../provider/programs";
import { disagreements, likeness, ownedBy } from "./agreement";
import { Line, type Moment } from "./line";
import { family, kill, type Process, send, survivors, type Victim } from "./processes";
import { none, Progress, wordsOf } from "./progress";

/** Each number is another program: something is created, changed, replaced (in both orders), renamed and deleted. */
const edition = (n: number): Wanted[] => [
  { kind: "Branding", name: "branding", args: { colour: `#0000${String(n % 100).padStart(2, "0")}` } },
  { kind: "BrandingEmail", name: "email", args: { type: "email-send", subject: `${n}: {contract title}` } },
  {
    kind: "BrandingEmail",
    name: "replaced",
    args: { type: n % 2 ? "email-signed" : "email-rejected", subject: "{contract title}" },
  },
  company("firm", "Firm", { email: `office${n}@firm.example` }),
  company(`firm-${n}`, `F${n}`),
  { kind: "Webhook", name: "inside", args: { type: "all", url: "https://r.example/in", account: `firm-${n}` } },
  { kind: "Webhook", name: "hook", args: { type: "all", url: `https://r.example/${n}` } },
  { kind: "Webhook", name: `hook-${n}`, args: { type: "add-user", url: `https://r.example/u${n}` } },
  { kind: "Webhook", name: `named-${n % 2}`, args: { type: "add-contact", url: "https://r.example/renamed" } },
  ...["one", "two"].map((twin) => ({
    kind: "Webhook" as const,
    name: `${twin}-${n}`,
    args: { type: "all", url: `https://r.example/twin${n}`, onExisting: "create" },
  })),
  { kind: "Webhook", name: `own-${n}`, args: { type: "all", url: `https://r.example/own${n}`, onExisting: "fail" } },
];
function company(name: string, title: string, more = {}): Wanted {
  const userEmail = `u@${title.toLowerCase()}.example`;
  return { kind: "Company", name, args: { name: title, userName: "U", userEmail, deletionProtection: false, ...more } };
}

type Verb = "up" | "refresh" | "destroy";
/** Where a run is struck: at a write, or when it writes its state. */
type Boundary = `${Moment} ${"write" | "state"}`;
interface Strike {
  verb: Verb;
  victim: Victim;
  at: Boundary;
  /** Which of these boundaries are tried, unless all are. */
  sample: number[];
  /** What comes after it. */
  next: Verb;
}

const sample: Strike[] = [
  { verb: "up", victim: "engine", at: "before write", sample: [1], next: "up" },
  { verb: "up", victim: "engine", at: "after write", sample: [5], next: "up" },
  { verb: "up", victim: "engine", at: "before state", sample: [3], next: "up" },
  { verb: "up", victim: "program", at: "after write", sample: [3], next: "up" },
  { verb: "up", victim: "provider", at: "after write", sample: [7], next: "up" },
  { verb: "destroy", victim: "engine", at: "after write", sample: [3], next: "up" },
  { verb: "destroy", victim: "provider", at: "after write", sample: [2], next: "up" },
];

const first = Number(process.env.KILL_EVERY);
const isWhole = first > 0;
function every(): Strike[] {
  const strikes: Strike[] = [];
  for (const moment of ["before", "after"] as const) {
    for (const victim of ["engine", "program", "provider"] as const)
      strikes.push({ verb: "up", victim, at: `${moment} write`, sample: [], next: "up" });
    for (const victim of ["engine", "provider"] as const)
      for (const next of ["destroy", "up"] as const)
        strikes.push({ verb: "destroy", victim, at: `${moment} write`, sample: [], next });
    for (const verb of ["up", "refresh", "destroy"] as const)
      strikes.push({ verb, victim: "engine", at: `${moment} state`, sample: [], next: verb });
    strikes.push({ verb: "destroy", victim: "engine", at: `${moment} state`, sample: [], next: "up" });
  }
  return strikes;
}

function* counting(): Generator<number> {
  for (let n = first; ; n++) yield n;
}

/**
 * Lets a run of the CLI stand still as soon as its state has changed so many times: it has a file beside it, which is emptied and
 * written before the state takes its new form. Temporary files, and the copy of what was there before, do not count.
 */
function stopAtChange(run: { pid: number; outcome: Promise<unknown> }, folder: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    const watcher = watch(folder, (_, name) => {
      if (!/^dev\.json(\.attrs)?$/.test(name ?? "") || ++seen !== count) return;
      if (send(run.pid, "SIGSTOP")) resolve();
    });
    void run.outcome.finally(() => watcher.close());
  });
}

/**
 * The CLI writes a state as several files, one after the other. Killed in between, it cannot read it any more ("EOF", or "no stack
 * named"): docs/explanation/guarantees.md says what to do.
 */
function mend(folder: string): void {
  for (const name of readdirSync(folder)) if (statSync(join(folder, name)).size === 0) rmSync(join(folder, name));
  if (!existsSync(join(folder, "dev.json"))) copyFileSync(join(folder, "dev.json.bak"), join(folder, "dev.json"));
}

/** Of the CLI each change of its files is a boundary: what is after one is before the next. */
const whole = (engine: EngineName) => every().filter(({ at }) => engine === "embedded" || at !== "before state");

function walk(engine: EngineName): void {
  describe(`a run of the ${engine} engine`, { timeout: isWhole ? 3_600_000 : 120_000, sequential: true }, () => {
    const service = useEmulator();
    let line: Line;
    let program: Program;
    let original: unknown;
    let n = 1;

    beforeAll(async () => {
      line = await Line.to(service.url);
      program = new Program(engine);
      original = await likeness(service);
      program.wanted = edition(n);
      await program.begin({ apiKey: service.keys.partner, baseUrl: line.url });
      await program.operate("up");
    }, 120_000);
    afterAll(async () => {
      line.close();
    });

    /** Where the CLI has its states. */
    const states = () => join(program.home, "state/.pulumi/stacks/program");
    const agree = async () => disagreements(service.data(), await ownedBy(program));

    /** One run is struck at one boundary, and another one follows. False when there was no such boundary any more. */
    async function strike({ verb, victim, at, next }: Strike, count: number): Promise<boolean> {
      const [moment, what] = at.split(" ") as [Moment, "write" | "state"];
      if (verb === "up") program.wanted = edition(++n);
      const isOfState = what === "state" && engine === "embedded";
      if (isOfState) {
        program.launch = {
          node: ["-r", join(__dirname, "strike-state.cjs")],
          environment: { STRIKE: `${moment} ${count}` },
        };
      }
      const asked = mkdtempSync(join(program.home, "asked-"));
      if (engine === "pulumi") {
        program.launch = { environment: { NODE_OPTIONS: `-r ${join(__dirname, "asked.cjs")}`, ASKED: asked } };
      }
      const atWrite = what === "write" ? line.strikeAt(moment, count) : undefined;
      const run = program.start(verb, "--yes", "--skip-preview", "--stack", program.stack);
      program.launch = {};
      // Of the CLI only the files are seen.
      const atChange = what === "state" && !isOfState ? stopAtChange(run, states(), count) : undefined;
      const struck = (atWrite ?? atChange ?? run.says("struck")).then(() => true);
      const isStruck = await Promise.race([struck, run.outcome.then(() => false)]);
      const members = await family(run.pid);
      const isKilled = isStruck && (await kill(run.pid, victim));
      // What an engine has begun when its program dies is finished.
      if (victim === "program" || !isKilled) line.release();
      else line.cut();
      if (!isKilled) {
        const { code, output } = await run.outcome;
        if (code !== 0) throw new Error(`not killed, and ended with ${code}: ${output}`);
        return false;
      }
      if (victim !== "engine") await run.outcome;
      // Of the CLI whoever could still write to the account: its other plugins notice its death minutes later, and a provider's
      // host that was never asked anything, which nobody can ask any more, does not notice it.
      const hasToEnd = ({ pid }: Process) => engine === "embedded" || existsSync(join(asked, String(pid)));
      if (what === "write") expect(members.some(hasToEnd)).toBe(true);
      const left = await survivors(members, hasToEnd);
      for (const { pid } of left) send(pid, "SIGKILL");
      none(left.filter(hasToEnd).map(({ command }) => command));
      // Only now: a plugin of the CLI may hold its output open.
      expect((await run.outcome).code).not.toBe(0);
      // The CLI's message asks for this much.
      if (engine === "pulumi") {
        // Whatever it was struck at, it may have been writing its state.
        if (victim === "engine") mend(states());
        await program.succeed("cancel", "--yes", "--stack", program.stack);
      }
      if (engine === "pulumi" && next !== verb) await program.operate("refresh");
      // Also by a program that wants something else by now.
      if (next === "up" && verb === "destroy" && count % 2 === 1) program.wanted = edition(++n);
      const { output } = await program.operate(next);
      if (engine === "embedded" && victim === "engine") expect(output).toMatch(/removed a stale lock/);
      if (next === "destroy") {
        expect(await ownedBy(program)).toEqual([]);
        expect(await likeness(service)).toEqual(original);
        await program.operate("up");
      }
      none(await agree());
      return true;
    }

    /** Kills a part of a run that stands still at a write. */
    async function lose(run: ReturnType<Program["start"]>, victim: Victim): Promise<void> {
      const members = await family(run.pid);
      expect(await kill(run.pid, victim)).toBe(true);
      line.cut();
      for (const { pid } of await survivors(members, () => engine === "embedded")) send(pid, "SIGKILL");
      expect((await run.outcome).code).not.toBe(0);
      if (engine === "embedded") return;
      mend(states());
      await program.succeed("cancel", "--yes", "--stack", program.stack);
    }

    it.each(isWhole ? whole(engine) : sample)(
      "($verb) that loses its $victim $at is carried on with by the next $next",
      async (one) => {
        const progress = new Progress(`${engine}, ${one.verb}, ${one.victim} ${one.at}, then ${one.next}`, isWhole);
        let count = 0;
        for (count of isWhole ? counting() : one.sample) {
          try {
            if (await strike(one, count)) {
              progress.say(`${count} is good`);
              continue;
            }
            if (!isWhole) progress.problem(`${count}: nothing was struck`);
            break;
          } catch (error) {
            progress.problem(`${count}: ${wordsOf(error)}`);
            // A way on to the next boundary.
            if (isWhole && engine === "pulumi") await program.run("cancel", "--yes", "--stack", program.stack);
            if (isWhole) await program.run("up", "--yes", "--skip-preview", "--refresh", "--stack", program.stack);
          }
        }
        progress.say(`${count - 1} boundaries`);
        progress.end();
        if (one.verb === "destroy" && isWhole) await program.operate("up");
      },
    );

    it("a deletion that loses its engine is seen by an up that wants the object changed", async () => {
      const { wanted } = program;
      const urn = (await program.state()).find(({ urn }) => urn.endsWith("::hook"))!.urn;
      const atWrite = line.strikeAt("after", 1);
      const run = program.start("destroy", "--yes", "--skip-preview", "--stack", program.stack, "--target", urn);
      await Promise.race([atWrite, run.outcome]);
      await lose(run, "engine");
      if (engine === "pulumi") await program.operate("refresh");
      program.wanted = wanted.map((one) =>
        one.name === "hook" ? { ...one, args: { ...one.args, url: "https://r.example/deleted" } } : one,
      );
      await program.operate("up");
      none(await agree());
    });

    it("an update that loses its provider or its engine is taken back when the program is", async () => {
      const before = await likeness(service);
      const { wanted } = program;
      const changes: Record<string, object> = {
        email: { subject: "killed {contract title}" },
        firm: { email: "killed@firm.example" },
        hook: { url: "https://r.example/killed" },
      };
      program.wanted = wanted.map((one) => ({ ...one, args: { ...one.args, ...changes[one.name] } }));
      const atWrite = line.strikeAt("after", 3);
      const run = program.start("up", "--yes", "--skip-preview", "--stack", program.stack);
      await Promise.race([atWrite, run.outcome]);
      await lose(run, engine === "embedded" ? "provider" : "engine");
      program.wanted = wanted;
      const { output } = await program.operate("up");
      // The built-in engine knows by itself what was going on, and looks at that; of the CLI's plan the journal is asked.
      const knows = engine === "embedded" ? /interrupted while updating/ : /the last update of \w+ got no response/;
      expect(output).toMatch(knows);
      expect(await likeness(service)).toEqual(before);
      expect(await agree()).toEqual([]);
    });

    it("an update whose answer is lost for good is taken back when the program is, and no key comes into the state", async () => {
      const before = await likeness(service);
      const [wanted, { launch }] = [program.wanted, program];
      const changes: Record<string, object> = {
        email: { subject: "lost {contract title}", contentPlain: "lost {contract url}" },
        firm: { email: "lost@firm.example" },
      };
      program.wanted = wanted.map((one) => ({ ...one, args: { ...one.args, ...changes[one.name] } }));
      program.launch = { environment: { ESIGN_RETRIES: "0" } };
      service.configure({ faults: [{ kind: "cut-after", method: "PUT" }] });
      // Both fail: without it the one that is first may keep the other from being begun.
      const options = ["--yes", "--skip-preview", "--continue-on-error", "--stack", program.stack];
      expect((await program.run("up", ...options)).output).toMatch(/checks the account first/);
      service.configure({ faults: [] });
      const unfinished = (await program.state()).filter((resource) => "initErrors" in resource);
      expect(unfinished.map(({ type }) => type.replace(/.*:/, "")).sort()).toEqual(["BrandingEmail", "Company"]);
      for (const text of program.files().values())
        for (const { key } of service.data().accounts) expect(text).not.toContain(key);
      Object.assign(program, { wanted, launch });
      await program.operate("up");
      expect(await likeness(service)).toEqual(before);
    });

    it("leaves nothing to do", async () => {
      await program.operate("up", "--expect-no-changes");
    });

    it("and a destroy puts everything back", async () => {
      await program.operate("destroy");
      expect(await ownedBy(program)).toEqual([]);
      expect(await likeness(service)).toEqual(original);
    });
  });
}

walk("embedded");
if (hasPulumi) walk("pulumi");
