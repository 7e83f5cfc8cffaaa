/**
 * Original values are in the state after every run that ended well: `.esign` is a crash journal, which a checkout of CI does
 * not have. Each case removes it after such runs, and once more before its destroy, which then has the state alone.
 */
import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator";
import { connect } from "../../sdk";
import { onStage } from "../provider/on-stage";
import type { Wanted } from "../provider/programs";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";

const world = onStage({ retries: "0" });

const client = () => connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
const account = async () => {
  const { branding_emails } = await client().branding.emails();
  return [await client().branding.get(), branding_emails.map((email) => ({ ...email, branding_email_updated: "" }))];
};
const originalSubject = async () =>
  (await client().branding.emails()).branding_emails.find((item) => item.branding_email_type === "email-send")!
    .branding_email_subject!;

const [one, two, three] = ["One", "Two", "Three"].map((word) => ({ subject: `${word} {contract title}` }));
const body = { contentPlain: "Ours {contract url}" };
const logo = (name: string) => ({ logoUrl: `https://www.example.com/${name}.png` });

const email = (args: object, name = "email"): Wanted[] => [
  { kind: "BrandingEmail", name, args: { type: "email-send", ...args } },
];
const branding = (args: object, name = "branding"): Wanted[] => [{ kind: "Branding", name, args: { ...args } }];

/** A stack whose program runs in a fresh folder, unless the run before did not end well. */
class Stack {
  readonly engine = new Engine();
  readonly said: string[] = [];
  #program: Wanted[] = [];

  constructor(
    /** Whether `.esign` is removed after each run that ended well. */
    readonly isFresh: boolean,
  ) {}

  async up(program: Wanted[]): Promise<void> {
    this.#program = program;
    await this.#run((hooks) => this.engine.up(program, hooks), true);
  }
  /** What the next run would do and say: nothing, once all is settled. */
  async next(): Promise<string[]> {
    const hooks = hooksHere(world);
    const { steps, failures } = await this.engine.up(this.#program, hooks);
    return [...steps, ...failures, ...hooks.said];
  }
  async refresh(): Promise<void> {
    await this.#run((hooks) => this.engine.refresh(hooks), true);
  }
  async destroy(): Promise<void> {
    await this.#run((hooks) => this.engine.destroy(hooks), true);
  }

  /** The account has what was sent; the response is lost. */
  async upLosingResponse(program: Wanted[]): Promise<void> {
    world.service.configure({ faults: [{ kind: "cut-after", method: "PUT", nth: 1 } as Fault] });
    await this.#run((hooks) => this.engine.up(program, hooks), false);
    world.service.configure({ faults: [] });
  }

  /** With another name the original values are in the journal alone, which is said; the run that follows writes nothing. */
  async upRenaming(program: Wanted[]): Promise<void> {
    this.#program = program;
    const hooks = hooksHere(world);
    expect((await this.engine.up(program, hooks)).failures).toEqual([]);
    // Where the journal still has them, the next resource takes them from there.
    if (!this.isFresh) return;
    expect(hooks.said.join()).toMatch(/until the next `up`, only .*journal has the original value of .*aliases/);
    world.service.clearLog();
    await this.up(program);
    expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(this.said.join()).toMatch(/this update records the original value of/);
  }

  /** Killed after the account has what was sent: the state stays as it was. */
  async upKilled(program: Wanted[]): Promise<void> {
    const [state, replaced] = [structuredClone([...this.engine.state]), [...this.engine.replaced]];
    await this.engine.up(program, hooksHere(world));
    this.engine.state.clear();
    for (const [name, kept] of state) this.engine.state.set(name, kept);
    this.engine.replaced.splice(0, Number.POSITIVE_INFINITY, ...replaced);
  }

  async #run(run: (hooks: ReturnType<typeof hooksHere>) => Promise<{ failures: string[] }>, endsWell: boolean) {
    const hooks = hooksHere(world);
    const { failures } = await run(hooks);
    this.said.push(...hooks.said);
    if (endsWell) expect(failures).toEqual([]);
    else expect(failures).not.toEqual([]);
    if (endsWell && this.isFresh) world.forget();
  }
}

const byHand = () =>
  client().branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "By hand" });

const cases: Record<string, (stack: Stack) => Promise<void>> = {
  "a first up": (stack) => stack.up([...email({ ...one, ...body }), ...branding({ colour: "#112233", ...logo("a") })]),
  "an update of a field that was changed before": async (stack) => {
    await stack.up(email(one!));
    await stack.up(email(two!));
  },
  "an update that adds a field": async (stack) => {
    await stack.up(email(one!));
    await stack.up(email({ ...one, ...body }));
  },
  "an update that drops a field, and one that declares it again": async (stack) => {
    await stack.up(email({ ...one, ...body }));
    await stack.up(email(one!));
    await stack.up(email({ ...one, ...body }));
  },
  "an update of what was adopted as declared": async (stack) => {
    await stack.up(email({ subject: await originalSubject() }));
    await stack.up(email(one!));
    await stack.up(email(two!));
  },
  "an update of what was adopted as declared in part": async (stack) => {
    await stack.up(email({ subject: await originalSubject(), ...body }));
    await stack.up(email({ ...one, ...body }));
  },
  "an update back to the original": async (stack) => {
    await stack.up(email(one!));
    await stack.up(email({ subject: await originalSubjectBefore }));
    await stack.up(email(two!));
  },
  "a refresh": async (stack) => {
    await stack.up([...email(one!), ...branding(logo("a"))]);
    await stack.refresh();
  },
  "a refresh that finds a change by hand, and an up that reverts it": async (stack) => {
    await stack.up(email(one!));
    await byHand();
    await stack.refresh();
    await stack.up(email(one!));
  },
  "a change by hand of what was adopted as declared, and an up that reverts it": async (stack) => {
    const subject = await originalSubject();
    await stack.up(email({ subject }));
    await byHand();
    await stack.refresh();
    await stack.up(email(one!));
  },
  "a change by hand that the program follows": async (stack) => {
    await stack.up(email({ subject: await originalSubject() }));
    await byHand();
    await stack.up(email({ subject: "By hand" }));
  },
  "a logo that is changed twice": async (stack) => {
    for (const name of ["a", "b"]) await stack.up(branding(logo(name)));
  },
  "a killed first up, completed": async (stack) => {
    await stack.upKilled(email(one!));
    await stack.up(email(one!));
  },
  "a killed first up, completed with another value": async (stack) => {
    await stack.upKilled(email(one!));
    await stack.up(email(two!));
  },
  "a killed update, completed": async (stack) => {
    await stack.up(email({ subject: await originalSubject() }));
    await stack.upKilled(email({ ...one, ...body }));
    await stack.up(email({ ...one, ...body }));
  },
  "a killed update that the program takes back": async (stack) => {
    await stack.up(email(one!));
    await stack.upKilled(email({ ...two, ...body }));
    await stack.up(email(one!));
  },
  "a killed update, refreshed": async (stack) => {
    await stack.up(email({ subject: await originalSubject() }));
    await stack.upKilled(email({ ...one, ...body }));
    await stack.refresh();
    await stack.up(email({ ...one, ...body }));
  },
  "a killed deletion, and an up": async (stack) => {
    await stack.up(email(one!));
    await stack.upKilled([]);
    await stack.refresh();
    await stack.up(email(one!));
  },
  "a first up whose response is lost, completed": async (stack) => {
    await stack.upLosingResponse(email(one!));
    await stack.up(email(one!));
  },
  "an update whose response is lost, completed": async (stack) => {
    await stack.up(email({ subject: await originalSubject() }));
    await stack.upLosingResponse(email({ ...one, ...body }));
    await stack.up(email({ ...two, ...body }));
  },
  "an update whose response is lost, refreshed": async (stack) => {
    await stack.up(email({ subject: await originalSubject() }));
    await stack.upLosingResponse(email(one!));
    await stack.refresh();
    await stack.up(email(one!));
  },
  "another type": async (stack) => {
    await stack.up(email(one!));
    await stack.up(email({ ...one, type: "email-signed" }));
  },
  "another key": async (stack) => {
    await stack.up(email(one!));
    world.settings.apiKey = await world.service.rotateKey(world.service.data().accounts.find((a) => a.partner)!.id);
    await stack.up(email(two!));
  },
  "another name": async (stack) => {
    await stack.up([...email(one!, "a"), ...branding(logo("a"), "a-branding")]);
    await stack.upRenaming([...email(one!, "b"), ...branding(logo("a"), "b-branding")]);
  },
  "another name and another value": async (stack) => {
    await stack.up(email(one!, "a"));
    await stack.upRenaming(email(two!, "b"));
  },
  "another name, and an update": async (stack) => {
    await stack.up(email(one!, "a"));
    await stack.upRenaming(email(one!, "b"));
    await stack.up(email(three!, "b"));
  },
  "two other names": async (stack) => {
    await stack.up(email(one!, "a"));
    await stack.upRenaming(email(one!, "b"));
    await stack.upRenaming(email(one!, "c"));
  },
};
let originalSubjectBefore = Promise.resolve("");

describe.each([
  ["removed", true],
  ["kept", false],
])("where .esign is %s between the runs", (_, isFresh) => {
  it.each(Object.entries(cases))(
    "after %s all is settled, and the state alone restores the account",
    async (_, run) => {
      originalSubjectBefore = originalSubject();
      const before = await account();
      const stack = new Stack(isFresh);
      await run(stack);
      if (!isFresh) expect(await stack.next()).toEqual([]);
      world.forget();
      expect(await stack.next()).toEqual([]);
      await stack.destroy();
      expect(await account()).toEqual(before);
    },
  );
});
