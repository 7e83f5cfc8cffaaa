/** Updates with an unknown outcome: the next run checks, whatever the program says by then. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator";
import type { Properties } from "../../provider/core/pulumi-values";
import { journalFolder } from "../../provider/recovery/journal-file";
import type { HandlerName } from "../../provider/resources/index";
import { connect } from "../../sdk";
import { type Managed, pictureAt, wired } from "./handlers";
import { byTurns, onStage } from "./on-stage";

const world = onStage({ retries: "0" });

/** The account gets a new key. A text of ours that is there tells that it is the same account; else people have to. */
async function rotate(handler: HandlerName) {
  const { service, settings } = world;
  settings.apiKey = await service.rotateKey(service.data().accounts[0]!.id);
  if (handler === "webhook" || handler === "company") {
    settings.expectAccount = await connect({ baseUrl: service.url, apiKey: settings.apiKey }).keyFingerprint();
  }
}
const remembered = () => {
  const folder = join(world.directory, journalFolder);
  return existsSync(folder) ? readdirSync(folder) : [];
};
const writes = () => world.writes().length;
const subject = (word: string) => ({ type: "email-send", subject: `${word} {contract title}` });
const plain = (word: string) => ({ contentPlain: `${word} {contract url}` });
const plainNow = async () => (await world.template()).branding_email_content_plain;
const logoNow = async () => pictureAt((await world.client.branding.get()).branding_logo);
const hook = (n: number) => ({ type: "all", url: `https://r.example/${n}` });

/** A run in which the first write is applied and its response lost. Returns what the hook fails with. */
async function losing(work: () => Promise<unknown>, fault: Partial<Fault> = {}) {
  world.service.configure({ faults: [{ kind: "cut-after", method: "PUT", nth: 1, ...fault } as Fault] });
  const failure = await work().then(
    () => undefined,
    (error) => error,
  );
  world.service.configure({ faults: [] });
  return failure as { message: string; id?: string; properties?: Properties };
}
/** The state after an update whose answer is lost. */
const losingUpdate = async (made: Managed, args: Properties, fault: Partial<Fault> = {}) =>
  made.having((await losing(() => made.update(args), fault)).properties!);

interface Case {
  handler: HandlerName;
  before: Properties;
  after: Properties;
  /** The first field that differs, a third value for it, and a write outside Pulumi to it. */
  field: string;
  third: string;
  byHand(id: string): Promise<unknown>;
  live(id: string): Promise<unknown>;
}
const firm = { name: "N", userName: "U", userEmail: "u@n.example" };
const cases: Case[] = [
  {
    handler: "webhook",
    before: hook(1),
    after: hook(2),
    field: "url",
    third: "https://r.example/3",
    byHand: (webhook_id) => world.client.webhooks.update({ webhook_id, webhook_url: "https://theirs.example/" }),
    live: async (webhook_id) => (await world.client.webhooks.get({ webhook_id })).webhook_url,
  },
  {
    handler: "company",
    before: { ...firm, email: "one@n.example" },
    after: { ...firm, email: "two@n.example" },
    field: "email",
    third: "three@n.example",
    byHand: (company_id) => world.client.companies.update({ company_id, company_email: "their@n.example" }),
    live: async (company_id) => (await world.client.companies.get({ company_id })).company_email,
  },
  {
    handler: "branding",
    before: { colour: "#112233" },
    after: { colour: "#445566" },
    field: "colour",
    third: "#778899",
    byHand: () => world.client.branding.update({ branding_colour: "#ABABAB" }),
    live: async () => (await world.client.branding.get()).branding_colour,
  },
  {
    handler: "brandingEmail",
    before: subject("One"),
    after: { ...subject("Two"), ...plain("Two") },
    field: "subject",
    third: "3 {contract title}",
    byHand: () =>
      world.client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "Theirs" }),
    live: () => world.template(),
  },
];

/** Who knows of an update: the state, after an answer was lost; after a kill the journal alone. */
const everyone = (["state", "journal"] as const).flatMap((witness) => cases.map((one) => ({ ...one, witness })));

describe.each(byTurns(everyone))("an update of $handler that the $witness knows of", (one) => {
  const { handler, before, after, field, third, byHand, live, witness } = one;
  /** An object whose last update got no answer, what it was before, and how many writes there were. */
  const begin = async (kind: Fault["kind"] = "cut-after") => {
    const made = await world.create(handler, before);
    const was = await live(made.id);
    const failure = await losing(() => made.update(after), { kind });
    expect(failure.message).toMatch(/may have succeeded.*Rerun the command; it checks the account first/);
    expect(failure.message).not.toMatch(/in the state/);
    expect(failure.id).toBe(made.id);
    const kept = made.having(failure.properties!);
    expect(kept.outs).toMatchObject(before);
    // The state goes everywhere, the journal stays.
    if (witness === "state") world.forget();
    return { kept: witness === "state" ? kept : made, was, count: writes() };
  };
  const isSettled = async (settled: Managed, args: Properties) => {
    expect(await settled.differs(args)).toBe(false);
    expect(JSON.stringify(settled.outs)).not.toContain("perhaps");
  };

  it("is reverted when the program is reverted, and then all is settled", async () => {
    const { kept, was } = await begin();
    expect(await live(kept.id)).not.toEqual(was);
    expect(await kept.differs(before)).toBe(true);
    await isSettled(await kept.update(before), before);
    expect(await live(kept.id)).toEqual(was);
  });

  it("that was not applied is checked, and nothing is written; after a refresh it does not matter", async () => {
    const { kept, count } = await begin("cut-before");
    expect(await (await kept.read()).differs(before)).toBe(false);
    expect(await kept.differs(before)).toBe(true);
    await isSettled(await kept.update(before), before);
    expect(writes()).toBe(count);
  });

  it("is finished, or followed by a third version", async () => {
    const { kept, count } = await begin();
    await kept.update(after);
    expect(writes()).toBe(count);
    const next = { ...after, [field]: third };
    const settled = await kept.update(next);
    expect(JSON.stringify(await live(kept.id))).toContain(third);
    expect(await settled.differs(next)).toBe(false);
  });

  it("is shown by a refresh, and reverted by the next update", async () => {
    const { kept, was } = await begin();
    const shown = await kept.read();
    expect(await shown.differs(before)).toBe(true);
    expect(await shown.differs(after)).toBe(Object.keys(after).some((name) => !(name in before)));
    const settled = await shown.update(before);
    expect(await live(kept.id)).toEqual(was);
    expect(await settled.differs(before)).toBe(false);
  });

  it("that was overwritten outside Pulumi since is a conflict", async () => {
    const { kept } = await begin();
    await byHand(kept.id);
    const count = writes();
    await expect(kept.update(before)).rejects.toThrow(new RegExp(`conflict: ${field} changed.*Refresh`, "s"));
    expect(writes()).toBe(count);
    expect(await kept.differs(before)).toBe(true);
  });
});

it.each(cases)("an update of $handler that is refused is no doubt", async ({ handler, before, after }) => {
  const made = await world.create(handler, before);
  const failure = await losing(() => made.update(after), { kind: "error", code: 10010 });
  expect(failure.message).toMatch(/Nothing was changed/);
  expect(failure.properties).toBeUndefined();
  expect(await made.differs(before)).toBe(false);
});

it.each(byTurns(cases))(
  "with a new key an update of $handler is looked for under the old one",
  async ({ handler, before, after, live }) => {
    const made = await world.create(handler, before);
    const was = await live(made.id);
    await losing(() => made.update(after));
    await rotate(handler);
    expect(await made.differs(before)).toBe(true);
    // What fails leaves the doubt.
    await losing(() => made.update(before), { kind: "error", code: 10010 });
    expect(await made.differs(before)).toBe(true);
    const settled = await made.update(before);
    expect(await live(made.id)).toEqual(was);
    expect(await settled.differs(before)).toBe(false);
    await settled.read();
    expect(remembered()).toEqual([]);
  },
);

it("with a new key a deletion forgets what was noted under the old one", async () => {
  const made = await world.create("webhook", hook(1));
  await losing(() => made.update(hook(2)));
  await rotate("webhook");
  await made.delete();
  expect(remembered()).toEqual([]);
});

describe.each(cases)("a deletion of $handler", ({ handler, before, live }) => {
  const isCollection = handler === "webhook" || handler === "company";
  const inputs = { ...before, ...(handler === "company" && { deletionProtection: false }) };
  const begin = async (kind: Fault["kind"]) => {
    const made = await world.create(handler, inputs);
    const was = await live(made.id);
    const failure = await losing(() => made.delete(), { kind, method: isCollection ? "DELETE" : "PUT" });
    expect(failure.message).toMatch(/it checks the account first/);
    expect(await made.differs(inputs)).toBe(true);
    return { made, was };
  };

  it("whose response was lost is checked if the program keeps it after all: restored, or reported with what to do", async () => {
    const { made, was } = await begin("cut-after");
    if (isCollection) {
      await expect(made.update(inputs)).rejects.toThrow(
        /no longer exists in the account.*Refresh, then run `up` to recreate it/s,
      );
      expect((await made.read()).id).toBe("");
      expect(remembered()).toEqual([]);
    } else {
      expect(await (await made.update(inputs)).differs(inputs)).toBe(false);
      expect(await live(made.id)).toEqual(was);
    }
  });

  it("that was not applied is checked, and nothing is written", async () => {
    const { made } = await begin("cut-before");
    const count = writes();
    const settled = await made.update(inputs);
    expect(writes()).toBe(count);
    expect(await settled.differs(inputs)).toBe(false);
  });
});

it("a plan says why it has an update that changes nothing, and without settings knows of no doubt", async () => {
  const made = await world.create("webhook", hook(1));
  const says = async (object = made, args: Properties = hook(1), differs = true) => {
    const phase = world.phase();
    expect(await object.differs(args, phase)).toBe(differs);
    return phase.said;
  };
  const start = `Webhook ${made.id}: the last`;
  await losing(() => made.delete(), { method: "DELETE", kind: "cut-before" });
  expect(await says()).toEqual([`${start} deletion got no response; this update checks it first`]);
  await losing(() => made.update(hook(2)));
  expect(await says()).toEqual([`${start} update of url got no response; this update checks it first`]);
  expect(await made.differs(hook(1), world.phase({ apiKey: "" }))).toBe(false);
  const damage = () => {
    for (const name of remembered()) writeFileSync(join(world.directory, journalFolder, name), "damage");
  };
  damage();
  // A webhook has no original value that a damaged file could hold.
  expect((await says(made, hook(1), false)).join()).toMatch(
    /is damaged \(not JSON\) and holds no original value: ignored/,
  );
  const branding = await world.create("branding", { colour: "#112233" });
  await losing(() => branding.update({ colour: "#445566" }));
  damage();
  expect((await says(branding, { colour: "#112233" })).join()).toMatch(/Restore a good copy of the file, or remove it/);
});

it.each(byTurns(cases))(
  "what another machine has deployed since is no doubt of $handler here",
  async ({ handler, before, after }) => {
    const made = await world.create(handler, before);
    const here = world.directory;
    const first = await made.update(after);
    world.forget();
    const third = await (await first.update(before)).update(after);
    world.directory = here;
    expect(await third.differs(after)).toBe(false);
    // What is sent from here after that is one.
    await losing(() => third.update(before));
    expect(await third.differs(after)).toBe(true);
  },
);

it("what another stack in the folder has sent is no doubt of this one", async () => {
  const mine = await world.create("branding", { colour: "#112233" });
  const theirs = await world.create("branding", { colour: "#445566" });
  await theirs.update({ colour: "#778899" });
  expect(await mine.differs({ colour: "#112233" })).toBe(false);
});

describe("from another folder, too,", () => {
  it("a text that was adopted in doubt is restored when the program drops it", async () => {
    const before = await world.template();
    const failure = await losing(() => world.create("brandingEmail", subject("One")));
    expect((await world.template()).branding_email_subject).toBe("One {contract title}");
    world.forget();
    await world.phase().brandingEmail.delete(failure.id!, wired("brandingEmail", failure.properties!));
    expect(await world.template()).toEqual(before);
  });

  it("an argument whose loss is in doubt is restored when the program is reverted", async () => {
    const both = { ...subject("One"), ...plain("One") };
    const lost = await losingUpdate(await world.create("brandingEmail", both), subject("One"));
    expect(await plainNow()).not.toBe(both.contentPlain);
    world.forget();
    await lost.update(both);
    expect(await plainNow()).toBe(both.contentPlain);
  });

  it("of two updates in doubt, one after the other, neither is taken for a change outside Pulumi", async () => {
    const first = await losingUpdate(await world.create("brandingEmail", subject("One")), subject("Two"));
    const second = await losingUpdate(first, subject("Three"), { kind: "cut-before" });
    world.forget();
    await second.update(subject("One"));
    expect((await world.template()).branding_email_subject).toBe("One {contract title}");
  });
});

it.each(["stable", "fresh"] as const)(
  "a logo whose change is in doubt is sent again when the program is reverted, and one that was new is removed (%s addresses)",
  async (logoAddress) => {
    world.service.configure({ logoAddress });
    const logo = (n: number) => ({ colour: "#112233", ...(n > 0 && { logoUrl: `https://r.example/${n}.png` }) });
    const original = await logoNow();
    const lost = await losingUpdate(await world.create("branding", logo(0)), logo(1));
    expect(await logoNow()).not.toBe(original);
    const without = await lost.update(logo(0));
    expect(await logoNow()).toBe(original);
    const again = await losingUpdate(await without.update(logo(1)), logo(2));
    const count = writes();
    const settled = await again.update(logo(1));
    expect(writes()).toBe(count + 1);
    expect(await logoNow()).toBe(await pictureAt(settled.outs.logo as string));
    await settled.delete();
    expect(await logoNow()).toBe(original);
  },
);

it("a text or logo that is new and in doubt does not matter when a refresh finds the original value, or one from outside Pulumi", async () => {
  const colour = { colour: "#112233" };
  const made = await world.create("branding", colour);
  const lost = await losingUpdate(made, { ...colour, logoUrl: "https://r.example/1.png" }, { kind: "cut-before" });
  expect(await (await lost.read()).differs(colour)).toBe(false);

  const text = await world.create("brandingEmail", subject("One"));
  const inDoubt = await losingUpdate(text, { ...subject("One"), ...plain("Two") });
  await world.client.branding.updateEmail({
    branding_email_type: "email-send",
    branding_email_content_plain: "Theirs {contract url}",
  });
  expect(await (await inDoubt.read()).differs(subject("One"))).toBe(false);
});

it("a company's address that was set in doubt by its creation is looked at", async () => {
  const failure = await losing(() => world.create("company", { ...firm, email: "two@n.example" }));
  const { id: company_id, properties } = failure;
  const kept = wired("company", properties!);
  await world.phase().company.update(company_id!, kept, wired("company", { ...firm, email: "u@n.example" }));
  expect((await world.client.companies.get({ company_id: company_id! })).company_email).toBe("u@n.example");
});

it("what is shown instead of a new value stays secret, though the new one is not", async () => {
  const made = await world.create("brandingEmail", subject("HUSH"));
  const failure = await losing(() => made.update(subject("Said")));
  const isEnvelope = (value: unknown) => value !== null && typeof value === "object" && "value" in value;
  const open = Object.entries(failure.properties!).filter(([, value]) => !isEnvelope(value));
  expect(JSON.stringify(open)).not.toContain("HUSH");
});

it("texts that are too long for a failure to carry stay as they were, and the journal knows", async () => {
  const inputs = { type: "email-send", content: `<p>{contract url}</p>${"x".repeat(60_000)}` };
  const made = await world.create("brandingEmail", inputs);
  const failure = await losing(() => made.update({ ...inputs, content: `${inputs.content}y` }));
  expect(failure.message).toMatch(/may have succeeded.*checks the account first/);
  expect(failure.properties).toBeUndefined();
  expect(await made.differs(inputs)).toBe(true);
  await made.update(inputs);
  expect((await world.template()).branding_email_content).toBe(inputs.content);
});
