/** Parts of a real run are killed at its boundaries; the next `up` ends with exactly the wanted objects. */
import { watch } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, start } from "../../emulator";
import { type EngineName, hasPulumi, Program, type Wanted } from "../provider/programs";
import { disagreements, likeness, ownedBy } from "./agreement";
import { Line, type Moment } from "./line";
import { family, kill, survivors, type Victim, victims } from "./processes";

/** Each number is another program: something is created, something changed, something deleted. */
const edition = (n: number): Wanted[] => [
  { kind: "Branding", name: "branding", args: { colour: `#0000${String(n).padStart(2, "0")}` } },
  { kind: "BrandingEmail", name: "email", args: { type: "email-send", subject: `${n}: {contract title}` } },
  {
    kind: "Company",
    name: `firm-${n}`,
    args: { name: `F${n}`, userName: "U", userEmail: `u@f${n}.example`, deletionProtection: false },
  },
  { kind: "Webhook", name: `inside-${n}`, args: { type: "all", url: "https://r.example/in", account: `firm-${n}` } },
  { kind: "Webhook", name: "hook", args: { type: "all", url: `https://r.example/${n}` } },
  { kind: "Webhook", name: `hook-${n % 2}`, args: { type: "add-user", url: "https://r.example/renamed" } },
];
/** A write, or a write of the state: the n-th time that a file of the state's folder changes. In an `up`, unless it says otherwise. */
type Point = ({ request: Moment; n: number } | { state: number }) & { verb?: "destroy" };

const cases: [Victim, Point][] = [
  ["engine", { request: "before", n: 1 }],
  ["engine", { request: "after", n: 5 }],
  ["engine", { request: "after", n: 6 }],
  ["engine", { state: 2 }],
  ["engine", { state: 5 }],
  ["engine", { state: 9 }],
  ["program", { request: "after", n: 3 }],
  ["provider", { request: "after", n: 4 }],
  ["engine", { verb: "destroy", request: "after", n: 4 }],
  ["provider", { verb: "destroy", request: "after", n: 3 }],
];

/** All boundaries up to a number, instead of those: `KILL_EVERY=10 npx vitest run test/reliability/killed.test.ts`. */
const every = Number(process.env.KILL_EVERY ?? 0);
for (let n = 1; n <= every; n++) {
  if (n === 1) cases.length = 0;
  for (const victim of ["engine", "program", "provider"] as const) {
    for (const request of ["before", "after"] as const) cases.push([victim, { request, n }]);
  }
  for (const state of [4 * n - 3, 4 * n - 2, 4 * n - 1, 4 * n]) cases.push(["engine", { state }]);
}

/** Resolves when the files of a folder have changed so many times. */
function changes(folder: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    const watcher = watch(folder, () => {
      if (++seen < count) return;
      watcher.close();
      resolve();
    });
  });
}

function walk(engine: EngineName): void {
  describe(`a run of the ${engine} engine that loses`, { timeout: 120_000, sequential: true }, () => {
    let service: Service;
    let line: Line;
    let program: Program;
    let original: unknown;
    let n = 1;

    beforeAll(async () => {
      service = await start();
      line = await Line.to(service.url);
      program = new Program(engine);
      original = await likeness(service);
      program.wanted = edition(n);
      await program.begin({ apiKey: service.keys.partner, baseUrl: line.url });
      await program.operate("up");
    }, 120_000);
    afterAll(async () => {
      program.end();
      line.close();
      await service.close();
    });

    // Tried with the embedded engine only: deletions, too.
    const points = cases.filter(([, { verb }]) => engine === "embedded" || verb === undefined);
    it.each(points)("its %s at %j is carried on with by the next one", async (victim, point) => {
      const { verb = "up" } = point;
      if (verb === "up") program.wanted = edition(++n);
      const struck =
        "request" in point
          ? line.strikeAt(point.request, point.n)
          : changes(join(program.home, "state/.pulumi/stacks/program"), point.state);
      const { pid, outcome } = program.start(verb, "--yes", "--skip-preview", "--stack", program.stack);
      await Promise.race([struck, outcome]);
      const members = await family(pid);
      const isKilled = await kill(pid, victim);
      line.calm();
      const { code } = await outcome;
      if (isKilled) expect(code).not.toBe(0);
      // Beyond the last boundary there is nothing left to kill.
      else expect(every).toBeGreaterThan(0);
      const left = await survivors(members);
      // Whoever could still write to the account is gone. Other plugins of the CLI notice its death minutes later.
      expect(engine === "embedded" ? left : left.filter(({ command }) => victims.provider.test(command))).toEqual([]);
      for (const { pid: orphan } of left) process.kill(orphan, "SIGKILL");
      // The CLI's message asks for this much.
      if (engine === "pulumi") await program.run("cancel", "--yes", "--stack", program.stack);
      const { output } = await program.operate(verb);
      if (engine === "embedded" && victim === "engine" && isKilled)
        expect(output).toMatch(/ended without releasing its lock/);
      if (verb === "destroy") {
        expect(await ownedBy(program)).toEqual([]);
        expect(await likeness(service)).toEqual(original);
        await program.operate("up");
      }
      expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
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
