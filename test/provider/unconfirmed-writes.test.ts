/** Updates whose outcome is not known: the next run looks, whatever the program says by then. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator";
import type { Properties } from "../../provider/core/pulumi-values";
import type { HandlerName } from "../../provider/resources/index";
import { journalFolder } from "../../provider/state/originals-journal";
import { connect } from "../../sdk";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage({ retries: "0" });

const client = () => connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
const emailNow = async () =>
  (await client().branding.emails()).branding_emails.find((item) => item.branding_email_type === "email-send")!;
/** The account gets a new key. A text of ours that is there tells that it is the same account; else people have to. */
async function rotate(handler: HandlerName) {
  world.settings.apiKey = await world.service.rotateKey(world.service.data().accounts[0]!.id);
  const isTold = handler === "webhook" || handler === "company";
  if (isTold) world.settings.expectAccount = await client().keyFingerprint();
}
const remembered = () => {
  const folder = join(world.directory, journalFolder);
  return existsSync(folder) ? readdirSync(folder) : [];
};
const writes = () => world.service.requests().filter(({ method }) => method !== "GET").length;

/** A run that updates an object. */
const updated = (handler: HandlerName, id: string, state: Properties, inputs: Properties) =>
  world.phase()[handler].update(id, wired(handler, state), wired(handler, inputs));

/** A run in which the first write is carried out and its answer lost. Answers what the hook fails with. */
async function losing(work: () => Promise<unknown>, fault: Partial<Fault> = {}) {
  world.service.configure({ faults: [{ kind: "cut-after", method: "PUT", nth: 1, ...fault } as Fault] });
  const failure = await work().then(
    () => undefined,
    (error) => error,
  );
  world.service.configure({ faults: [] });
  return failure as { message: string; id?: string; properties?: Properties; reasons?: string[] };
}

interface Case {
  handler: HandlerName;
  before: Properties;
  after: Properties;
  live(id: string): Promise<unknown>;
}
const cases: Case[] = [
  {
    handler: "webhook",
    before: { type: "all", url: "https://r.example/1" },
    after: { type: "all", url: "https://r.example/2" },
    live: async (webhook_id) => (await client().webhooks.get({ webhook_id })).webhook_url,
  },
  {
    handler: "company",
    before: { name: "N", userName: "U", userEmail: "u@n.example", email: "one@n.example" },
    after: { name: "N", userName: "U", userEmail: "u@n.example", email: "two@n.example" },
    live: async (company_id) => (await client().companies.get({ company_id })).company_email,
  },
  {
    handler: "branding",
    before: { colour: "#112233" },
    after: { colour: "#445566" },
    live: async () => (await client().branding.get()).branding_colour,
  },
  {
    handler: "brandingEmail",
    before: { type: "email-send", subject: "One {contract title}" },
    after: { type: "email-send", subject: "Two {contract title}", contentPlain: "Two {contract url}" },
    live: async () => {
      const { branding_email_updated: _, ...email } = await emailNow();
      return email;
    },
  },
];

/** Who knows of an update: the state, after an answer was lost; after a kill the journal alone. */
const everyone = cases.flatMap((one) => (["state", "journal"] as const).map((witness) => ({ ...one, witness })));

describe.each(everyone)(
  "an update of $handler that the $witness knows of",
  ({ handler, before, after, live, witness }) => {
    const begin = async () => {
      const made = await world.phase()[handler].create(wired(handler, before));
      return { id: made.id, state: wired(handler, made.outs), was: await live(made.id) };
    };
    const plan = (id: string, state: Properties, inputs: Properties) =>
      world.phase()[handler].diff(id, state, wired(handler, inputs));
    const update = (id: string, state: Properties, inputs: Properties) => updated(handler, id, state, inputs);
    /** The state after an update whose answer is lost. */
    const lose = async (id: string, state: Properties, kind: Fault["kind"] = "cut-after") => {
      const failure = await losing(() => update(id, state, after), { kind });
      expect(failure.message).toMatch(/may have succeeded.*Rerun the command; it checks the account first/);
      expect(failure.message).not.toMatch(/in the state/);
      expect(failure.id).toBe(id);
      const kept = wired(handler, failure.properties!);
      expect(kept).toMatchObject(before);
      // The state goes everywhere, the journal stays.
      if (witness === "state") world.forget();
      return witness === "state" ? kept : state;
    };

    it("is taken back when the program is put back, and then all is settled", async () => {
      const { id, state, was } = await begin();
      const kept = await lose(id, state);
      expect(await live(id)).not.toEqual(was);
      expect((await plan(id, kept, before)).changes).toBe(true);
      const settled = await update(id, kept, before);
      expect(await live(id)).toEqual(was);
      expect((await plan(id, wired(handler, settled.outs), before)).changes).toBe(false);
      expect(JSON.stringify(settled.outs)).not.toContain("perhaps");
    });

    it("that was not carried out is looked at, and nothing is written", async () => {
      const { id, state } = await begin();
      const kept = await lose(id, state, "cut-before");
      expect((await plan(id, kept, before)).changes).toBe(true);
      const count = writes();
      const settled = await update(id, kept, before);
      expect(writes()).toBe(count);
      expect((await plan(id, wired(handler, settled.outs), before)).changes).toBe(false);
      expect(JSON.stringify(settled.outs)).not.toContain("perhaps");
    });

    it("is finished, or followed by a third version", async () => {
      const { id, state } = await begin();
      const kept = await lose(id, state);
      const count = writes();
      await update(id, kept, after);
      expect(writes()).toBe(count);
      const [field] = Object.keys(after).filter((name) => after[name] !== before[name]);
      const value = {
        url: "https://r.example/3",
        email: "three@n.example",
        colour: "#778899",
        subject: "3 {contract title}",
      };
      const third = { ...after, [field!]: value[field as keyof typeof value] };
      const settled = await update(id, kept, third);
      expect(JSON.stringify(await live(id))).toContain(third[field!]);
      expect((await plan(id, wired(handler, settled.outs), third)).changes).toBe(false);
    });

    it("is shown by a refresh, and put back by the next update", async () => {
      const { id, state, was } = await begin();
      const kept = await lose(id, state);
      const read = await world.phase()[handler].read(id, kept);
      const shown = wired(handler, read.props!);
      expect((await plan(id, shown, before)).changes).toBe(true);
      const isNew = (name: string) => !(name in before);
      expect((await plan(id, shown, after)).changes).toBe(Object.keys(after).some(isNew));
      const settled = await update(id, shown, before);
      expect(await live(id)).toEqual(was);
      expect((await plan(id, wired(handler, settled.outs), before)).changes).toBe(false);
    });

    it("that was not carried out is of no matter after a refresh", async () => {
      const { id, state } = await begin();
      const kept = await lose(id, state, "cut-before");
      const read = await world.phase()[handler].read(id, kept);
      expect((await plan(id, wired(handler, read.props!), before)).changes).toBe(false);
    });

    it("that somebody has written over since is not overwritten", async () => {
      const { id, state } = await begin();
      const kept = await lose(id, state);
      const [field] = Object.keys(after).filter((name) => after[name] !== before[name]);
      const byHand: Record<string, () => Promise<unknown>> = {
        url: () => client().webhooks.update({ webhook_id: id, webhook_url: "https://theirs.example/" }),
        email: () => client().companies.update({ company_id: id, company_email: "their@n.example" }),
        colour: () => client().branding.update({ branding_colour: "#ABABAB" }),
        subject: () =>
          client().branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "Theirs" }),
      };
      await byHand[field!]!();
      const count = writes();
      await expect(update(id, kept, before)).rejects.toThrow(new RegExp(`conflict: ${field} changed.*Refresh`, "s"));
      expect(writes()).toBe(count);
      expect((await plan(id, kept, before)).changes).toBe(true);
    });

    it("that is refused is no doubt: the state stays as it was", async () => {
      const { id, state } = await begin();
      const failure = await losing(() => update(id, state, after), { kind: "error", code: 10010 });
      expect(failure.message).toMatch(/Nothing was changed/);
      expect(failure.properties).toBeUndefined();
      expect((await plan(id, state, before)).changes).toBe(false);
    });
  },
);

it.each(cases)(
  "with a new key an update of $handler is looked for under the old one",
  async ({ handler, before, after, live }) => {
    const made = await world.phase()[handler].create(wired(handler, before));
    const [was, state] = [await live(made.id), wired(handler, made.outs)];
    await losing(() => updated(handler, made.id, state, after));
    await rotate(handler);
    const isDoubt = async (of: Properties) =>
      (await world.phase()[handler].diff(made.id, of, wired(handler, before))).changes;
    expect(await isDoubt(state)).toBe(true);
    // What fails leaves the doubt.
    await losing(() => updated(handler, made.id, state, before), { kind: "error", code: 10010 });
    expect(await isDoubt(state)).toBe(true);
    const settled = wired(handler, (await updated(handler, made.id, state, before)).outs);
    expect(await live(made.id)).toEqual(was);
    expect(await isDoubt(settled)).toBe(false);
    await world.phase()[handler].read(made.id, settled);
    expect(remembered()).toEqual([]);
  },
);

it("with a new key a deletion forgets what was noted under the old one", async () => {
  const inputs = wired("webhook", { type: "all", url: "https://r.example/1" });
  const { id, outs } = await world.phase().webhook.create(inputs);
  await losing(() => updated("webhook", id, outs, { ...inputs, url: "https://r.example/2" }));
  await rotate("webhook");
  await world.phase().webhook.delete(id, outs);
  expect(remembered()).toEqual([]);
});

describe.each(cases)("a deletion of $handler", ({ handler, before, live }) => {
  const inputs = { ...before, ...(handler === "company" && { deletionProtection: false }) };
  const plan = (id: string, state: Properties) => world.phase()[handler].diff(id, state, wired(handler, inputs));
  const begin = async (kind: Fault["kind"]) => {
    const { id, outs } = await world.phase()[handler].create(wired(handler, inputs));
    const state = wired(handler, outs);
    const was = await live(id);
    const method = handler === "webhook" || handler === "company" ? "DELETE" : "PUT";
    const failure = await losing(() => world.phase()[handler].delete(id, state), { kind, method });
    expect(failure.message).toMatch(/it checks the account first/);
    return { id, state, was };
  };

  it("whose answer was lost is looked at if the program keeps it after all: put back, or said with the way out", async () => {
    const { id, state, was } = await begin("cut-after");
    expect((await plan(id, state)).changes).toBe(true);
    const next = updated(handler, id, state, inputs);
    if (handler === "webhook" || handler === "company") {
      await expect(next).rejects.toThrow(/no longer exists in the account.*Refresh, then run `up` to recreate it/s);
      expect((await world.phase()[handler].read(id, state)).id).toBe("");
      expect(remembered()).toEqual([]);
    } else {
      const { outs } = await next;
      expect(await live(id)).toEqual(was);
      expect((await plan(id, wired(handler, outs))).changes).toBe(false);
    }
  });

  it("that was not carried out is looked at, and nothing is written", async () => {
    const { id, state } = await begin("cut-before");
    expect((await plan(id, state)).changes).toBe(true);
    const count = writes();
    const { outs } = await updated(handler, id, state, inputs);
    expect(writes()).toBe(count);
    expect((await plan(id, wired(handler, outs))).changes).toBe(false);
  });
});

it("a plan says why it has an update that changes nothing", async () => {
  const inputs = wired("webhook", { type: "all", url: "https://r.example/1" });
  const { id, outs } = await world.phase().webhook.create(inputs);
  const says = async () => {
    const phase = world.phase();
    expect((await phase.webhook.diff(id, outs, inputs)).changes).toBe(true);
    return phase.said;
  };
  const start = `Webhook ${id}: the last`;
  await losing(() => world.phase().webhook.delete(id, outs), { method: "DELETE", kind: "cut-before" });
  expect(await says()).toEqual([`${start} deletion got no response; this update checks it first`]);
  await losing(() => updated("webhook", id, outs, { ...inputs, url: "https://r.example/2" }));
  expect(await says()).toEqual([`${start} update of url got no response; this update checks it first`]);
  const folder = join(world.directory, journalFolder);
  writeFileSync(join(folder, readdirSync(folder)[0]!), "damage");
  expect((await says()).join()).toMatch(/Restore a good copy of the file, or remove it/);
});

it("a plan without settings knows of no doubt", async () => {
  const inputs = wired("webhook", { type: "all", url: "https://r.example/1" });
  const { id, outs } = await world.phase().webhook.create(inputs);
  await losing(() => updated("webhook", id, outs, { ...inputs, url: "https://r.example/2" }));
  expect((await world.phase({ apiKey: "" }).webhook.diff(id, outs, inputs)).changes).toBe(false);
});

it.each(cases)(
  "what another machine has deployed since is no doubt of $handler here",
  async ({ handler, before, after }) => {
    const { id, outs } = await world.phase()[handler].create(wired(handler, before));
    const here = world.directory;
    const first = await updated(handler, id, outs, after);
    world.forget();
    const second = await updated(handler, id, first.outs, before);
    const third = wired(handler, (await updated(handler, id, second.outs, after)).outs);
    world.directory = here;
    const plan = () => world.phase()[handler].diff(id, third, wired(handler, after));
    expect((await plan()).changes).toBe(false);
    // What is sent from here after that is one.
    await losing(() => updated(handler, id, third, before));
    expect((await plan()).changes).toBe(true);
  },
);

it("what another stack in the folder has sent is no doubt of this one", async () => {
  const [one, two] = ["#112233", "#445566"].map((colour) => wired("branding", { colour }));
  const mine = await world.phase().branding.create(one!);
  const theirs = await world.phase().branding.create(two!);
  await world
    .phase()
    .branding.update(theirs.id, wired("branding", theirs.outs), wired("branding", { colour: "#778899" }));
  expect((await world.phase().branding.diff(mine.id, wired("branding", mine.outs), one!)).changes).toBe(false);
});

it("a text that was taken over in doubt is put back when the program drops it, from another folder, too", async () => {
  const before = await emailNow();
  const inputs = wired("brandingEmail", { type: "email-send", subject: "One {contract title}" });
  const failure = await losing(() => world.phase().brandingEmail.create(inputs));
  expect((await emailNow()).branding_email_subject).toBe("One {contract title}");
  world.forget();
  await world.phase().brandingEmail.delete(failure.id!, wired("brandingEmail", failure.properties!));
  expect(await emailNow()).toMatchObject({ ...before, branding_email_updated: expect.anything() });
});

it("an argument whose loss is in doubt is put back when the program is, from another folder, too", async () => {
  const both = { type: "email-send", subject: "One {contract title}", contentPlain: "One {contract url}" };
  const made = await world.phase().brandingEmail.create(wired("brandingEmail", both));
  const { contentPlain: _, ...less } = both;
  const lost = await losing(() => updated("brandingEmail", made.id, made.outs, less));
  expect((await emailNow()).branding_email_content_plain).not.toBe(both.contentPlain);
  world.forget();
  await updated("brandingEmail", made.id, lost.properties!, both);
  expect((await emailNow()).branding_email_content_plain).toBe(both.contentPlain);
});

it("of two updates in doubt, one after the other, neither is taken for somebody's", async () => {
  const subject = (text: string) => wired("brandingEmail", { type: "email-send", subject: `${text} {contract title}` });
  const made = await world.phase().brandingEmail.create(subject("One"));
  const first = await losing(() => updated("brandingEmail", made.id, made.outs, subject("Two")));
  const change = () => updated("brandingEmail", made.id, first.properties!, subject("Three"));
  const second = await losing(change, { kind: "cut-before" });
  world.forget();
  await updated("brandingEmail", made.id, second.properties!, subject("One"));
  expect((await emailNow()).branding_email_subject).toBe("One {contract title}");
});

it("a logo whose change is in doubt is sent again when the program is put back, and one that was new is taken away", async () => {
  const logo = (n: number) =>
    wired("branding", { colour: "#112233", ...(n > 0 && { logoUrl: `https://r.example/${n}.png` }) });
  const logoNow = async () => (await client().branding.get()).branding_logo;
  const original = await logoNow();
  const made = await world.phase().branding.create(logo(0));
  let state = wired("branding", made.outs);
  const lost = await losing(() => world.phase().branding.update(made.id, state, logo(1)));
  expect(await logoNow()).not.toBe(original);
  const { outs } = await world.phase().branding.update(made.id, wired("branding", lost.properties!), logo(0));
  expect(await logoNow()).toBe(original);
  state = wired("branding", (await world.phase().branding.update(made.id, wired("branding", outs), logo(1))).outs);
  const again = await losing(() => world.phase().branding.update(made.id, state, logo(2)));
  const count = writes();
  const settled = await world.phase().branding.update(made.id, wired("branding", again.properties!), logo(1));
  expect(writes()).toBe(count + 1);
  expect(await logoNow()).toBe(settled.outs.logo);
  await world.phase().branding.delete(made.id, wired("branding", settled.outs));
  expect(await logoNow()).toBe(original);
});

it("a text or logo that is new and in doubt is of no matter when a refresh finds what was there before, or somebody's", async () => {
  const inputs = wired("branding", { colour: "#112233" });
  const made = await world.phase().branding.create(inputs);
  const more = wired("branding", { colour: "#112233", logoUrl: "https://r.example/1.png" });
  const lost = await losing(() => world.phase().branding.update(made.id, made.outs, more), { kind: "cut-before" });
  const { props } = await world.phase().branding.read(made.id, wired("branding", lost.properties!));
  expect((await world.phase().branding.diff(made.id, wired("branding", props!), inputs)).changes).toBe(false);

  const email = { type: "email-send", subject: "One {contract title}" };
  const text = await world.phase().brandingEmail.create(wired("brandingEmail", email));
  const next = { ...email, contentPlain: "Two {contract url}" };
  const failure = await losing(() => updated("brandingEmail", text.id, text.outs, next));
  await client().branding.updateEmail({
    branding_email_type: "email-send",
    branding_email_content_plain: "Theirs {contract url}",
  });
  const read = await world.phase().brandingEmail.read(text.id, wired("brandingEmail", failure.properties!));
  const plan = world
    .phase()
    .brandingEmail.diff(text.id, wired("brandingEmail", read.props!), wired("brandingEmail", email));
  expect((await plan).changes).toBe(false);
});

it("a company's address that was set in doubt by its creation is looked at", async () => {
  const args = { name: "N", userName: "U", userEmail: "u@n.example" };
  const failure = await losing(() =>
    world.phase().company.create(wired("company", { ...args, email: "two@n.example" })),
  );
  const kept = wired("company", failure.properties!);
  await world.phase().company.update(failure.id!, kept, wired("company", { ...args, email: "u@n.example" }));
  expect((await client().companies.get({ company_id: failure.id! })).company_email).toBe("u@n.example");
});

it("what is shown instead of a new value stays secret, though the new one is not", async () => {
  const hushed = { type: "email-send", subject: "HUSH {contract title}" };
  const made = await world.phase().brandingEmail.create(wired("brandingEmail", hushed));
  const next = { type: "email-send", subject: "Said {contract title}" };
  const failure = await losing(() => updated("brandingEmail", made.id, made.outs, next));
  const isEnvelope = (value: unknown) => value !== null && typeof value === "object" && "value" in value;
  const open = Object.entries(failure.properties!).filter(([, value]) => !isEnvelope(value));
  expect(JSON.stringify(open)).not.toContain("HUSH");
});

it("texts that are too long for a failure to carry stay as they were, and the journal knows", async () => {
  const content = `<p>{contract url}</p>${"x".repeat(60_000)}`;
  const made = await world.phase().brandingEmail.create(wired("brandingEmail", { type: "email-send", content }));
  const next = { type: "email-send", content: `${content}y` };
  const state = wired("brandingEmail", made.outs);
  const failure = await losing(() => updated("brandingEmail", made.id, state, next));
  expect(failure.message).toMatch(/may have succeeded.*checks the account first/);
  expect(failure.properties).toBeUndefined();
  const inputs = wired("brandingEmail", { type: "email-send", content });
  expect((await world.phase().brandingEmail.diff(made.id, state, inputs)).changes).toBe(true);
  await world.phase().brandingEmail.update(made.id, state, inputs);
  expect((await emailNow()).branding_email_content).toBe(content);
});
