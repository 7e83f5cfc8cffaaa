/**
 * A run is killed while some of its writes are on the way: each is lost, applied without an answer, or arrives when the next run has
 * begun. Whatever comes next says nothing wrong, doubles nothing and loses nothing. Which writes they are depends on a seed alone.
 */
import { createHash } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Data, type Emulator, start } from "../../emulator";
import { SharedFolder } from "../../provider/processes/shared-folder";
import { temporaryFolder } from "../files";
import type { Form } from "../provider/program-forms";
import { type EngineName, type Outcome, Program, type Wanted } from "../provider/programs";
import { restoreState } from "./after-kill";
import { disagreements, likeness, ownedBy } from "./agreement";
import { type Fate, Line, type Write } from "./line";
import { family, kill, send, survivors, type Victim } from "./processes";
import { branding, company, contact, email, settings, user, webhook } from "./wanted";

/** What is done by the run that is killed. */
export const acts = ["create", "update", "replace", "rename", "rename and change", "destroy"] as const;
export type Act = (typeof acts)[number];

/** What comes after it, before an `up` that ends with what is wanted. */
const nexts = ["refresh", "up", "destroy", "preview", "drift", "changed", "back"] as const;
export type Next = (typeof nexts)[number];

/** Two resources have one object after the kill of a run that renames and changes it, until an `up` has finished it (docs/explanation/guarantees.md). */
export const nextsOf = (act: Act): readonly Next[] =>
  act === "rename and change" ? nexts.filter((next) => !["destroy", "back"].includes(next)) : nexts;

export interface Case {
  engine: EngineName;
  form: Form;
  act: Act;
  victim: Victim;
  /** Decides what becomes of each write. */
  seed: number;
  nexts: readonly Next[];
}

const text = (n: number) => `${n}: {contract title}`;

/** The programs: `n` changes values, `name` names, `place` what replaces. Without an alias, one with `onExisting: "fail"` keeps its name. */
function wantedOf(n: number, name = "a", place = 0): Wanted[] {
  const own = (address: string, onExisting?: string) => ({
    url: `https://r.example/${address}`,
    ...(onExisting && { onExisting }),
  });
  return [
    branding({ colour: `#00000${n}` }, `branding-${name}`),
    email({ type: place ? "email-signed" : "email-rejected", subject: text(n) }, `email-${name}`),
    settings({ emailPdfAttach: n % 2 === 1 }, `settings-${name}`),
    company({ name: "Firm", userEmail: "u@firm.example", email: `o${n}@firm.example` }, `firm-${name}`),
    webhook({ ...own(`in${n}`), ...(place === 0 && { account: `firm-${name}` }) }, `inside-${name}`),
    webhook({ ...own(`${n}`), type: place ? "add-user" : "all" }, `hook-${name}`),
    webhook(own(`same${place}`, "create"), `one-${name}`),
    webhook(own(`same${place}`, "create"), `two-${name}`),
    webhook(own(`own${n}`, "fail"), "own"),
    contact({ name: `Carla ${n}`, email: `carla${place}@hush.example` }, `contact-${name}`),
    user({ name: `Bo ${n}`, email: "bo@hush.example" }, `user-${name}`),
  ];
}

/** Other names, and other values where that is no doubt which people must decide. */
const renamed = wantedOf(2, "b").map((one, i) =>
  ["Webhook", "Company"].includes(one.kind) ? wantedOf(1, "b")[i]! : one,
);

/** What exists before the run, and what it wants. */
const programs: Record<Act, [before: Wanted[], wanted: Wanted[]]> = {
  create: [[], wantedOf(1)],
  update: [wantedOf(1), wantedOf(2)],
  replace: [wantedOf(1), wantedOf(1, "a", 1)],
  rename: [wantedOf(1), wantedOf(1, "b")],
  "rename and change": [wantedOf(1), renamed],
  destroy: [wantedOf(1), wantedOf(1)],
};

/** A number from 0 to 1 that depends on these alone. */
function chance(...of: unknown[]): number {
  return createHash("sha256").update(JSON.stringify(of)).digest().readUInt32BE() / 2 ** 32;
}

/** A write by what it is about, whatever its object's id is in this run, and its number among equal ones. */
function namerOf(data: () => Data) {
  const counts = new Map<string, number>();
  return ({ method, path, body }: Write): string => {
    const names = new Map<string, string>();
    for (const { id, name, webhooks, contacts, users } of data().accounts) {
      names.set(id, name);
      for (const one of webhooks) names.set(one.id, one.url);
      for (const one of [...contacts, ...users]) names.set(one.id, one.email);
    }
    const place = path.split(/[/?]/).map((part) => names.get(part) ?? part);
    const name = `${method} ${place.join("/")} ${method === "POST" ? body.replace(/boundary.*/g, "") : ""}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `${name} ${counts.get(name)}`;
  };
}

/**
 * Of five writes two or three come through. Of late ones creates alone: when an update or a deletion comes after the next run has read,
 * only a refresh can tell (docs/explanation/guarantees.md).
 */
function fateOf(seed: number, name: string, victim: Victim): Fate | undefined {
  const drawn = (["lost", "unanswered", "late"] as const)[Math.floor(chance(seed, name) * 5)];
  // Without its program a run goes on to look for what got no answer, and does not wait for ever.
  const mayBeLate = name.startsWith("POST") && victim !== "program";
  return drawn === "late" && !mayBeLate ? undefined : drawn;
}

/** Resolves when something is held and nothing has come for a moment. */
async function untilStill(line: Line): Promise<void> {
  let last = Date.now();
  let held = 0;
  line.onArrival = () => {
    last = Date.now();
  };
  while (held === 0 || Date.now() - last < 600) {
    await sleep(50);
    if (line.held !== held) last = Date.now();
    held = line.held;
  }
}

/** Lives a case. Answers everything that is wrong. */
export async function live({ engine, form, act, victim, seed, nexts }: Case): Promise<string[]> {
  const data = temporaryFolder();
  let service = await start({ file: join(data, "data.json"), port: 0 });
  const line = await Line.to(service.url);
  const program = new Program(engine, undefined, form);
  // What processes know of an account goes back in time with it, where more than one thing follows: what they publish has a folder, what they
  // remember ends with them.
  const temporary = temporaryFolder();
  const published = new SharedFolder(".", temporary);
  published.make();
  program.launch = { environment: { TMPDIR: temporary } };
  const original = likeness(service);
  const [before, wanted] = programs[act];
  const problems: string[] = [];
  try {
    await program.begin({ apiKey: service.keys.partner, baseUrl: line.url });
    program.wanted = before;
    if (before.length > 0) await program.operate("up");
    if (before.length > 0) await program.operate("refresh");
    program.wanted = wanted;
    const fates = await killOne(
      program,
      line,
      () => service.data(),
      act === "destroy" ? "destroy" : "up",
      victim,
      seed,
    );
    if (nexts.length > 1) program.launch.executable = process.execPath;
    await service.close();
    const copies = [program.home, data, published.path].map((folder) => [folder, `${folder}.copy`] as const);
    for (const [folder, copy] of copies) cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    for (const next of nexts) {
      for (const [folder, copy] of copies) {
        rmSync(folder, { recursive: true });
        cpSync(copy, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      }
      service = await start({ file: join(data, "data.json"), port: 0 });
      line.service = service.url;
      const found = await follow(program, line, service, { next, before, wanted, original, seed, act });
      problems.push(
        ...found.map(
          (problem) => `${act}, ${victim} killed, seed ${seed}, ${next}: ${problem}\n  (${fates.join("; ")})`,
        ),
      );
      await service.close();
    }
    for (const [, copy] of copies) rmSync(copy, { recursive: true });
  } finally {
    line.close();
    await service.close().catch(() => undefined);
  }
  return problems;
}

/** The run that is killed. Answers what became of its writes. */
async function killOne(
  program: Program,
  line: Line,
  data: () => Data,
  verb: "up" | "destroy",
  victim: Victim,
  seed: number,
): Promise<string[]> {
  const fates: string[] = [];
  const nameOf = namerOf(data);
  line.fate = (write) => {
    const name = nameOf(write);
    const fate = fateOf(seed, name, victim);
    fates.push(`${name} ${fate ?? "answered"}`);
    return fate;
  };
  const run = program.start(verb, "--yes", "--skip-preview", "--stack", program.stack);
  await Promise.race([untilStill(line), run.outcome]);
  const members = await family(run.pid);
  const isKilled = await kill(run.pid, victim);
  line.cut();
  if (isKilled && victim === "engine") {
    for (const { pid } of await survivors(members, () => program.engine === "embedded")) send(pid, "SIGKILL");
  }
  await run.outcome;
  if (program.engine === "pulumi") {
    if (victim === "engine") restoreState(join(program.home, "state/.pulumi/stacks/program"));
    await program.run("cancel", "--yes", "--stack", program.stack);
  }
  return fates;
}

interface After {
  next: Next;
  act: Act;
  before: Wanted[];
  wanted: Wanted[];
  original: ReturnType<typeof likeness>;
  seed: number;
}

/** What comes next, and everything that is wrong with it. */
async function follow(program: Program, line: Line, service: Emulator, after: After): Promise<string[]> {
  const { next, before, wanted, original, seed } = after;
  const problems: string[] = [];
  // While the first run reads, or waits for what may be on its way.
  const arrival = setTimeout(() => void line.deliver(), 500 + 1500 * chance(seed, next));
  const run = async (...args: string[]): Promise<Outcome> => {
    const outcome = await program.run(...args, "--stack", program.stack);
    clearTimeout(arrival);
    await line.deliver();
    if (outcome.code !== 0) problems.push(`${args[0]} ended with ${outcome.code}: ${outcome.output}`);
    if (/changed outside|ESIGN1012/.test(outcome.output)) problems.push(`${args[0]}: ${outcome.output}`);
    return outcome;
  };
  const operate = (verb: string, ...args: string[]) => run(verb, "--yes", "--skip-preview", ...args);
  const expectAgreement = async (when: string) => {
    problems.push(...disagreements(service.data(), await ownedBy(program)).map((each) => `${when}: ${each}`));
  };
  if (next === "changed") program.wanted = wantedOf(7, after.act.startsWith("rename") ? "b" : "a");
  else program.wanted = next === "back" ? before : wanted;
  if (next === "refresh") await operate("refresh");
  if (next === "preview") await run("preview");
  if (next === "drift") await run("drift");
  if (next === "destroy") {
    await operate("destroy");
    expectOriginal(service, original, problems, "destroy");
  }
  await operate("up");
  await expectAgreement("up");
  // What former resources leave is recorded by a second run, which the command adds to that of the built-in engine.
  if (program.engine === "pulumi" && after.act.startsWith("rename")) await operate("up");
  await operate("up", "--expect-no-changes");
  await operate("destroy");
  expectOriginal(service, original, problems, "the end");
  return problems;
}

function expectOriginal(service: Emulator, original: object, problems: string[], when: string): void {
  const now = likeness(service) as Record<string, unknown>;
  for (const [name, value] of Object.entries(original))
    if (JSON.stringify(value) !== JSON.stringify(now[name]))
      problems.push(`${when}: ${name} is ${JSON.stringify(now[name])} and was ${JSON.stringify(value)}`);
}
