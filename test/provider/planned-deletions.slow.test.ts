/** The plan of a deletion is read from the account: it shows what is deleted there, and refuses what the run refuses. */
import { describe, expect, it } from "vitest";
import { mostOf } from "../../provider/core/amount";
import type { Properties } from "../../provider/core/pulumi-values";
import { type DeletionOptions, deletionEffects } from "../../provider/lifecycle/dry-run/deletion-effects";
import type { Effect } from "../../provider/plan/effect";
import { definitions, type HandlerName } from "../../provider/resources/index";
import type { Managed } from "./handlers";
import { byTurns, onStage } from "./on-stage";

const world = onStage();

interface Case {
  handler: HandlerName;
  args: Properties;
  field: string;
  /** The value that it gets outside Pulumi. */
  theirs: string;
  byHand(id: string): Promise<unknown>;
  /** Absent for what every account has. */
  remove?(id: string): Promise<unknown>;
}

const cases: Case[] = [
  {
    handler: "webhook",
    args: { type: "all", url: "https://r.example/ours" },
    field: "url",
    theirs: "https://r.example/theirs",
    byHand: (webhook_id) => world.client.webhooks.update({ webhook_id, webhook_url: "https://r.example/theirs" }),
    remove: (webhook_id) => world.client.webhooks.delete({ webhook_id }),
  },
  {
    handler: "contact",
    args: { name: "Ann", email: "ann@b.example" },
    field: "name",
    theirs: "Anna",
    byHand: (contact_id) => world.client.contacts.update({ contact_id, contact_name: "Anna" }),
    remove: (contact_id) => world.client.contacts.delete({ contact_id }),
  },
  {
    handler: "user",
    args: { name: "Nils", email: "nils@b.example", role: "user", deletionProtection: false },
    field: "name",
    theirs: "Nils Holm",
    byHand: (user_id) => world.client.users.update({ user_id, user_name: "Nils Holm" }),
    remove: (user_id) => world.client.users.delete({ user_id }),
  },
  {
    handler: "company",
    args: { name: "N", userName: "U", userEmail: "u@n.example", deletionProtection: false },
    field: "name",
    theirs: "M",
    byHand: (company_id) => world.client.companies.update({ company_id, company_name: "M" }),
    remove: (company_id) => world.client.companies.delete({ company_id }),
  },
  {
    handler: "branding",
    args: { colour: "#112233" },
    field: "colour",
    theirs: "#ABABAB",
    byHand: () => world.client.branding.update({ branding_colour: "#ABABAB" }),
  },
  {
    handler: "brandingEmail",
    args: { type: "email-send", subject: "Ours {contract title}" },
    field: "subject",
    theirs: "Theirs {contract title}",
    byHand: () =>
      world.client.branding.updateEmail({
        branding_email_type: "email-send",
        branding_email_subject: "Theirs {contract title}",
      }),
  },
];

const providerType = "pulumi:providers:pulumi-nodejs";
const stackProvider = `urn:pulumi:dev::p::${providerType}::default::1`;
const madeByEngine = {
  ...{ urn: `urn:pulumi:dev::p::${providerType}::default`, id: "1", type: providerType },
  ...{ isDefaultProvider: true, outputs: {} },
};

function viewOf({ handler, id, outs }: Managed, provider = stackProvider) {
  const type = `pulumi-nodejs:dynamic/esign:${definitions[handler].kind}`;
  return { urn: `urn:pulumi:dev::p::${type}::${handler}`, id, type, outputs: outs, provider };
}

async function plan(made: Managed, more: Partial<DeletionOptions> = {}, provider = stackProvider): Promise<Effect> {
  const view = viewOf(made, provider);
  const state = [madeByEngine, ...(more.open ?? []), view];
  const effects = await deletionEffects([{ ...view, op: "delete" }], {
    configuration: { get: (key) => world.settings[key.replace(/^esign:/, "")] },
    ...{
      environment: {},
      clock: world.clock,
      directory: world.directory,
      offline: false,
      ...more,
      open: state,
      closed: state,
    },
  });
  return [...effects.values()][0]!;
}

/** What the run does, as far as a plan says it. */
async function run(made: Managed): Promise<"refused" | number> {
  const before = world.writes().length;
  const phase = world.phase();
  const failure: Error | undefined = await made.delete(phase).then(
    () => undefined,
    (error) => error,
  );
  if (failure === undefined) return world.writes().length - before;
  expect(failure.message).toMatch(/conflict: .* changed outside Pulumi/);
  return "refused";
}

const expected = ({ effect, writes }: Effect) =>
  effect === "conflict" || effect === "blocked" ? "refused" : mostOf(writes);

describe.each(byTurns(cases))("of $handler", ({ handler, args, field, theirs, byHand, remove }) => {
  const isCollection = remove !== undefined;
  const changed = async () => {
    const made = await world.create(handler, args);
    await byHand(made.id);
    return made;
  };

  it("that is as the state has it", async () => {
    const made = await world.create(handler, args);
    const planned = await plan(made);
    expect(planned).toMatchObject({ effect: isCollection ? "delete" : "restore", writes: 1 });
    expect(planned.fields?.some(({ recorded }) => recorded !== undefined)).not.toBe(true);
    expect(await run(made)).toBe(expected(planned));
  });

  it("that was changed outside Pulumi is refused, with both values", async () => {
    const made = await changed();
    const writes = world.writes().length;
    const planned = await plan(made);
    expect(planned).toMatchObject({ effect: "conflict", writes: 0 });
    expect(planned.fields).toMatchObject([{ field, recorded: args[field], live: theirs }]);
    expect(world.writes().length).toBe(writes);
    expect(await run(made)).toBe(expected(planned));
  });

  it.each<[string, Partial<DeletionOptions>, Record<string, string>]>([
    ["which the run reads first", { isRefreshed: true }, {}],
    ["which is overwritten", {}, { onConflict: "overwrite" }],
  ])("that was changed outside Pulumi, %s: the plan shows the account's value", async (_, options, settings) => {
    const made = await changed();
    Object.assign(world.settings, settings);
    const planned = await plan(made, options);
    expect(planned).toMatchObject({ effect: isCollection ? "delete" : "restore", writes: 1 });
    expect(planned.fields).toMatchObject([{ field }]);
    expect(await run(options.isRefreshed ? await made.read() : made)).toBe(expected(planned));
  });

  it("that a refresh has shown is no conflict", async () => {
    const made = await (await changed()).read();
    const planned = await plan(made);
    expect(planned).toMatchObject({ effect: isCollection ? "delete" : "restore", writes: 1 });
    expect(await run(made)).toBe(expected(planned));
  });

  it.runIf(isCollection)("that is gone has no write", async () => {
    const made = await world.create(handler, args);
    await remove!(made.id);
    const planned = await plan(made);
    expect(planned).toMatchObject({ effect: "delete", writes: 0, detail: "not found with the key of this stack" });
  });

  it.each(["esign:", ""])("by an explicit provider, whose settings in the state are %sapiKey", async (prefix) => {
    const made = await changed();
    const urn = "urn:pulumi:dev::p::pulumi:providers:esign::theirs";
    const { apiKey = "", baseUrl = "" } = world.settings;
    const settings = { [`${prefix}apiKey`]: apiKey, [`${prefix}baseUrl`]: baseUrl };
    const provider = { urn, id: "7", type: "pulumi:providers:esign", outputs: settings as Properties };
    // The stack's own key is another account's.
    world.settings.apiKey = "Tk9-of-another-account";
    const of = (open: DeletionOptions["open"]) => plan(made, { open }, `${urn}::7`);
    expect(await of([provider])).toMatchObject({ effect: "conflict" });
    expect(await of([])).toMatchObject({ effect: isCollection ? "delete" : "restore" });
  });
});

it("values are shown where the state does not have them as secrets", async () => {
  const made = await world.create("webhook", cases[0]!.args);
  await cases[0]!.byHand(made.id);
  const { state, effects } = await (async () => {
    const view = viewOf(made);
    const [open, closed] = [
      [madeByEngine, view],
      [{ ...view, secretOutputs: ["url"], outputs: { ...view.outputs, url: "[secret]" } }],
    ];
    const options = {
      configuration: { get: (key: string) => world.settings[key.replace(/^esign:/, "")] },
      ...{ environment: {}, clock: world.clock, directory: world.directory, offline: false, open },
    };
    const shown = await deletionEffects([{ ...view, op: "delete" }], { ...options, closed: open });
    const hidden = await deletionEffects([{ ...view, op: "delete" }], { ...options, closed });
    return { state: view, effects: [shown, hidden].map((each) => [...each.values()][0]!.fields) };
  })();
  expect(state.id).toBe(made.id);
  expect(effects).toEqual([
    [{ field: "url", recorded: "https://r.example/ours", live: "https://r.example/theirs" }],
    [{ field: "url", secret: true }],
  ]);
});

it("what cannot be read keeps the effect that the state has, with the reason; a service that is away is asked once", async () => {
  const made = [await world.create("webhook", cases[0]!.args), await world.create("contact", cases[1]!.args)];
  world.service.configure({ faults: [{ kind: "status", status: 503 }] });
  world.settings.retries = "0";
  const before = world.service.requests().length;
  const views = made.map((one) => viewOf(one));
  const effects = await deletionEffects(
    views.map((view) => ({ ...view, op: "delete" })),
    {
      configuration: { get: (key) => world.settings[key.replace(/^esign:/, "")] },
      ...{
        environment: {},
        clock: world.clock,
        directory: world.directory,
        offline: false,
        open: [madeByEngine, ...views],
        closed: views,
      },
    },
  );
  for (const effect of effects.values())
    expect(effect).toMatchObject({
      effect: "delete",
      writes: 1,
      detail: expect.stringMatching(/^not compared with .*503/),
    });
  expect(world.service.requests().length - before).toBe(1);
  world.service.configure({ faults: [] });
});
