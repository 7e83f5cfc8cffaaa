/** The effect column: what a plan does to the account, from the records of the provider's hooks. */
import { appendFileSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nameQuestion } from "../../cli/deploy/confirm-plan";
import { EffectTracker } from "../../cli/deploy/effect-tracker";
import { EffectsFile } from "../../cli/deploy/effects-file";
import type { DisplayOptions } from "../../cli/display/display";
import { jsonDisplay } from "../../cli/display/json-display";
import { planLines } from "../../cli/display/plan-rows";
import { type DisplayEvent, shownStep } from "../../cli/display/shown-step";
import { partsOfReplace, symbolOf, verbs } from "../../cli/display/verbs";
import { toAscii } from "../../cli/output/ascii";
import type { EngineEvent, StepInfo } from "../../engine/events";
import { type Effect, type EffectRecord, effectNames, isIrreplaceable } from "../../provider/plan/effect";
import { EffectReporter } from "../../provider/reporting/effect-reporter";
import { temporaryFolder } from "../files";
import {
  done,
  end,
  error,
  goneWebhook,
  newWebhook,
  plain,
  planned,
  sameBranding,
  shown as shownOf,
  stack,
  stackUrn,
  start,
  subjectChange,
} from "./display-events";

const component: StepInfo = {
  op: "create",
  urn: "urn:pulumi:dev::shop::esign:index:AccountConfig::account",
  type: "esign:index:AccountConfig",
  name: "account",
  parent: stackUrn,
  custom: false,
};
const { diffs: _, ...template } = subjectChange;
const email = (name: string, more: Partial<StepInfo> = {}): StepInfo => ({
  ...template,
  op: "create",
  name,
  urn: `${component.urn.replace("AccountConfig::account", "AccountConfig$")}pulumi-nodejs:dynamic/esign:BrandingEmail::${name}`,
  parent: component.urn,
  ...more,
});
/** A record, or one of the resource that has this name among the events. */
type Reported = EffectRecord & { name?: string };
const record = (more: Partial<Reported>): Reported => ({
  kind: "BrandingEmail",
  effect: "adopt",
  writes: 0,
  done: false,
  ...more,
});

/** What a display shows of events, below its first line. */
const shownBelow = (events: DisplayEvent[], options: Partial<DisplayOptions> = {}): string => {
  const out = shownOf(events, options);
  return out.slice(out.indexOf("\n\n") + 2);
};
/** The same of a plan for which the hooks have reported records. */
const shown = (events: EngineEvent[], records: Reported[], options: Partial<DisplayOptions> = {}): string =>
  shownBelow(annotated([start(), ...events, end()], records), options);

function tracking(records: EffectRecord[] = [], options: ConstructorParameters<typeof EffectTracker>[1] = {}) {
  const tracker = new EffectTracker({ read: () => records.splice(0) }, options);
  tracker.begin();
  return tracker;
}
function annotated(events: EngineEvent[], reported: readonly Reported[]): DisplayEvent[] {
  const steps = events.flatMap((event) => (event.type === "step" ? [event.step] : []));
  const records = reported.map(({ name, ...more }): EffectRecord => {
    const step = steps.find((one) => one.name === name);
    return step === undefined ? more : { ...more, urn: step.urn };
  });
  const tracker = tracking(records);
  return events.map((event) => tracker.annotate(event));
}

const handMade = [
  record({ kind: "Branding", name: "branding" }),
  record({
    name: "email-send",
    effect: "adopt-and-update",
    writes: 1,
    id: "email-send",
    fields: [{ field: "subject", live: "Sign this", declared: "Please sign" }],
  }),
  record({ name: "email-signed", id: "email-signed" }),
  record({ kind: "Webhook", name: "signed", id: "71016" }),
];

describe("a plan", () => {
  it("says that what is replaced is created again, although the hooks find it in the account, and that it was there before", () => {
    const { urn, type, name } = newWebhook;
    const part = (op: StepInfo["op"], id?: string) =>
      planned({ ...goneWebhook, urn, type, name, op, ...(id && { id }) });
    const [deletion, creation] = [part("delete-replaced", "71016"), part("create-replacement")];
    const tracker = tracking([record({ kind: "Webhook", urn, id: "71016" })]);
    for (const event of [deletion, part("replace", "71016"), creation]) tracker.annotate(event);
    for (const step of tracker.deletions) tracker.expectDeletion(step, { effect: "delete", writes: 1, adopted: true });
    const steps = tracker.changedSteps();
    expect(steps.map(({ step }) => [step.op, step.effect])).toEqual([
      ["delete-replaced", "delete"],
      ["create-replacement", "create"],
    ]);
    expect(tracker.summary).toMatchObject({ writes: 2, effects: { delete: 1, create: 1 } });
    const row = planLines(
      steps.map(({ step }) => shownStep(step)),
      plain,
      { inputs: false, limit: 80 },
    ).at(-1);
    expect(row).toMatch(/replace .*deleted, then created again {2}\(adopted: existed before this stack\)/);
  });

  it("writes what is replaced again after its original values are restored, although the hooks find it as declared", () => {
    const { urn, type, name } = email("invitation");
    const part = (op: StepInfo["op"], id?: string) =>
      planned({ ...email("invitation"), urn, type, name, op, ...(id && { id }) });
    const tracker = tracking([record({ kind: "BrandingEmail", urn, id: "email-send" })]);
    const parts = [part("delete-replaced", "email-send"), part("replace", "email-send"), part("create-replacement")];
    for (const event of parts) tracker.annotate(event);
    for (const step of tracker.deletions) tracker.expectDeletion(step, { effect: "restore", writes: 1 });
    expect(tracker.changedSteps().map(({ step }) => [step.op, step.effect])).toEqual([
      ["delete-replaced", "restore"],
      ["create-replacement", "adopt-and-update"],
    ]);
    expect(tracker.summary).toMatchObject({ writes: 2 });
  });

  it("has no writes of what the engine refuses, and an unknown number of what fails in a run", () => {
    const failed = { ...planned(goneWebhook), status: "failed" } as const;
    const tracker = tracking();
    for (const event of [planned(goneWebhook), failed]) tracker.annotate(event);
    expect(tracker.summary).toEqual({ effects: {}, writes: 0, unread: 0 });
    // In the events of the Pulumi CLI, nothing is started.
    for (const events of [[{ ...failed, status: "started" } as const, failed], [failed]]) {
      tracker.begin();
      for (const event of events) tracker.annotate(event);
      expect(tracker.summary).toMatchObject({ unread: 1 });
    }
  });

  it("says what happens to the account, not what the engine does with its state", () => {
    const events = [
      planned({ ...stack, op: "create" }),
      planned(component),
      planned({ ...sameBranding, op: "create", parent: component.urn }),
      planned(email("email-send")),
      planned(email("email-signed")),
      planned({ ...newWebhook, parent: component.urn }),
    ];
    expect(shown(events, [...handMade])).toBe(`     Resource                     Effect            Detail
 =   Branding       branding      adopt             identical
 =~  BrandingEmail  email-send    adopt and update  subject
       ~ subject: "Sign this" → "Please sign"
 =   BrandingEmail  email-signed  adopt             identical
 =   Webhook        signed        adopt             id 71016  signed-envelope-complete

1 to adopt and update, 3 to adopt. Account writes: 1. (4.2s)
`);
  });

  it("shows a component, dimmed, only where it groups", () => {
    const [a, b] = [planned(email("a")), planned(email("b"))];
    expect(shown([planned(component), a, b, planned(newWebhook)], [])).toContain(`
 +   AccountConfig     account  create
 +   ├─ BrandingEmail  a        create
 +   └─ BrandingEmail  b        create
 +   Webhook           signed   create  signed-envelope-complete

3 to create. Account writes: unknown.`);
    expect(shown([planned(component), a, planned(newWebhook)], [])).not.toContain("AccountConfig");
  });

  it("fails, after the whole of it, when something is blocked or in conflict", () => {
    const fields = [{ field: "subject", recorded: "Please sign", live: "Hello", declared: "Sign" }];
    const events = [planned(newWebhook), planned({ ...subjectChange, id: "email-send" })];
    const out = shown(events, [
      record({ kind: "Webhook", name: "signed", effect: "blocked", id: "12", detail: "already exists (12)" }),
      record({ name: "email-send", id: "email-send", effect: "conflict", fields }),
    ]);
    expect(out).toBe(`     Resource                   Effect    Detail
 ✗   Webhook        signed      blocked   signed-envelope-complete  already exists (12)
 !   BrandingEmail  email-send  conflict  changed outside Pulumi
       ! subject:
           state     "Please sign"
           account   "Hello"
           declared  "Sign"

Preview failed.
1 blocked, 1 in conflict. Account writes: 0. (4.2s)
To continue, run \`esign refresh\`: it reads the changes into the state, and the next plan shows what \`up\` overwrites.
To always keep the declared values: \`esign config set esign:onConflict overwrite\`.
`);
  });

  it("puts details that do not fit below their row", () => {
    const blocked = record({ kind: "Webhook", name: "signed", effect: "blocked", detail: "already exists ".repeat(4) });
    const out = shown([planned({ ...newWebhook, inputs: {} })], [blocked], { live: true, columns: () => 60 });
    expect(out).toMatch(/signed {2}blocked\S*\n {7}already exists already/);
  });

  it("groups many releases for the same reason, and counts each", () => {
    const detail = "never modified, left unchanged";
    const tracker = tracking();
    const steps = ["a", "b", "c", "d"].map((name) => email(name, { op: "delete", id: name }));
    for (const step of steps) tracker.expectDeletion(step, { effect: "release", writes: 0, detail });
    const deleted = { ...goneWebhook, id: "7" };
    tracker.expectDeletion(deleted, { effect: "delete", writes: 1, adopted: true });
    const out = shownOf([start(), ...[...steps, deleted].map(planned), end()].map((event) => tracker.annotate(event)));
    expect(out).toContain(`
 -   Webhook  old   delete   id 7  all → https://a.example  (adopted: existed before this stack)
 ○   4 resources    release  ${detail}

1 to delete, 4 to release. Account writes: 1.`);
  });

  it("has one line with the effect for each step in JSON, when the plan is complete", () => {
    const lines: string[] = [];
    const display = jsonDisplay((line) => lines.push(line), "https://sign.example.com  key 1c8f…ee12");
    const [, step, last] = annotated([start(), planned(newWebhook), end()], [handMade[3]!]);
    for (const event of [start(), { ...step, step: newWebhook } as DisplayEvent, step!]) display.event(event);
    expect(lines).toHaveLength(1);
    display.event(last!);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: "start", account: "https://sign.example.com  key 1c8f…ee12" },
      { type: "step", step: { op: "create", effect: "adopt", writes: 0, id: "71016" } },
      { type: "end", account: { effects: { adopt: 1 }, writes: 0, unread: 0 } },
    ]);
    expect(lines).toHaveLength(3);
  });
});

describe("a run", () => {
  it("says what was really done", () => {
    const out = shownBelow(
      annotated(
        [
          start({ preview: false }),
          done({ ...newWebhook, id: "71016" }),
          done({ ...subjectChange, op: "create", id: "email-send" }),
          done({ ...sameBranding, op: "delete", id: "branding" }),
          end({ preview: false }),
        ],
        [
          record({ kind: "Webhook", id: "71016", done: true }),
          record({ id: "email-send", effect: "adopt-and-update", writes: 2, done: true }),
          record({ kind: "Branding", id: "branding", effect: "restore", writes: 1, done: true }),
        ],
      ),
    );
    expect(out).toMatch(/ = {2}Webhook signed +adopted\n/);
    expect(out).toMatch(/ =~ BrandingEmail email-send +adopted, updated\n/);
    expect(out).toMatch(/ ↩ {2}Branding branding +restored\n/);
    expect(out).toContain("1 adopted and updated, 1 adopted, 1 restored. Account writes: 3.");
  });
});

describe("an object that passes to another resource", () => {
  const [former, heir] = [goneWebhook, newWebhook].map((step) => ({ ...step, type: newWebhook.type }));
  const old = { ...former!, id: "71016" };
  const adoption = { kind: "Webhook", urn: heir!.urn, id: "71016", account: "k1" };

  it("is adopted before it is deleted, in the same account only", () => {
    const tracker = tracking([record(adoption)]);
    for (const step of [planned(heir!), planned(old)]) tracker.annotate(step);
    const [deletion] = tracker.deletions;
    expect(deletion).toMatchObject({ urn: old.urn, id: "71016" });
    const isAdopted = (step: StepInfo, key: string) =>
      tracker.adoptionOf(step, (account) => account === key) !== undefined;
    expect(isAdopted(deletion!, "k1")).toBe(true);
    expect([isAdopted(deletion!, "k2"), isAdopted({ ...deletion!, id: "71017" }, "k1")]).toEqual([false, false]);
    expect(isAdopted({ ...deletion!, type: "pulumi-nodejs:dynamic/esign:User" }, "k1")).toBe(false);
    expect(JSON.stringify(tracker.changedSteps())).not.toContain("k1");
  });

  it("is counted once, whatever of it was read when", () => {
    const events = [done({ ...heir!, id: "71016" }), done(old)];
    const records = [
      record({ ...adoption, done: true }),
      record({ kind: "Webhook", id: "71016", effect: "release", done: true, needsUpdate: true }),
    ];
    const tracker = tracking([...records]);
    for (const event of events) tracker.annotate(event);
    expect(tracker.summary).toEqual({ effects: { adopt: 1, release: 1 }, writes: 0, unread: 0 });
    expect(tracker.needsUpdate).toBe(true);
  });

  it("of which no hook has reported was deleted without a request", () => {
    const tracker = tracking();
    tracker.expectDeletion(old, { effect: "restore", writes: 1 });
    tracker.annotate(done(old));
    expect(tracker.summary).toEqual({ effects: { delete: 1 }, writes: 0, unread: 0 });
  });
});

describe("of two resources of one name, in different components and accounts", () => {
  const [team, office] = ["Team", "Office"].map((type) => ({
    ...email("invitation"),
    urn: `urn:pulumi:dev::shop::shop:index:${type}$pulumi-nodejs:dynamic/esign:BrandingEmail::invitation`,
  })) as [StepInfo, StepInfo];
  const about = ({ urn }: StepInfo, more: Partial<EffectRecord>) => record({ urn, id: "email-send", ...more });
  const effectsOf = (tracker: EffectTracker, steps: EngineEvent[]) =>
    steps.map((step) => (tracker.annotate(step) as { step: { effect?: string } }).step.effect);

  it("each has the planned effect of its own", () => {
    const tracker = tracking([about(team, {}), about(office, { effect: "adopt-and-update", writes: 1 })]);
    expect(effectsOf(tracker, [planned(team), planned(office)])).toEqual(["adopt", "adopt-and-update"]);
    const unplanned = tracking([about(team, {})]);
    expect(effectsOf(unplanned, [planned(office), planned({ ...office, op: "update", id: "email-send" })])).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("each has what was done for it, in whatever order that ends", () => {
    const ended = [office, team].map((step) => done({ ...step, id: "email-send" }));
    const tracker = tracking([
      about(team, { done: true }),
      about(office, { done: true, effect: "adopt-and-update", writes: 1 }),
    ]);
    expect(effectsOf(tracker, ended)).toEqual(["adopt-and-update", "adopt"]);
  });

  it("a replaced one is refused once", () => {
    const tracker = tracking([about(team, { effect: "blocked", writes: 0, detail: "already exists (12)" })]);
    for (const op of ["create-replacement", "replace"] as const) tracker.annotate(planned({ ...team, op }));
    expect(tracker.refusals.map(({ urn }) => urn)).toEqual([team.urn]);
    expect(tracker.summary.effects).toEqual({ blocked: 1 });
  });

  it("where nothing says its URN, the effect is found by ID", () => {
    const tracker = tracking([record({ urn: team.urn }), record({ id: "email-send", effect: "update", writes: 1 })]);
    const update = planned({ ...office, op: "update", id: "email-send" });
    expect(effectsOf(tracker, [planned(team), update])).toEqual(["adopt", "update"]);
  });
});

describe("records", () => {
  it("of a provider that is not asked say why what has none is not read, in the plan and no longer", () => {
    const provider = record({ kind: "Provider", urn: "urn:pulumi:dev::shop::pulumi:providers:esign::firm" });
    const detail = "the key of its provider is not known before the update";
    const team = email("team");
    const tracker = tracking([provider, record({ urn: team.urn })]);
    for (const step of [newWebhook, team]) tracker.annotate(planned(step));
    expect(tracker.changedSteps()).toMatchObject([{ step: { urn: newWebhook.urn, effect: "unread", detail } }]);
    expect(tracker.summary).toMatchObject({ unread: 1, writes: { least: 0 } });
    expect(tracker.annotate({ type: "step", status: "started", step: newWebhook })).not.toHaveProperty("step.effect");
    const other = tracking([]);
    other.annotate(planned(newWebhook));
    expect(other.changedSteps()).toEqual([]);
  });

  it("of a step that was announced before they were written change it; secret outputs have no values", () => {
    const records: EffectRecord[] = [];
    const tracker = tracking(records, { secretsOf: () => ["subject"] });
    const step = { ...subjectChange, id: "email-send" };
    expect(tracker.annotate(planned(step))).toEqual(planned(step));
    expect(tracker.changedSteps()).toEqual([]);
    const fields = [{ field: "subject", live: "Hello", declared: "Sign" }];
    records.push(record({ id: "email-send", effect: "update", writes: 1, fields }));
    expect(tracker.changedSteps()).toMatchObject([
      { step: { effect: "update", fields: [{ field: "subject", secret: true }] } },
    ]);
    expect(JSON.stringify(tracker.changedSteps())).not.toContain("Hello");
    expect(tracker.summary).toEqual({ effects: { update: 1 }, writes: 1, unread: 0 });
    expect(tracker.isRefused).toBe(false);
    records.push(record({ id: "email-send", effect: "conflict", fields }));
    tracker.changedSteps();
    tracker.annotate(planned(newWebhook));
    records.push(record({ kind: "Webhook", urn: newWebhook.urn, effect: "blocked", detail: "already exists (12)" }));
    tracker.changedSteps();
    expect(tracker.refusals).toMatchObject([
      { severity: "error", urn: step.urn, message: "it was changed outside Pulumi: subject" },
      { severity: "error", urn: newWebhook.urn, message: "already exists (12)" },
    ]);
  });

  it("are read from a private file as they come, and the file is removed", () => {
    const file = new EffectsFile();
    const path = file.environment().ESIGN_EFFECTS_FILE!;
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    const line = JSON.stringify(record({ id: "a" }));
    appendFileSync(path, `${line}\nno JSON\n${line.slice(0, 10)}`);
    expect(file.read()).toEqual([record({ id: "a" })]);
    appendFileSync(path, `${line.slice(10)}\n`);
    expect(file.read()).toEqual([record({ id: "a" })]);
    expect(file.read()).toEqual([]);
    file.remove();
    expect(existsSync(path)).toBe(false);
  });

  it("of this process are read by a call, as they were when they were reported, unless another program reads the file", () => {
    const file = new EffectsFile();
    const path = file.environment().ESIGN_EFFECTS_FILE!;
    const reporter = new EffectReporter(file.environment());
    const effect: Effect = { effect: "update", writes: 1, id: "a" };
    reporter.reportPlan("Webhook", { urn: newWebhook.urn }, effect);
    effect.writes = 2;
    const reported = { effect: "update", writes: 1, id: "a", kind: "Webhook", done: false, urn: newWebhook.urn };
    expect(statSync(path).size).toBe(0);
    expect(file.read()).toEqual([reported]);
    expect(file.read()).toEqual([]);
    file.remove();

    const another = join(temporaryFolder(), "effects");
    writeFileSync(another, "");
    const own = new EffectsFile(another);
    new EffectReporter(own.environment()).reportDone("Webhook", {}, effect);
    expect(own.read()).toEqual([{ ...effect, kind: "Webhook", done: true }]);
    expect(statSync(another).size).toBeGreaterThan(0);
    own.remove();
  });
});

it("has a symbol of its own for each effect, also in ASCII", () => {
  const effects = effectNames.filter((name) => name !== "unread");
  for (const names of [effects, verbs.filter((verb) => partsOfReplace.has(verb) || verb === "replace")]) {
    expect(new Set(names.map((name) => symbolOf(name))).size).toBe(names.length);
    expect(new Set(names.map((name) => toAscii(symbolOf(name)))).size).toBe(names.length);
  }
});

it("names what a destroy would delete for good", () => {
  const adopted = { ...goneWebhook, effect: "delete", writes: 1, adopted: true } as const;
  const company = { ...goneWebhook, type: "pulumi-nodejs:dynamic/esign:Company", effect: "delete", writes: 1 } as const;
  const withData = { ...company, loss: { sent: 3, open: 0 } };
  expect([adopted, withData, company, { ...company, loss: { sent: 0, open: 0 } }].map(isIrreplaceable)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const unread = { ...company, loss: { sent: { least: 0 }, open: 0 } };
  expect(nameQuestion([adopted, adopted, withData, unread])).toBe(
    "2 webhooks existed before this stack. This deletes 1 company with data and 1 company whose data cannot be read. Type the stack's name to confirm:",
  );
});

it("reports one error for one cause, with the resources; that of another resource under its own name", () => {
  const problem = (name: string, text: string) =>
    error(email(name).urn, `pulumi-nodejs:dynamic/esign:BrandingEmail resource "${name}" has a problem: ${text}`);
  const out = (...errors: EngineEvent[]) => shownBelow([start(), ...errors, end({ ok: false, changes: {} })]);
  expect(
    out(...["a", "b", "c"].map((name) => problem(name, "settings: esign:apiKey is not set"))),
  ).toBe(`error: settings: esign:apiKey is not set
  3 resources: BrandingEmail "a", BrandingEmail "b", BrandingEmail "c"

Preview failed.
`);
  const contact = 'Contact "sam": name must not be empty';
  expect(out(problem("a", contact))).toBe(`error: ${contact}\n\nPreview failed.\n`);
});
