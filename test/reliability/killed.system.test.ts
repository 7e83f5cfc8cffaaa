/**
 * Parts of a real run are killed at its boundaries: before a write of it reaches the service, after the service has
 * applied it, before and after the state is written. The next run ends with exactly the wanted objects. A sample;
 * `KILL_EVERY=1` walks through all of them, `KILL_EVERY=20` from the 20th on.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { start } from "../../emulator";
import { times } from "../chance";
import type { Form } from "../provider/program-forms";
import { type EngineName, hasPulumi, Program, type Wanted } from "../provider/programs";
import { ageRecords, restoreState } from "./after-kill";
import { disagreements, likeness, ownedBy } from "./agreement";
import { Line, type Moment } from "./line";
import { family, kill, type Process, send, survivors, type Victim } from "./processes";
import { branding, company, edition, email, webhook } from "./wanted";

/** Something is renamed, too, and replaced in the other order. */
const wantedOf = (n: number): Wanted[] => [
  ...edition(n),
  webhook({ type: "add-contact", url: "https://r.example/renamed" }, `named-${n % 2}`),
  ...["one", "two"].map((name) => webhook({ url: `https://r.example/same${n}`, onExisting: "create" }, `${name}-${n}`)),
  webhook({ url: `https://r.example/own${n}`, onExisting: "fail" }, `own-${n}`),
];

type Verb = "up" | "refresh" | "destroy";
/** Where a run is struck: at a write, or when it writes its state. */
type Boundary = `${Moment} ${"write" | "state"}`;
/** `next`: what comes after it. `count`: which of these boundaries. */
type Strike = [verb: Verb, victim: Victim, at: Boundary, next: Verb, count: number];

/** The last ones nightly. */
const strikes: Strike[] = [
  ["up", "engine", "after write", "up", 5],
  ["up", "program", "after write", "up", 3],
  ["up", "provider", "after write", "up", 7],
  ["destroy", "provider", "after write", "up", 2],
  ["up", "engine", "before state", "up", 3],
  ["up", "engine", "before write", "up", 1],
  ["destroy", "engine", "after write", "up", 3],
];
const isNightly = times > 1;
/** The built-in engine has the provider in its own process, but for a program that names a plugin's folder. */
const forms: Form[] = ["dynamic", "yaml", "plugin"];
/** What happens before a state is written is the engine's matter: in one form, and nightly in all. */
const sampleOf = (engine: EngineName, form: Form): Strike[] => {
  if (isNightly) return strikes;
  return strikes.slice(0, 5).filter(([, , at]) => engine === "pulumi" || form === "yaml" || at === "after write");
};

const first = Number(process.env.KILL_EVERY);
const isWhole = first > 0;
const every = (["before", "after"] as const).flatMap((moment): Strike[] => [
  ["up", "engine", `${moment} write`, "up", first],
  ["up", "program", `${moment} write`, "up", first],
  ["up", "provider", `${moment} write`, "up", first],
  ["destroy", "engine", `${moment} write`, "destroy", first],
  ["destroy", "engine", `${moment} write`, "up", first],
  ["destroy", "provider", `${moment} write`, "destroy", first],
  ["destroy", "provider", `${moment} write`, "up", first],
  ["up", "engine", `${moment} state`, "up", first],
  ["refresh", "engine", `${moment} state`, "refresh", first],
  ["destroy", "engine", `${moment} state`, "destroy", first],
  ["destroy", "engine", `${moment} state`, "up", first],
]);

/**
 * Lets a run of the CLI stand still as soon as its state has changed so many times: it has a file beside it, which is emptied and
 * written before the state takes its new form. Temporary files, and the copy of the previous state, do not count.
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

/** A stack, and a line to its service that can stand still. */
async function begin(engine: EngineName, wanted: Wanted[], form: Form) {
  const service = await start();
  const line = await Line.to(service.url);
  const program = new Program(engine, undefined, form);
  program.wanted = wanted;
  const original = likeness(service);
  await program.begin({ apiKey: service.keys.partner, baseUrl: line.url });
  /** Where the CLI has its states. */
  const states = join(program.home, "state/.pulumi/stacks/program");
  return {
    service,
    line,
    program,
    states,
    close: () => Promise.all([line.close(), service.close()]),
    begun: (verb: Verb, ...options: string[]) =>
      program.start(verb, "--yes", "--skip-preview", "--stack", program.stack, ...options),
    expectAgreement: async () => expect(disagreements(service.data(), await ownedBy(program))).toEqual([]),
    async expectNothing() {
      expect(await ownedBy(program)).toEqual([]);
      expect(likeness(service)).toEqual(original);
    },
    /** Kills a part of a run when the service has applied its n-th write, and what would go on without it. */
    loseAfter(n: number, victim: Victim, verb: Verb, ...options: string[]): Promise<void> {
      return this.loseAt(line.strikeAt("after", n), victim, verb, ...options);
    },
    async loseAt(moment: Promise<unknown>, victim: Victim, verb: Verb, ...options: string[]): Promise<void> {
      const run = this.begun(verb, ...options);
      await Promise.race([moment, run.outcome]);
      const members = await family(run.pid);
      expect(await kill(run.pid, victim)).toBe(true);
      line.cut();
      const left = await survivors(members, () => engine === "embedded");
      for (const { pid } of left) send(pid, "SIGKILL");
      if (engine === "embedded") expect(left).toEqual([]);
      expect((await run.outcome).code).not.toBe(0);
      ageRecords(program.folder);
      if (engine === "embedded") return;
      restoreState(states);
      await program.succeed("cancel", "--yes", "--stack", program.stack);
    },
  };
}

function walk(engine: EngineName, form: Form): void {
  const isEmbedded = engine === "embedded";
  describe(`a run of the ${engine} engine, in the ${form} form`, {
    ...(isWhole && { timeout: 3_600_000 }),
    sequential: true,
  }, () => {
    let scene: Awaited<ReturnType<typeof begin>>;
    let n = 1;
    beforeAll(async () => {
      scene = await begin(engine, wantedOf(n), form);
      await scene.program.operate("up");
    });
    afterAll(() => scene.close());

    /** One run is struck at one boundary, and another one follows. False when there was no such boundary any more. */
    async function strike([verb, victim, at, next]: Strike, count: number): Promise<boolean> {
      const { program, line, states } = scene;
      const [moment, what] = at.split(" ") as [Moment, "write" | "state"];
      if (verb === "up") program.wanted = wantedOf(++n);
      const asked = mkdtempSync(join(program.home, "asked-"));
      if (!isEmbedded) {
        program.launch = { environment: { NODE_OPTIONS: `-r ${join(__dirname, "asked.cjs")}`, ASKED: asked } };
      } else if (what === "state") {
        const node = ["-r", join(__dirname, "strike-state.cjs")];
        program.launch = { node, environment: { STRIKE: `${moment} ${count}` } };
      }
      const atWrite = what === "write" ? line.strikeAt(moment, count) : undefined;
      const run = scene.begun(verb);
      program.launch = {};
      // Of the CLI only the files are seen.
      const atState = () => (isEmbedded ? run.says("struck") : stopAtChange(run, states, count));
      const struck = (atWrite ?? atState()).then(() => true);
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
      // host that was never asked anything, which cannot be asked any more, does not notice it.
      const hasToEnd = ({ pid }: Process) => isEmbedded || existsSync(join(asked, String(pid)));
      if (what === "write") expect(members.some(hasToEnd)).toBe(true);
      const left = await survivors(members, hasToEnd);
      for (const { pid } of left) send(pid, "SIGKILL");
      expect(left.filter(hasToEnd).map(({ command }) => command)).toEqual([]);
      // Only now: a plugin of the CLI may hold its output open.
      expect((await run.outcome).code).not.toBe(0);
      ageRecords(program.folder);
      if (!isEmbedded) {
        // Whatever it was struck at, it may have been writing its state.
        if (victim === "engine") restoreState(states);
        // The CLI's message asks for this much.
        await program.succeed("cancel", "--yes", "--stack", program.stack);
        if (next !== verb) await program.operate("refresh");
      }
      // Also by a program that wants something else by now.
      if (next === "up" && verb === "destroy" && count % 2 === 1) program.wanted = wantedOf(++n);
      const { output } = await program.operate(next);
      if (isEmbedded && victim === "engine") expect(output).toMatch(/removed a stale lock/);
      if (next === "destroy") {
        await scene.expectNothing();
        await program.operate("up");
      }
      await scene.expectAgreement();
      return true;
    }

    // Of the CLI each change of its files is a boundary: what is after one is before the next.
    const whole = every.filter(([, , at]) => isEmbedded || at !== "before state");
    const exists = ([, victim]: Strike) =>
      victim === "engine" || (victim === "program" ? form !== "yaml" : !isEmbedded || form === "plugin");
    it.each((isWhole ? whole : sampleOf(engine, form)).filter(exists))(
      "(%s) that loses its %s %s is carried on with by the next %s",
      async (...one) => {
        if (!isWhole) return expect(await strike(one, one[4])).toBe(true);
        const { program } = scene;
        const problems: string[] = [];
        for (let count = first, isStruck = true; isStruck; count++) {
          isStruck = await strike(one, count).catch(async (error: Error) => {
            problems.push(`${count}: ${error.message}`);
            // A way on to the next boundary.
            if (!isEmbedded) await program.run("cancel", "--yes", "--stack", program.stack);
            await program.run("up", "--yes", "--skip-preview", "--refresh", "--stack", program.stack);
            return true;
          });
          console.log(`${engine}, ${one.slice(0, 4).join(", ")}: ${count}, ${problems.at(-1) ?? "no problems"}`);
        }
        expect(problems).toEqual([]);
        if (one[0] === "destroy") await program.operate("up");
      },
    );

    /** What is declared, with other arguments of some resources. */
    const changed = (changes: Record<string, object>) =>
      scene.program.wanted.map((one) => ({ ...one, args: { ...one.args, ...changes[one.name] } }));

    // What the next run knows of it is the same in each form of the built-in engine: in one, and nightly in all.
    if (isNightly || !isEmbedded || form === "yaml") {
      it("a deletion that loses its engine is seen by an up that wants the object changed", async () => {
        const { program } = scene;
        const { urn } = (await program.state()).find((one) => one.urn.endsWith("::hook"))!;
        await scene.loseAfter(1, "engine", "destroy", "--target", urn);
        if (!isEmbedded) await program.operate("refresh");
        program.wanted = changed({ hook: { url: "https://r.example/deleted" } });
        await program.operate("up");
        await scene.expectAgreement();
      });

      it("an update that loses its engine is reverted when the program is", async () => {
        const { program, service } = scene;
        const [before, { wanted }] = [likeness(service), program];
        program.wanted = changed({
          email: { subject: "killed {contract title}" },
          firm: { email: "killed@firm.example" },
          hook: { url: "https://r.example/killed" },
        });
        await scene.loseAfter(3, "engine", "up");
        program.wanted = wanted;
        const { output } = await program.operate("up");
        // The built-in engine knows by itself what was going on, and looks at that; of the CLI's plan the journal is asked.
        expect(output).toMatch(isEmbedded ? /interrupted while updating/ : /the last update of \w+ got no response/);
        expect(likeness(service)).toEqual(before);
        await scene.expectAgreement();
      });
    }

    it("an update whose answer is lost for good is reverted when the program is, and no key comes into the state", async () => {
      const { program, service } = scene;
      const [before, { wanted, launch }] = [likeness(service), program];
      program.wanted = changed({
        email: { subject: "lost {contract title}", contentPlain: "lost {contract url}" },
        firm: { email: "lost@firm.example" },
      });
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
      expect(likeness(service)).toEqual(before);
    });

    it("leaves nothing to do, and a destroy restores everything", async () => {
      await scene.program.operate("up", "--expect-no-changes");
      await scene.program.operate("destroy");
      await scene.expectNothing();
    });
  });
}

for (const form of isNightly || isWhole ? forms : forms.slice(0, 2)) walk("embedded", form);
if (hasPulumi) walk("pulumi", "dynamic");

/** The state has nothing of what was being created: neither `destroy` nor `stack rm` may leave it in the account unsaid. */
describe.each(isNightly ? forms : forms.slice(1))("a first up that is killed, in the %s form", (form) => {
  /** `own`: of the webhooks, every third asks for one of its own. */
  const wantedFirst = (own = true): Wanted[] => [
    branding(),
    email(),
    company(),
    ...Array.from({ length: 12 }, (_, i) =>
      webhook({ url: `https://r.example/${i}`, ...(own && i % 3 === 0 && { onExisting: "create" }) }, `hook-${i}`),
    ),
  ];
  /** Kills the engine when the service has applied the n-th write of the first `up`; those to `lost` never arrive. */
  async function killUp(n: number, wanted = wantedFirst(), lost?: RegExp) {
    const scene = await begin("embedded", wanted, form);
    scene.line.fate = ({ path }) => (lost?.test(path) ? "lost" : undefined);
    onTestFinished(() => void scene.close());
    const { program, service } = scene;
    await scene.loseAfter(n, "engine", "up");
    const file = join(scene.states, `${program.stack}.json`);
    const pending = () => JSON.parse(readFileSync(file, "utf8")).checkpoint.latest.pending_operations ?? [];
    expect(pending()).not.toEqual([]);
    const webhooks = () =>
      service
        .data()
        .accounts.find(({ partner }) => partner)!
        .webhooks.map(({ id }) => id);
    return { ...scene, pending, webhooks };
  }

  // Which of its writes arrive is a matter of chance: each kind of them is lost on purpose.
  const lost = ["branding", "companies|webhooks", "branding$", "emails", "companies", "webhooks", "$^"];
  const these = isNightly ? lost : [form === "yaml" ? "companies|webhooks" : "branding"];
  it.each(these)("is settled by a refresh without what was sent to %s, and the next up completes it", async (path) => {
    const { program, pending, webhooks, expectNothing } = await killUp(
      path === "branding" ? 9 : 2,
      wantedFirst(),
      new RegExp(path),
    );
    await program.operate("refresh");
    expect(pending()).toEqual([]);
    expect((await program.operate("up")).output).not.toMatch(/interrupted/);
    expect(webhooks()).toHaveLength(12);
    await program.operate("destroy");
    await expectNothing();
  });

  // What else may come next finds it in the same way.
  if (!isNightly && form !== "yaml") return;

  it.each(isNightly ? [1, 4, 9, 14] : [14])("at write %i is undone by destroy, and nothing is in doubt", async (n) => {
    const { program, pending, expectNothing } = await killUp(n);
    await program.operate("destroy");
    await expectNothing();
    expect(pending()).toEqual([]);
    await program.succeed("stack", "rm", program.stack, "--yes");
  });

  it("is completed by the next up, also where the program declares less by then", async () => {
    const { program, pending, webhooks } = await killUp(9);
    program.wanted = wantedFirst().slice(0, 6);
    await program.operate("up");
    expect(pending()).toEqual([]);
    expect(webhooks()).toHaveLength(3);
    expect((await program.operate("up", "--expect-no-changes")).output).not.toMatch(/interrupted/);
  });

  it("is replaced by the next up where the program wants something else by then", async () => {
    const scene = await begin("embedded", wantedFirst(), form);
    onTestFinished(() => void scene.close());
    const { line, program, service } = scene;
    line.fate = ({ method }) => (method === "POST" ? "unanswered" : undefined);
    const hooks = () => service.data().accounts.flatMap(({ webhooks }) => webhooks);
    await scene.loseAt(
      vi.waitUntil(() => hooks().length > 3, { timeout: 60_000 }),
      "engine",
      "up",
    );
    program.wanted = wantedFirst().map(({ args: { url, ...args }, ...one }) => ({
      ...one,
      args: { ...args, ...(url !== undefined && { url: `${url}/else` }) },
    }));
    await program.operate("up");
    await scene.expectAgreement();
    expect(hooks()).toHaveLength(12);
    await program.operate("destroy");
    await scene.expectNothing();
  });

  it("is in doubt for destroy and stack rm where its records are missing, as in a fresh checkout", async () => {
    // With onExisting: "create", the next up would create another one. What an account has once is never in doubt, and may be written last.
    const hooks = wantedFirst(false).filter(({ kind }) => kind === "Webhook");
    const { program, webhooks } = await killUp(hooks.length, hooks);
    const before = webhooks();
    rmSync(join(program.folder, ".esign"), { recursive: true });
    const destroyed = await program.run("destroy", "--skip-preview", "--yes", "--stack", program.stack);
    expect(destroyed.code).not.toBe(0);
    expect(destroyed.output).toMatch(/ESIGN1018/);
    expect(destroyed.output).toMatch(/nothing was deleted/);
    expect(webhooks()).toEqual(before);
    expect((await program.run("stack", "rm", "--yes", "--stack", program.stack)).code).not.toBe(0);
    await program.operate("up");
    await program.operate("destroy");
    expect(webhooks()).toEqual([]);
    await program.succeed("stack", "rm", program.stack, "--yes");
  });
});
