/**
 * What is known of the time before the stack is in the state after every run that ended well: original values, and whether an
 * object is adopted. `.esign` is a crash journal, which a checkout of CI does not have; names change, and objects are replaced.
 */
import { describe, expect, it } from "vitest";
import { defaultEmails, emailContent } from "../../emulator/domain/emails/default-emails";
import { deletionEffect } from "../../provider/plan/deletion-effect";
import { webhook as webhookDefinition } from "../../provider/resources/webhook";
import { connect } from "../../sdk";
import { spread } from "../chance";
import { onStage } from "../provider/on-stage";
import type { Wanted } from "../provider/programs";
import { likeness } from "./agreement";
import { Stack } from "./stack";
import { company, webhook } from "./wanted";

const world = onStage({ retries: "0" });

const client = () => connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
const partner = () => world.service.data().accounts.find((account) => account.partner)!;
const account = () => [likeness(world.service), partner().branding];
const writes = () => world.service.requests().filter(({ method }) => method !== "GET");
const original = { subject: defaultEmails["email-send"].subject };
const [one, two, three] = ["One", "Two", "Three"].map((word) => ({ subject: `${word} {contract title}` }));
const body = { contentPlain: "Ours {contract url}" };
const both = { ...one, ...body };
const dark = { colour: "#0a0b0c" };
const logo = (name: string) => ({ logoUrl: `https://www.example.com/${name}.png` });
const email = (args: object = {}, name = "email"): Wanted => ({
  kind: "BrandingEmail",
  name,
  args: { type: "email-send", ...args },
});
const branding = (args: object, name = "branding"): Wanted => ({ kind: "Branding", name, args: { ...args } });

class Life extends Stack {
  program: Wanted[] = [];

  constructor(
    /** Whether `.esign` is removed after each run that ended well. */
    readonly isFresh = false,
  ) {
    super(world);
  }

  /** A run that ends well: an `up` of this program, or another verb. */
  async run(verb: Wanted[] | "refresh" | "destroy", { isFresh = this.isFresh, deletes = true } = {}) {
    if (typeof verb !== "string") this.program = verb;
    const { failures, ...ran } = await (typeof verb === "string" ? this[verb]() : this.up(verb, {}, deletes));
    expect(failures).toEqual([]);
    for (const kept of this.objects) this.world.acknowledge(kept);
    if (isFresh) this.world.forget();
    return ran;
  }
}

type Step = (stack: Life) => Promise<unknown>;
const refresh: Step = (stack) => stack.run("refresh");

function up(...program: Wanted[]): Step {
  return (stack) => stack.run(program);
}

/** With another name the original values are in the journal alone, which is said; the run that follows writes nothing. */
function renaming(...program: Wanted[]): Step {
  return async (stack) => {
    const { said } = await stack.run(program, { isFresh: false });
    // Where the journal still has them, the next resource takes them from there.
    if (!stack.isFresh) return;
    expect(said.join()).toMatch(/until the next `up`, only .*journal has the original value of .*aliases/);
    world.service.clearLog();
    expect((await stack.run(program)).said.join()).toMatch(/this update records the original value of/);
    expect(writes()).toEqual([]);
  };
}

/** The account has what was sent; the response is lost. */
function losing(...program: Wanted[]): Step {
  return async (stack) => {
    world.service.configure({ faults: [{ kind: "cut-after", method: "PUT", nth: 1 }] });
    expect((await stack.up(program)).failures).not.toEqual([]);
    world.service.configure({ faults: [] });
  };
}

/** Killed after the account has what was sent: the state stays as it was. */
function killed(...program: Wanted[]): Step {
  return async (stack) => {
    const { engine } = stack;
    const [state, replaced] = [structuredClone([...engine.state]), [...engine.replaced]];
    await stack.up(program);
    engine.state.clear();
    for (const [name, kept] of state) engine.state.set(name, kept);
    engine.replaced.splice(0, Number.POSITIVE_INFINITY, ...replaced);
  };
}

/** Killed between the creations under new names and the deletions under the old ones. */
function killedBeforeDeletions(...program: Wanted[]): Step {
  return (stack) => stack.run(program, { deletes: false, isFresh: false });
}

const byHand: Step = () =>
  client().branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "By hand" });
const newKey: Step = async () => {
  world.settings.apiKey = await world.service.rotateKey(partner().id);
};
const trimming: Step = async () => world.service.configure({ textStyle: "trimmed" });

const named = (name: string) => [
  company({}, `${name}-firm`),
  webhook({}, `${name}-hook`),
  branding(dark, `${name}-branding`),
];
const spaced = (name: string) => [
  branding(logo("ours"), `${name}-branding`),
  email({ content: "  <p>{contract url}</p>" }, `${name}-email`),
];

const cases: Record<string, Step[]> = {
  "a first up": [up(email(both), branding({ colour: "#112233", ...logo("a") }))],
  "an update of a field that was changed before": [up(email(one)), up(email(two))],
  "an update that adds a field": [up(email(one)), up(email(both))],
  "an update that drops a field, and one that declares it again": [up(email(both)), up(email(one)), up(email(both))],
  "an update of what was adopted as declared": [up(email(original)), up(email(one)), up(email(two))],
  "an update of what was adopted as declared in part": [up(email({ ...original, ...body })), up(email(both))],
  "an update back to the original": [up(email(one)), up(email(original)), up(email(two))],
  "a refresh": [up(email(one), branding(logo("a"))), refresh],
  "a refresh that finds a change by hand, and an up that reverts it": [up(email(one)), byHand, refresh, up(email(one))],
  "a change by hand of what was adopted as declared": [up(email(original)), byHand, refresh, up(email(one))],
  "a change by hand that the program follows": [up(email(original)), byHand, up(email({ subject: "By hand" }))],
  "a logo that is changed twice": [up(branding(logo("a"))), up(branding(logo("b")))],
  "a killed first up, completed": [killed(email(one)), up(email(one))],
  "a killed first up, completed with another value": [killed(email(one)), up(email(two))],
  "a killed update, completed": [up(email(original)), killed(email(both)), up(email(both))],
  "a killed update that the program reverts": [up(email(one)), killed(email({ ...two, ...body })), up(email(one))],
  "a killed update, refreshed": [up(email(original)), killed(email(both)), refresh, up(email(both))],
  "a killed deletion, and an up": [up(email(one)), killed(), refresh, up(email(one))],
  "a first up whose response is lost, completed": [losing(email(one)), up(email(one))],
  "an update whose response is lost": [up(email(original)), losing(email(both)), up(email({ ...two, ...body }))],
  "an update whose response is lost, refreshed": [up(email(original)), losing(email(one)), refresh, up(email(one))],
  "a logo whose response is lost, refreshed": [
    up(branding(dark)),
    losing(branding({ ...dark, ...logo("a") })),
    refresh,
    up(branding({ ...dark, ...logo("a") })),
  ],
  "another type": [up(email(one)), up(email({ ...one, type: "email-signed" }))],
  "another key": [up(email(one)), newKey, up(email(two))],
  "another name": [
    up(email(one, "a"), branding(logo("a"), "a-branding")),
    renaming(email(one, "b"), branding(logo("a"), "b-branding")),
  ],
  "another name and another value": [up(email(one, "a")), renaming(email(two, "b"))],
  "another name, and an update": [up(email(one, "a")), renaming(email(one, "b")), up(email(three, "b"))],
  "two other names": [up(email(one, "a")), renaming(email(one, "b")), renaming(email(one, "c"))],
};

/** Each time another text, in a resource of this name. */
const editions = (...names: string[]) => names.map((name, i) => up(email({ subject: `${i} {contract title}` }, name)));

/** What leaves the original values, or who has created an object, in the journal alone. */
const unsettled: Record<string, Step[]> = {
  "three other names, each with another value": editions("a", "a", "b", "c", "d"),
  "another name and back, each with another value": editions("a", "a", "b", "a", "b"),
  "another name, after a refresh that finds other values than were sent": [
    trimming,
    up(...spaced("a")),
    refresh,
    up(...spaced("b")),
  ],
  "other names, after refreshes that find other values than were sent": [
    trimming,
    up(...spaced("a")),
    refresh,
    up(...spaced("b")),
    refresh,
    up(...spaced("c")),
    up(...spaced("d")),
    refresh,
  ],
  "another name that drops an argument": [up(email(both, "a")), up(email(one, "b"))],
  "another name that drops one argument and changes another": [up(email(both, "a")), up(email(two, "b"))],
  "another name that drops an argument, killed before the deletion": [
    up(email(both, "a")),
    killedBeforeDeletions(email(one, "b")),
    up(email(one, "b")),
  ],
  "another name, an update, and another name, each with another value": [
    up(email(one, "a")),
    up(email(two, "b")),
    up(email({ ...two, ...body }, "b")),
    up(email({ ...three, ...body }, "c")),
  ],
  "another name, an update, and another name with the same value": [
    up(email(one, "a")),
    up(email(two, "b")),
    up(email({ ...two, ...body }, "b")),
    up(email({ ...two, ...body }, "c")),
  ],
  "another name that follows a change by hand": [
    up(email(one, "a")),
    byHand,
    refresh,
    up(email({ subject: "By hand" }, "b")),
  ],
  "an up under new names that is killed before the deletions, completed": [
    up(...named("old")),
    killedBeforeDeletions(...named("new")),
    up(...named("new")),
  ],
  "an up under new names that is killed before the deletions, and the old names": [
    up(...named("old")),
    killedBeforeDeletions(...named("new")),
    up(...named("old")),
  ],
};

/** Answers how the account was before. */
async function live(stack: Life, steps: Step[]): Promise<unknown> {
  const branding_email_content = "<p>Before {contract url}</p>";
  await client().branding.updateEmail({ branding_email_type: "email-send", branding_email_content });
  const before = account();
  for (const step of steps) await step(stack);
  expect(stack.objects.map(({ name }) => name).sort()).toEqual(stack.program.map(({ name }) => name).sort());
  expect(stack.disagreements()).toEqual([]);
  expect(account()).not.toEqual(before);
  return before;
}

describe.each([
  ["removed", true],
  ["kept", false],
])("where .esign is %s between the runs", (_, isFresh) => {
  // The state alone is what the others are about.
  const all = Object.entries(cases);
  it.each(isFresh ? all : spread(all, 9))(
    "after %s all is settled, and the state alone restores the account",
    async (_, steps) => {
      const stack = new Life(isFresh);
      const before = await live(stack, steps);
      // What the next run does and says; the second time it has the state alone.
      for (let n = isFresh ? 1 : 0; n < 2; n++) {
        if (n === 1) world.forget();
        expect(await stack.run(stack.program, { isFresh: false })).toEqual({ steps: [], said: [] });
      }
      await stack.run("destroy");
      expect(account()).toEqual(before);
    },
  );
});

it.each(Object.entries(unsettled))("a destroy right after %s restores the account", async (_, steps) => {
  const stack = new Life();
  const before = await live(stack, steps);
  await stack.run("destroy");
  expect(account()).toEqual(before);
});

it("an argument that a resource drops with its name is restored by the same run, unless it was changed by hand", async () => {
  const { subject, contentPlain } = defaultEmails["email-send"];
  const stack = new Life();
  await stack.run([email(both, "a")]);
  world.service.clearLog();
  expect((await stack.run([email(two, "b")])).steps).toEqual(["create b", "delete a"]);
  expect(writes()).toHaveLength(2);
  const texts = () => emailContent(partner(), "email-send");
  expect(texts()).toMatchObject({ ...two, contentPlain });
  await stack.run([email({ ...two, ...body }, "b")]);
  await client().branding.updateEmail({
    branding_email_type: "email-send",
    branding_email_content_plain: "By hand {contract url}",
  });
  expect((await stack.up([email(one, "c")])).failures).toEqual([expect.stringMatching(/conflict: contentPlain/)]);
  expect(texts()).toMatchObject({ ...one, contentPlain: "By hand {contract url}" });
  await stack.run("refresh");
  await stack.run([email(one, "c")]);
  await stack.run("destroy");
  expect(texts()).toMatchObject({ subject, contentPlain });
});

it("an argument that a resource with onDelete: keep drops with its name is left unchanged", async () => {
  const stack = new Life();
  await stack.run([email({ ...both, onDelete: "keep" }, "a")]);
  await stack.run([email({ ...one, onDelete: "keep" }, "b")]);
  expect(partner().emails["email-send"]).toMatchObject(both);
});

const url = "https://r.example/esign";
const hook = (name: string, more = {}) => webhook({ url, ...more }, name);
const isAdopted = ({ objects: [object] }: Life) =>
  deletionEffect({ definition: webhookDefinition, id: object!.id, state: object!.outs }).adopted === true;

/** As `up --replace`, of which the hooks are not asked for a difference. */
const replacing: Step = (stack) => {
  const [old] = stack.objects;
  stack.engine.replaced.push(old!);
  stack.engine.state.delete(old!.name);
  return stack.run(stack.program);
};

const lives: Record<string, Step[]> = {
  "no other name": [],
  "another name": [up(hook("b"))],
  "two other names": ["b", "b", "c"].map((name) => up(hook(name))),
  "two other names at once": ["b", "c"].map((name) => up(hook(name))),
  "another name and back": ["b", "a", "b", "a"].map((name) => up(hook(name))),
  "another name, refreshed": [up(hook("b")), refresh],
  "another name, then another URL": [up(hook("b")), up(hook("b", { url: `${url}/2` }))],
  "another name, killed before the deletion": [killedBeforeDeletions(hook("b")), up(hook("b"))],
  "another name, killed before the deletion, and back": [killedBeforeDeletions(hook("b")), up(hook("a"))],
  "another name, killed after the deletion": [
    killedBeforeDeletions(hook("b")),
    async (stack) => {
      const old = stack.engine.state.get("a")!;
      await stack.run([hook("b")]);
      stack.engine.state.set("a", old);
      await stack.run([hook("b")]);
    },
  ],
  "a forced replacement": [replacing],
  "a forced replacement, then another name": [replacing, up(hook("b"))],
};

describe.each([
  ["created", false],
  ["adopted", true],
])("what the stack has %s", (_, existedBefore) => {
  const all = Object.entries(lives);
  it.each(existedBefore ? spread(all, 4) : all)("counts as that after %s", async (_, steps) => {
    if (existedBefore) await client().webhooks.create({ webhook_type: "all", webhook_url: url });
    const stack = new Life();
    await stack.run([hook("a")]);
    const { id } = stack.objects[0]!;
    for (const step of steps) await step(stack);
    world.service.clearLog();
    const settled = await stack.run(stack.program);
    // One update at most, which writes nothing.
    for (const step of settled.steps) expect(step).toBe(`update ${stack.program[0]!.name}`);
    expect(writes()).toEqual([]);
    const words = expect.stringMatching(/records that this stack has created it, as another/);
    expect(settled.said).toEqual(settled.steps.map(() => words));
    expect((await stack.run(stack.program)).steps).toEqual([]);
    // From now on the state has it.
    world.forget();
    expect((await stack.run(stack.program)).steps).toEqual([]);
    expect(stack.ids).toEqual([id]);
    expect(isAdopted(stack)).toBe(existedBefore);
  });
});

it("what a stack has created stays its own when another one of the same folder has adopted it", async () => {
  const [mine, other] = [new Life(), new Life()];
  await mine.run([hook("a")]);
  await other.run([hook("x")]);
  expect([mine, other].map(isAdopted)).toEqual([false, true]);
  await mine.run([hook("b")]);
  expect((await other.run([hook("x")])).steps).toEqual([]);
  await mine.run([hook("b")]);
  expect([mine, other].map(isAdopted)).toEqual([false, true]);
});
