/** Updates whose outcome is not known: the next run looks, whatever the program says by then. */
import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator";
import type { HandlerName } from "../../provider/hooks";
import type { Properties } from "../../provider/unknowns";
import { connect } from "../../sdk";
import { type Stage, wired } from "./handlers";
import { onStage } from "./on-stage";

let world: Stage;
onStage(
  (stage) => {
    world = stage;
  },
  { retries: "0" },
);

const client = () => connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
const emailNow = async () =>
  (await client().branding.emails()).branding_emails.find((item) => item.branding_email_type === "email-send")!;
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

describe.each(cases)("an update of $handler", ({ handler, before, after, live }) => {
  const begin = async () => {
    const made = await world.phase()[handler].create(wired(handler, before));
    return { id: made.id, state: wired(handler, made.outs), was: await live(made.id) };
  };
  const plan = (id: string, state: Properties, inputs: Properties) =>
    world.phase()[handler].diff(id, state, wired(handler, inputs));
  const update = (id: string, state: Properties, inputs: Properties) => updated(handler, id, state, inputs);

  it("is taken back when the program is put back, also from another folder, and then all is settled", async () => {
    const { id, state, was } = await begin();
    const failure = await losing(() => update(id, state, after));
    expect(failure.message).toMatch(/may have been carried out.*Run the same command again: it looks first/);
    expect(failure.message).not.toMatch(/in the state/);
    expect(await live(id)).not.toEqual(was);
    const kept = wired(handler, failure.properties!);
    expect(failure.id).toBe(id);
    expect(kept).toMatchObject(before);
    world.forget();
    expect((await plan(id, kept, before)).changes).toBe(true);
    const settled = await update(id, kept, before);
    expect(await live(id)).toEqual(was);
    expect((await plan(id, wired(handler, settled.outs), before)).changes).toBe(false);
    expect(JSON.stringify(settled.outs)).not.toContain("perhaps");
  });

  it("that was not carried out is looked at, and nothing is written", async () => {
    const { id, state } = await begin();
    const failure = await losing(() => update(id, state, after), { kind: "cut-before" });
    const kept = wired(handler, failure.properties!);
    const count = writes();
    const settled = await update(id, kept, before);
    expect(writes()).toBe(count);
    expect(JSON.stringify(settled.outs)).not.toContain("perhaps");
  });

  it("is finished, or followed by a third version", async () => {
    const { id, state } = await begin();
    const failure = await losing(() => update(id, state, after));
    const kept = wired(handler, failure.properties!);
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
    await update(id, kept, third);
    expect(JSON.stringify(await live(id))).toContain(third[field!]);
  });

  it("is shown by a refresh, and put back by the next update", async () => {
    const { id, state, was } = await begin();
    const failure = await losing(() => update(id, state, after));
    const read = await world.phase()[handler].read(id, wired(handler, failure.properties!));
    const shown = wired(handler, read.props!);
    expect((await plan(id, shown, before)).changes).toBe(true);
    const settled = await update(id, shown, before);
    expect(await live(id)).toEqual(was);
    expect((await plan(id, wired(handler, settled.outs), before)).changes).toBe(false);
  });

  it("that somebody has written over since is not overwritten", async () => {
    const { id, state } = await begin();
    const failure = await losing(() => update(id, state, after));
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
    await expect(update(id, wired(handler, failure.properties!), before)).rejects.toThrow(
      new RegExp(`not as the state has it: ${field}.*refresh`),
    );
    expect(writes()).toBe(count);
  });

  it("that is refused is no doubt: the state stays as it was", async () => {
    const { id, state } = await begin();
    const failure = await losing(() => update(id, state, after), { kind: "error", code: 10010 });
    expect(failure.message).toMatch(/Nothing was changed/);
    expect(failure.properties).toBeUndefined();
  });
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

it("texts that are too long for a failure to carry stay as they were", async () => {
  const content = `<p>{contract url}</p>${"x".repeat(60_000)}`;
  const made = await world.phase().brandingEmail.create(wired("brandingEmail", { type: "email-send", content }));
  const next = { type: "email-send", content: `${content}y` };
  const failure = await losing(() => updated("brandingEmail", made.id, made.outs, next));
  expect(failure.message).toMatch(/may have been carried out.*it looks first/);
  expect(failure.properties).toBeUndefined();
});
