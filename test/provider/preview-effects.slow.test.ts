/** What a preview says of the account: each effect, with the requests that it needs and no write. */

import { beforeEach, describe, expect, it, vi } from "vitest";
import { mostOf } from "../../provider/core/amount";
import { resourceArg } from "../../provider/core/hidden-argument";
import { UNKNOWN, unwrapAll } from "../../provider/core/pulumi-values";
import { connect } from "../../sdk";
import { spread } from "../chance";
import { urnOf } from "../plugin/client";
import { isPlugin, wired } from "./handlers";
import { onStage } from "./on-stage";
import { type Declared, isWrite, preview, update } from "./previewed";

const world = onStage();

const hook = (url: string, more: Partial<Declared["args"]> = {}): Declared => ({
  handler: "webhook",
  name: `hook ${url}`,
  args: { type: "all", url, ...more },
});
const email = (type: string, args: Declared["args"]): Declared => ({
  handler: "brandingEmail",
  name: type,
  args: { type, ...args },
});
const branding = (args: Declared["args"]): Declared => ({ handler: "branding", name: "branding", args });
const withArgs = (of: Declared, args: Partial<Declared["args"]>): Declared => ({
  ...of,
  args: { ...of.args, ...args },
});
const firm = (n: number, more: Partial<Declared["args"]> = {}): Declared => ({
  handler: "company",
  name: `firm ${n}`,
  args: { name: `Firm ${n}`, userName: "U", userEmail: `u${n}@firm.example`, ...more },
});
const inside = (n: number, one: Declared): Declared => ({ ...one, name: `${one.name} of ${n}`, company: `firm ${n}` });
const create = (url: string) => world.client.webhooks.create({ webhook_type: "all", webhook_url: url });

it("of what cannot be created and does not exist is the error of the run, which writes nothing", async () => {
  const program = [email("email-moved-account", { subject: "Moved" })];
  const missing = "no BrandingEmail with ID email-moved-account in this account (ESIGN1020)";
  const { effects } = await preview(world, program);
  expect(effects).toMatchObject([{ effect: "blocked", writes: 0, detail: expect.stringContaining(missing) }]);
  const { refusals, requests } = await update(world, program);
  expect(refusals.join()).toContain(missing);
  expect(requests.filter(isWrite)).toEqual([]);
});

/** The account as a program. */
async function exported(): Promise<Declared[]> {
  const [{ branding_logo, branding_colour }, { branding_emails }, webhooks, companies] = await Promise.all([
    world.client.branding.get(),
    world.client.branding.emails(),
    world.client.webhooks.list().all(),
    world.client.companies.list().all(),
  ]);
  return [
    branding({ logoUrl: branding_logo, colour: branding_colour }),
    ...branding_emails.map((each) =>
      email(each.branding_email_type, {
        subject: each.branding_email_subject,
        content: each.branding_email_content,
        contentPlain: each.branding_email_content_plain,
      }),
    ),
    ...webhooks.map(({ webhook_type, webhook_url }) => hook(webhook_url, { type: webhook_type })),
    ...companies.map(({ company_name, company_email }, i) => ({
      ...firm(i, { name: company_name, userEmail: company_email }),
    })),
  ];
}

describe("a user of a subaccount", () => {
  const user = (email: string, account?: string): Declared => ({
    handler: "user",
    name: email,
    args: { name: "Ida", email, role: "super-admin", ...(account !== undefined && { account }) },
  });
  const said = "a subaccount has one user: the API is expected to refuse another one";

  it("is a warning in the plan, unless the subaccount has that one", async () => {
    const form = { company_name: "Firm", user_name: "U", user_email: "u@firm.example" };
    const { company_id } = await world.client.companies.create(form);
    const { effects } = await preview(world, [
      user("ida@firm.example", company_id),
      user("u@firm.example", company_id),
      user("ida@main.example"),
    ]);
    const details = effects.map(({ effect, detail }) => [effect, detail?.includes(said) ?? false]);
    expect(details).toEqual([
      ["create", true],
      ["adopt-and-update", false],
      ["create", false],
    ]);
    const { phase } = await preview(world, [user("ida@firm.example", company_id)], { hasReader: false });
    expect(phase.said.join()).toContain(said);
  });
});

describe("a text that loses a variable", () => {
  const loses = (type: string, args: Declared["args"]) => preview(world, [email(type, args)]);

  it("that the API requires is refused before anything is written, with line and cure", async () => {
    const bodies = { content: "<p>Sign!</p>", contentPlain: "Sign!" };
    const { effects, requests } = await loses("email-send", bodies);
    const message =
      /^content is missing \{contract url\} \(line \d+ of the account's text\); contentPlain is missing \{contract url\} .*Add it; esign:allowUnknownValues .*ESIGN1025/;
    expect(effects).toMatchObject([{ effect: "blocked", writes: 0, detail: expect.stringMatching(message) }]);
    expect(requests.filter(isWrite)).toEqual([]);
    const run = update(world, [email("email-send", bodies)]);
    expect((await run).refusals).toEqual([expect.stringMatching(/content is missing .*ESIGN1025/)]);
    expect((await run).requests.filter(isWrite)).toEqual([]);
  });

  it("is not refused while it is not known yet: it may have the variable", async () => {
    const one = email("email-send", { contentPlain: "Sign: {contract url}" });
    const planned = async () => (await preview(world, [withArgs(one, { content: UNKNOWN })])).effects;
    expect(await planned()).toMatchObject([{ effect: "adopt-and-update", writes: 1 }]);
    await update(world, [one]);
    expect(await planned()).toMatchObject([{ effect: "update", writes: 1 }]);
  });

  it("that the account's text lacks, too, is no loss", async () => {
    world.service.configure({ requiredVariables: { "email-send": [] } });
    const bare = { branding_email_type: "email-send" as const, branding_email_content: "<p>Hello</p>" };
    await world.client.branding.updateEmail(bare);
    const { effects } = await loses("email-send", { content: "<p>Hi</p>" });
    expect(effects).toMatchObject([
      { effect: "adopt-and-update", detail: expect.stringMatching(/has no \{contract url\}/) },
    ]);
  });

  it("is named once, while the text is new", async () => {
    const args = { content: "<p>Signed: {contract url} {first name}</p>" };
    const before = await loses("email-signed", args);
    expect(before.effects).toMatchObject([
      {
        effect: "adopt-and-update",
        detail: expect.stringMatching(
          /content loses (\{[a-z ]+\}, )+\{user name\} \(lines [\d, ]+ of the account's text\); this version does not know \{first name\}: .*said once/,
        ),
      },
    ]);
    const { refusals } = await update(world, [email("email-signed", args)]);
    expect(refusals).toEqual([]);
    const again = await loses("email-signed", args);
    expect(again.effects).toMatchObject([{ effect: "adopt", writes: 0 }]);
    expect(again.effects[0]!.detail).toBeUndefined();
  });
});

describe("an exported account", () => {
  // A notice of the plugin is about one resource, and the engine shows it there.
  it.skipIf(isPlugin)(
    "is adopted: four requests, no write, and one line for each kind where nothing shows the effects",
    async () => {
      await create("https://a.example/");
      await create("https://b.example/");
      await world.client.companies.create({ company_name: "Firm", user_name: "U", user_email: "u@firm.example" });
      const program = await exported();
      const { effects, requests, refusals, phase } = await preview(world, program);
      expect(refusals).toEqual([]);
      expect(requests.sort()).toEqual([
        "GET /v1/branding",
        "GET /v1/branding/emails",
        "GET /v1/companies",
        "GET /v1/webhooks",
      ]);
      expect(effects).toHaveLength(program.length);
      for (const each of effects) expect(each).toMatchObject({ effect: "adopt", writes: 0, done: false });
      expect(phase.said).toEqual([]);

      const { phase: plain } = await preview(world, program, { hasReader: false });
      expect(plain.said).toEqual([
        "adopting 1 account's branding, 0 writes",
        `adopting ${program.length - 4} email templates, 0 writes`,
        "adopting 2 webhooks, 0 writes",
        "adopting 1 company, 0 writes",
      ]);
      const done = await update(world, program);
      expect(done.requests.filter(isWrite)).toEqual([]);
      expect(done.effects.map(({ effect }) => effect)).toEqual(effects.map(() => "adopt"));
    },
  );

  // Only a create or an update tells the plugin that there is a preview.
  it.skipIf(isPlugin)("needs one request once it is managed, and none offline", async () => {
    const program = await exported();
    await update(world, program);
    const again = await preview(world, program);
    expect([again.refusals, again.effects, again.requests]).toEqual([[], [], ["GET /v1/branding"]]);
    const changed = [...program, hook("https://new.example/")];
    const offline = await preview(world, changed, { environment: { ESIGN_OFFLINE: "1" } });
    expect([offline.refusals, offline.requests]).toEqual([[], []]);
    expect(offline.effects).toMatchObject([{ effect: "unread", detail: "offline", writes: { least: 0 } }]);
  });
});

describe("a create", () => {
  it("writes what is missing, and shows the fields that differ, except those that are secret", async () => {
    const template = email("email-send", { subject: "New {contract title}" });
    const before = await world.template();
    const { effects, phase } = await preview(world, [template, hook("https://new.example/")]);
    expect(effects).toMatchObject([
      {
        kind: "BrandingEmail",
        name: "email-send",
        effect: "adopt-and-update",
        writes: 1,
        id: "email-send",
        fields: [{ field: "subject", live: before.branding_email_subject, declared: "New {contract title}" }],
      },
      { kind: "Webhook", effect: "create", writes: 1 },
    ]);
    expect(phase.said).toEqual([]);
    const secret = await preview(world, [{ ...template, secrets: ["subject"] }]);
    expect(secret.effects[0]!.fields).toEqual([{ field: "subject", secret: true }]);
  });

  // A notice of the plugin is about one resource, and the engine shows it there.
  it.skipIf(isPlugin)("of a duplicate is named as one, and blocked with onExisting: fail", async () => {
    const { webhook_id: id } = await create("https://a.example/");
    const duplicate = hook("https://a.example/", { onExisting: "create" });
    const { effects } = await preview(world, [duplicate]);
    expect(effects).toMatchObject([{ effect: "create-duplicate", writes: 1, detail: expect.stringContaining(id) }]);
    const plain = await preview(world, [duplicate], { hasReader: false });
    expect(plain.phase.said).toEqual(["creating 1 webhook although an identical one exists, 1 write"]);

    const refused = hook("https://a.example/", { onExisting: "fail" });
    const shown = await preview(world, [refused]);
    expect(shown.refusals).toEqual([]);
    expect(shown.effects).toMatchObject([
      { effect: "blocked", writes: 0, detail: expect.stringContaining("ESIGN1010") },
    ]);
    const failed = await preview(world, [refused], { hasReader: false });
    expect(failed.refusals).toEqual((await update(world, [refused])).refusals);
    expect(failed.refusals[0]).toMatch(/^Webhook: cannot create: an identical one already exists/);
  });

  it("of a company of the same name and another email address is blocked, and the second of two alike refused", async () => {
    await world.client.companies.create({ company_name: "Firm 1", user_name: "X", user_email: "x@else.example" });
    const { effects, refusals } = await preview(world, [firm(1), firm(2), { ...firm(2), name: "again" }]);
    expect(effects).toMatchObject([
      { effect: "blocked", detail: expect.stringContaining("ESIGN1011") },
      { effect: "create", writes: 1 },
    ]);
    expect(refusals).toEqual([expect.stringMatching(/"firm 2" and "again" declare the same object \(ESIGN1013\)/)]);
  });

  it.each([
    ["in another case", "X@Else.example", "x@else.example"],
    ["with é as one character or as two", "ren\u00e9@else.example", "rene\u0301@else.example"],
  ])("of a company whose email address the account has %s adopts it", async (_, existing, userEmail) => {
    await world.client.companies.create({ company_name: "Firm 1", user_name: "X", user_email: existing });
    const { effects } = await preview(world, [firm(1, { userEmail })]);
    expect(effects).toMatchObject([{ adopted: true, writes: 0 }]);
  });

  it("that an earlier run has begun finds its object", async () => {
    const duplicate = hook("https://a.example/", { onExisting: "create" });
    await create("https://a.example/");
    const made = await update(world, [duplicate]);
    const lost = { ...duplicate, state: undefined };
    const { effects } = await preview(world, [lost]);
    expect(effects).toMatchObject([
      { effect: "adopt", id: made.effects[0]!.id, writes: 0, detail: expect.stringContaining("interrupted") },
    ]);
    const done = await update(world, [lost]);
    expect(done.effects).toMatchObject([{ effect: "adopt", id: made.effects[0]!.id, writes: 0 }]);
  });

  it("takes no object that another resource of the state changes, wherever in the program that is", async () => {
    const old = hook("https://a.example/");
    await update(world, [old]);
    const moved = withArgs(old, { url: "https://b.example/" });
    for (const program of [
      [{ ...moved }, { ...hook("https://a.example/"), name: "new" }],
      [{ ...hook("https://a.example/"), name: "new" }, { ...moved }],
    ]) {
      const { effects } = await preview(world, program);
      const of = (name: string) => effects.find((each) => each.name === name)!.effect;
      expect([of("new"), of(old.name)]).toEqual(["create", "update"]);
    }
  });

  it("in an account that does not exist yet, or with unknown values, is predicted without reading", async () => {
    const { effects, requests } = await preview(world, [
      firm(1),
      inside(1, hook("https://a.example/")),
      inside(1, branding({ colour: "#112233" })),
      hook(UNKNOWN),
      email("email-send", { subject: UNKNOWN }),
    ]);
    expect(effects.shift()).toMatchObject({ kind: "Company", effect: "create", writes: 1 });
    expect(effects).toMatchObject([
      { effect: "create", writes: 1 },
      { effect: "adopt-and-update", writes: { least: 0, most: 1 } },
      { effect: "unread", detail: "url not known yet" },
      { effect: "adopt-and-update", writes: 1, fields: [{ field: "subject" }] },
    ]);
    expect(effects[3]!.fields![0]).not.toHaveProperty("declared");
    expect(requests.sort()).toEqual(["GET /v1/branding", "GET /v1/branding/emails", "GET /v1/companies"]);
    const elsewhere = await preview(world, [hook("https://a.example/", { account: UNKNOWN })]);
    expect(elsewhere.effects).toMatchObject([{ effect: "unread", detail: "its ID is not known yet" }]);
  });
});

describe("what is inside a company that is adopted", () => {
  const subject = (n: number) => `Subject ${n} {contract title}`;
  /** A company as another stack, or a person, has left it. */
  async function existing(n: number) {
    const { name: company_name, userName: user_name, userEmail: user_email } = firm(n).args as Record<string, string>;
    const made = { company_name: company_name!, user_name: user_name!, user_email: user_email! };
    const client = world.client.as((await world.client.companies.create(made)).company_id);
    await client.branding.update({ branding_colour: "#112233" });
    await client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: subject(n) });
    await client.webhooks.create({ webhook_type: "all", webhook_url: "https://a.example/" });
  }
  const contents = (n: number, colour: string, text: string, onExisting = "adopt") => [
    inside(n, branding({ colour })),
    inside(n, email("email-send", { subject: text })),
    inside(n, hook("https://a.example/", { onExisting })),
  ];

  it.each([1, 3])("is read like any other account: nothing is written where it is as declared (%i)", async (count) => {
    const numbers = Array.from({ length: count }, (_, i) => i);
    for (const n of numbers) await existing(n);
    const program = numbers.flatMap((n) => [firm(n), ...contents(n, "#112233", subject(n))]);
    const { effects, refusals, requests } = await preview(world, program);
    expect([refusals, new Set(effects.map(({ effect, writes }) => `${effect} ${writes}`))]).toEqual([
      [],
      new Set(["adopt 0"]),
    ]);
    // Their keys are in the list that shows that they exist.
    expect(requests.filter((each) => each === "GET /v1/companies")).toHaveLength(1);
    expect((await update(world, program)).requests.filter(isWrite)).toEqual([]);
  });

  it("is shown with what differs, and refused as in the update", async () => {
    await existing(1);
    const program = [firm(1), ...contents(1, "#445566", subject(2), "fail")];
    const planned = await preview(world, program);
    expect(planned.effects.slice(1)).toMatchObject([
      { effect: "adopt-and-update", fields: [{ field: "colour", live: "#112233", declared: "#445566" }] },
      { effect: "adopt-and-update", fields: [{ field: "subject", live: subject(1), declared: subject(2) }] },
      { effect: "blocked", writes: 0, detail: expect.stringContaining("ESIGN1010") },
    ]);
    const plain = await preview(world, program, { hasReader: false });
    expect(plain.refusals).toEqual([expect.stringContaining("ESIGN1010")]);
    expect((await update(world, program)).refusals).toEqual(plain.refusals);
  });

  // Nothing tells the plugin of which company an unknown account is.
  it.skipIf(isPlugin)("is not read where the company is refused", async () => {
    await existing(1);
    const [owner, ...others] = [firm(1, { onExisting: "fail" }), ...contents(1, "#445566", subject(2))];
    const { effects, requests } = await preview(world, [owner!, ...others]);
    expect(effects.map(({ effect, detail }) => [effect, detail])).toEqual([
      ["blocked", expect.stringContaining("ESIGN1010")],
      ...others.map(() => ["unread", "its company is blocked"]),
    ]);
    expect(requests.filter((each) => each !== "GET /v1/companies")).toEqual(["GET /v1/branding"]);
  });

  it("is unchanged where the state has it already, under the company's id or former name", async () => {
    await existing(1);
    const program = [firm(1), ...contents(1, "#112233", subject(1))];
    await update(world, program);
    // Declared again under a new name, without an alias: the engine does not know its id yet.
    delete program[0]!.state;
    const { effects, refusals } = await preview(world, program);
    expect([refusals, effects.map(({ kind, effect }) => `${kind} ${effect}`)]).toEqual([[], ["Company adopt"]]);
  });

  // The engine has the answer of the plugin by then.
  it.skipIf(isPlugin)("is planned again when another resource turns out to have the company", async () => {
    await existing(1);
    const [owner, ...others] = [firm(1), ...contents(1, "#112233", subject(1))];
    await update(world, [owner!, ...others]);
    // The name passes to another company, and is declared before.
    const heir = { ...firm(1), name: "heir" };
    const moved = { ...owner!, args: { ...owner!.args, name: "Former" } };
    const theirs = contents(1, "#112233", subject(1)).map((one) => ({
      ...one,
      name: `${one.name}, heir`,
      company: "heir",
    }));
    const { effects } = await preview(world, [heir, ...theirs, moved, ...others]);
    const of = (name: string) =>
      effects.filter((each) => each.name?.endsWith(name)).map(({ effect, writes }) => [effect, mostOf(writes)]);
    expect(of("heir")).toEqual([
      ["create", 1],
      ["adopt-and-update", 1],
      ["adopt-and-update", 1],
      ["create", 1],
    ]);
    expect(effects.filter(({ name = "" }) => !name.endsWith("heir"))).toMatchObject([
      { kind: "Company", effect: "update" },
    ]);
  });
});

describe("a change", () => {
  let template: Declared;
  beforeEach(async () => {
    template = email("email-send", { subject: "First {contract title}" });
    await update(world, [template]);
    template.args = { ...template.args, subject: "Second {contract title}" };
  });
  const elsewhere = (subject: string) =>
    world.client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: subject });

  it("is an update, or nothing where the account has it already", async () => {
    const { effects, requests } = await preview(world, [template]);
    expect(effects).toMatchObject([
      {
        name: "email-send",
        effect: "update",
        writes: 1,
        fields: [{ field: "subject", live: "First {contract title}", declared: "Second {contract title}" }],
      },
    ]);
    expect(requests).toEqual(["GET /v1/branding", "GET /v1/branding/emails"]);
    await elsewhere("Second {contract title}");
    expect((await preview(world, [template])).effects).toMatchObject([{ effect: "none", writes: 0 }]);
  });

  it("is a conflict with three values, and fails as the update does; or overwrites", async () => {
    await elsewhere("Else {contract title}");
    const values = {
      field: "subject",
      recorded: "First {contract title}",
      live: "Else {contract title}",
      declared: "Second {contract title}",
    };
    const shown = await preview(world, [template]);
    expect([shown.refusals, shown.effects[0]]).toEqual([
      [],
      expect.objectContaining({ effect: "conflict", writes: 0, fields: [values] }),
    ]);
    const failed = await preview(world, [template], { hasReader: false });
    expect(failed.refusals).toEqual((await update(world, [template])).refusals);
    expect(failed.refusals[0]).toMatch(/^BrandingEmail: cannot update: conflict: subject/);
    expect(failed.refusals[0]).toMatch(
      /subject: state \d+ characters \(hash .*\), account "Else {contract title}", declared "Second {contract title}"\n/,
    );
    const { effects } = await preview(world, [template], { settings: { onConflict: "overwrite" } });
    expect(effects).toMatchObject([{ effect: "overwrite", writes: 1, fields: [values] }]);
  });

  it("shows URLs in a conflict without their credentials, and nothing that is secret", async () => {
    const changed = hook("https://a.example/in");
    await update(world, [changed]);
    const url = "https://user:pass-1@b.example/in?x=1&token=hush-1";
    await world.client.webhooks.update({ webhook_id: changed.state!.id, webhook_url: url });
    const next = withArgs(changed, { url: "https://c.example/in" });
    const message = async (resource: typeof next) =>
      (await preview(world, [resource], { hasReader: false })).refusals.join("\n");
    expect(await message(next)).toContain(
      'account "https://…@b.example/in?x=1&token=…", declared "https://c.example/in"\n',
    );
    expect(await message(withArgs(changed, { url: UNKNOWN }))).toContain(", declared not known yet\n");
    const secret = await message({ ...next, secrets: ["url"] });
    expect(secret).toMatch(/url: state \d+ characters \(hash .*\), account \d+ characters \(hash .*\)\n/);
    expect(secret).not.toMatch(/example|hush|pass-1/);
  });

  it("restores what is declared no more, and reports what it did", async () => {
    const both = {
      ...template,
      args: { ...template.args, subject: "First {contract title}", contentPlain: "{contract url}" },
    };
    expect((await preview(world, [both])).effects).toMatchObject([{ effect: "update", writes: 1 }]);
    const done = await update(world, [both]);
    expect(done.effects).toMatchObject([{ effect: "update", writes: 1, done: true, id: "email-send" }]);
    const { subject: _, ...args } = both.args;
    const { effects } = await preview(world, [{ ...both, args }]);
    expect(effects).toMatchObject([{ effect: "restore", writes: 1, fields: [{ field: "subject" }] }]);
  });

  it("of two of one name, in different components, is under the URN of each", async () => {
    await create("https://team.example/");
    const both = ["team", "office"].map((parent) => ({ ...hook(`https://${parent}.example/`), name: "hook", parent }));
    for (const run of [preview, update]) {
      const { effects } = await run(world, both);
      expect(Object.fromEntries(effects.map(({ urn, effect }) => [urn, effect]))).toEqual({
        "urn:pulumi:dev::shop::esign:index:team$esign:index:Webhook::hook": "adopt",
        "urn:pulumi:dev::shop::esign:index:office$esign:index:Webhook::hook": "create",
      });
    }
  });

  it("of two alike is one of each", async () => {
    const duplicates = ["a", "b"].map((name) => ({ ...hook("https://a.example/", { onExisting: "create" }), name }));
    await update(world, duplicates);
    const changed = duplicates.map((duplicate) => withArgs(duplicate, { url: "https://b.example/" }));
    const { effects } = await preview(world, changed);
    expect(effects.map(({ effect, id }) => [effect, id])).toEqual(duplicates.map(({ state }) => ["update", state!.id]));
  });

  it("of an object that is gone is blocked", async () => {
    const old = hook("https://a.example/");
    await update(world, [old]);
    await world.client.webhooks.delete({ webhook_id: old.state!.id });
    const { effects } = await preview(world, [withArgs(old, { url: "https://b.example/" })]);
    expect(effects).toMatchObject([{ effect: "blocked", detail: expect.stringContaining("ESIGN1021") }]);
  });

  it("of what an object is made of is a create", async () => {
    const company = firm(1);
    await update(world, [company]);
    const old = hook("https://a.example/");
    await update(world, [old]);
    const { effects } = await preview(world, [withArgs(old, { account: company.state!.id })]);
    expect(effects).toMatchObject([{ effect: "create", name: old.name, writes: 1 }]);
  });
});

it("a create that a killed run has begun is continued, though the list shows later what it has made", async () => {
  const one = hook("https://a.example/");
  world.service.configure({
    listLag: { ms: 6_000 },
    faults: [{ kind: "hang", operation: "webhooks.create", commit: true }],
  });
  // As a run that is killed before the response comes.
  void update(world, [{ ...one }]);
  const made = () => world.service.data().accounts.flatMap(({ webhooks }) => webhooks);
  await vi.waitUntil(() => made().length === 1, { timeout: 30_000 });
  world.service.configure({ faults: [] });
  const { effects } = await preview(world, [one]);
  expect(effects).toMatchObject([{ effect: "adopt", id: String(made()[0]!.id), writes: 0 }]);
});

describe("a replacement that a killed run has begun", () => {
  it.each(["adopt", "fail", "create"])("is continued, and nothing more created: onExisting %s", async (onExisting) => {
    const company = firm(1);
    await update(world, [company]);
    const old = hook("https://a.example/", { account: company.state!.id, onExisting });
    await update(world, [old]);
    const next = hook("https://a.example/", { onExisting });
    expect((await preview(world, [{ ...next, state: old.state }])).effects).toMatchObject([{ effect: "create" }]);
    const killed = world.phase();
    await killed.webhook.delete(old.state!.id, wired("webhook", unwrapAll(old.state!.outs)));
    await update(world, [next]);
    const { effects } = await preview(world, [{ ...next, state: old.state }]);
    const detail = "created by an interrupted run";
    expect(effects).toMatchObject([{ effect: "adopt", id: next.state!.id, writes: 0, detail }]);
  });
});

/** A difference is asked for where the program has changed, and not where an option replaces. */
const ways = ["by its arguments", "by an option"] as const;
const interrupted = ways.flatMap((before) =>
  ways.flatMap((after) =>
    [true, false].flatMap((isDeletedFirst) =>
      ["adopt", "fail", "create"].map((onExisting) => ({ before, after, isDeletedFirst, onExisting })),
    ),
  ),
);

it.each(spread(interrupted, 7))(
  "a replacement that a kill has interrupted ($before, deleted first: $isDeletedFirst; then $after) is planned as the next run does it: onExisting $onExisting",
  async ({ before, after, isDeletedFirst, onExisting }) => {
    const company = firm(1);
    await update(world, [company]);
    const old = hook("https://a.example/", { account: company.state!.id, onExisting });
    await update(world, [old]);
    const next = hook("https://a.example/", { onExisting });
    const state = old.state!;
    const outs = wired("webhook", unwrapAll(state.outs));
    /** A run of an engine, up to the create. */
    const replace = async (way: (typeof ways)[number], isDeleting: boolean) => {
      const phase = world.phase();
      const args = { ...next.args, [resourceArg]: { secrets: [], declared: 1, urn: urnOf("Webhook", next.name) } };
      const { inputs } = await phase.webhook.check(state.inputs, args);
      if (way === "by its arguments") await phase.webhook.diff(state.id, outs, wired("webhook", inputs));
      if (isDeleting) await phase.webhook.delete(state.id, outs);
      const again = await phase.webhook.check({}, args);
      return (await phase.webhook.create(wired("webhook", again.inputs))).id;
    };
    const made = await replace(before, isDeletedFirst);
    const { effects } = await preview(world, [{ ...next, state, isForced: after === "by an option" }]);
    expect(effects).toMatchObject([{ effect: "adopt", id: made, writes: 0, detail: "created by an interrupted run" }]);
    expect(await replace(after, false)).toBe(made);
    expect(await world.client.webhooks.list().all()).toHaveLength(1);
  },
);

describe("a forced replacement, of which only the check hears", () => {
  it("writes what the restored original does not have, and makes a webhook that has a secret", async () => {
    const look = branding({ colour: "#112233" });
    const kept = email("email-send", { subject: "Kept {contract title}", onDelete: "keep" });
    const old = hook("https://a.example/");
    await update(world, [look, kept, old]);
    const replace = async (one: Declared) => (await preview(world, [{ ...one, isForced: true }])).effects;
    expect(await replace(look)).toMatchObject([
      { effect: "adopt-and-update", writes: 1, detail: "after its original values are restored" },
    ]);
    expect(await replace(kept)).toMatchObject([{ effect: "adopt", writes: 0 }]);
    expect(await replace(old)).toMatchObject([{ effect: "create", writes: 1 }]);
  });
});

describe("what an update will refuse", () => {
  const program = () => [hook("https://a.example/"), hook("https://b.example/")];

  const inside = () => [hook("https://a.example/", { account: "4711" })];
  it.each<[string, () => Declared[], Record<string, string>, RegExp, string[] | undefined]>([
    [
      "a rejected key",
      program,
      { apiKey: "key_of-another-account" },
      /^Webhook: the API key is wrong: GET .*401/,
      ["GET /v1/branding"],
    ],
    [
      "the configured key, of what is in a subaccount",
      inside,
      { apiKey: "wrong" },
      /401((?!subaccount).)*Set esign:apiKey to a current key((?!subaccount).)*$/s,
      undefined,
    ],
    ["a key that is not expected", program, { expectAccount: "0123456789abcdef" }, /ESIGN1002/, []],
  ])("is said once in preview and update: %s", async (_, declared, settings, words, sent) => {
    for (const run of [preview, update]) {
      const { refusals, requests } = await run(world, declared(), { settings });
      expect(refusals).toEqual([expect.stringMatching(words)]);
      expect(requests).toEqual(sent ?? expect.anything());
    }
  });

  it("is left to the requests of the update where nothing is read before, unless the key is rejected", async () => {
    world.service.configure({ faults: [{ kind: "status", operation: "branding.get", status: 500 }] });
    expect((await update(world, program(), { settings: { retries: "0" } })).refusals).toEqual([]);
  });

  it("is the wrong account, once what is registered proves nothing", async () => {
    const [a, b] = program() as [Declared, Declared];
    await update(world, [a, b]);
    const wrong = { settings: { apiKey: world.service.keys.account } };
    const next = withArgs(b, { url: "https://c.example/" });
    const { refusals } = await preview(world, [a, next], wrong);
    expect(refusals).toEqual([expect.stringMatching(/ESIGN1003|ESIGN1021/)]);
  });

  it.each(["preview", "run"] as const)(
    "is the wrong account in a %s although nothing has changed, once",
    async (phase) => {
      const look = branding({ colour: "#112233" });
      const same = [look, ...program(), hook("https://c.example/")];
      await update(world, same);
      const run = (settings: Record<string, string> = {}) =>
        (phase === "preview" ? preview : update)(world, same, { settings });
      const reads = (await run()).requests;
      const other = await run({ apiKey: world.service.keys.account });
      expect(other.refusals).toEqual([expect.stringMatching(/ESIGN1003.*\n.*`stack init <name>`/)]);
      const key = await world.service.rotateKey(world.service.data().accounts[0]!.id);
      const rotated = await run({ apiKey: key });
      expect([rotated.refusals, rotated.effects]).toEqual([[], []]);
      // What proves that it is the same account is read once, and only with a new key.
      // Each resource may be the last that the plugin hears of: the first may be the branding, which proves little.
      const first = isPlugin ? ["GET /v1/branding"] : [];
      expect(rotated.requests).toEqual([...reads, ...first, "GET /v1/webhooks"]);
      same[1]!.args = { type: "all", url: "https://d.example/" };
      await update(world, same, { settings: { apiKey: key } });
      expect((await run({ apiKey: key })).requests).toEqual([...reads, ...first]);
    },
  );

  it("is the wrong account where the key is of no partner, although the state has a company", async () => {
    const company = firm(1);
    await update(world, [company]);
    const same = [company, hook("https://in.example/", { account: company.state!.id })];
    await update(world, same);
    for (const run of [preview, update]) {
      const other = await run(world, same, { settings: { apiKey: world.service.keys.account } });
      expect(other.refusals).toEqual([expect.stringMatching(/ESIGN1003.*\n.*`stack init <name>`/)]);
    }
  });

  it("is the wrong account where the last that is registered proves it, whatever has the same content before", async () => {
    const looks = [branding({ colour: "#112233" }), email("email-send", { subject: "One {contract title}" })];
    const same = [...looks, ...program()];
    await update(world, same);
    const other = { settings: { apiKey: world.service.keys.account } };
    await update(world, structuredClone(looks.map(({ state: _, ...look }) => look)), other);
    expect((await preview(world, same, other)).refusals).toEqual([expect.stringContaining("ESIGN1003")]);
  });

  it("is the wrong account, although it has the same content: the same program may have written to both", async () => {
    const look = branding({ colour: "#112233" });
    const [a] = program() as [Declared];
    await update(world, [look, a]);
    const other = connect({ apiKey: world.service.keys.account, baseUrl: world.service.url });
    await other.branding.update({ branding_colour: "#112233" });
    const changed = { ...look, args: { colour: "#445566" } };
    const { refusals } = await preview(world, [changed, a], { settings: { apiKey: world.service.keys.account } });
    expect(refusals).toEqual([expect.stringContaining("ESIGN1003")]);
  });

  it("is not a key that was rotated: the objects are there", async () => {
    const [a, b] = program() as [Declared, Declared];
    await update(world, [a, b]);
    const key = await world.service.rotateKey(world.service.data().accounts[0]!.id);
    const next = withArgs(a, { url: "https://c.example/" });
    const { refusals, effects } = await preview(world, [next, b], { settings: { apiKey: key } });
    expect([refusals, effects.map(({ effect }) => effect)]).toEqual([[], ["update"]]);
  });

  it("is an account that cannot be read", async () => {
    world.service.configure({ faults: [{ kind: "error", operation: "branding.get", code: 10010, status: 400 }] });
    const { refusals } = await preview(world, program());
    expect(refusals).toEqual([expect.stringMatching(/^Webhook: cannot read the account: .*10010/)]);
  });
});
