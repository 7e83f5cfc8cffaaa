/** The settings of an account: of several types, some under names that this version does not know. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Properties, secret, UNKNOWN } from "../../provider/core/pulumi-values";
import { deletionEffect } from "../../provider/effects/deletion";
import { definitionOf } from "../../provider/resources/index";
import { type Client, connect } from "../../sdk";
import { type Stage, stage, wired } from "./handlers";

let world: Stage;
let client: Client;
beforeAll(async () => {
  const settings = { setting_brand_new: 7, setting_word: "7", setting_flag: true };
  world = await stage({ seed: { partner: { settings } } });
  client = connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
});
beforeEach(() => world.renew());
afterAll(() => world.service.close());

const settings = (args: Properties) => wired("settings", args);
const writes = () => world.service.requests().filter(({ method }) => method !== "GET");
const create = async (args: Properties) => {
  const made = await world.phase().settings.create(settings(args));
  return { id: made.id, outs: wired("settings", made.outs) };
};
const refresh = async (id: string, outs: Properties) => {
  const found = await world.phase().settings.read(id, outs);
  return { inputs: wired("settings", found.inputs!), outs: wired("settings", found.props!) };
};
const reasons = async (args: Properties) =>
  (await world.phase().settings.check({}, settings(args))).failures.map(({ reason }) => reason);

describe("settings under other names", () => {
  const other = { setting_brand_new: 8, setting_word: "seven", setting_flag: false };

  it("keep their types on the way to the account and in the state", async () => {
    const { id, outs } = await create({ other });
    expect(id).toBe("settings");
    expect(outs.other).toEqual(other);
    expect(Object.keys(outs)).not.toContain("other.setting_word");
    expect(writes()[0]!.fields!.sort()).toEqual(["setting_brand_new", "setting_flag", "setting_word"]);
    const plan = await world.phase().settings.diff(id, outs, settings({ other }));
    expect(plan.changes).toBe(false);
    expect((await refresh(id, outs)).outs).toEqual(outs);
  });

  it("drift one by one, and only those that are declared", async () => {
    const { id, outs } = await create({ other: { setting_brand_new: 8 } });
    await client.settings.update({ setting_word: "theirs" });
    expect((await refresh(id, outs)).inputs.other).toEqual({ setting_brand_new: 8 });
    await client.settings.update({ setting_brand_new: 9 });
    const drifted = await refresh(id, outs);
    // A form has texts only: what the account keeps is one, too.
    expect(JSON.stringify(drifted.inputs.other)).toMatch(/"setting_brand_new":"?9"?/);
    const news = settings({ other: { setting_brand_new: 8 } });
    expect((await world.phase().settings.diff(id, drifted.outs, news)).changes).toBe(true);
    world.service.clearLog();
    await world.phase().settings.update(id, drifted.outs, news);
    expect(writes()).toMatchObject([{ fields: ["setting_brand_new"] }]);
  });

  it("get their original values when they are no longer declared", async () => {
    const before = await client.settings.get();
    const { id, outs } = await create({ emailPdfAttach: false, other });
    const news = settings({ emailPdfAttach: false, other: { setting_flag: false } });
    world.service.clearLog();
    const updated = await world.phase().settings.update(id, outs, news);
    expect(writes().flatMap(({ fields }) => fields)).toEqual(["setting_brand_new", "setting_word"]);
    expect(wired("settings", updated.outs).other).toEqual({ setting_flag: false });
    await world.phase().settings.delete(id, wired("settings", updated.outs));
    const asTexts = (all: object) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, `${value}`]));
    expect(asTexts(await client.settings.get())).toEqual(asTexts(before));
  });

  it("are planned as restored, for the one who deletes", async () => {
    const { id, outs } = await create({ emailPdfAttach: false, other: { setting_brand_new: 8 } });
    const effect = deletionEffect({ definition: definitionOf("settings"), id, state: outs, secrets: [] });
    expect(effect).toMatchObject({
      effect: "restore",
      fields: [
        { field: "emailPdfAttach", live: "false", declared: "true" },
        { field: "other.setting_brand_new", live: "8", declared: "7" },
      ],
    });
    const hidden = deletionEffect({ definition: definitionOf("settings"), id, state: outs, secrets: ["other"] });
    expect(hidden.fields![1]).toEqual({ field: "other.setting_brand_new" });
  });

  it("that the account ignores are an error that names them", async () => {
    await expect(create({ other: { setting_unheard_of: true } })).rejects.toThrow(
      "did not change other.setting_unheard_of",
    );
  });

  it("may be known later, and secret", async () => {
    const inputs = settings({ other: { setting_brand_new: UNKNOWN, setting_word: "w" } });
    const { failures } = await world.phase().settings.check({}, inputs);
    expect(failures).toEqual([]);
    const { id, outs } = await create({ other: { setting_word: "w" } });
    expect((await world.phase().settings.diff(id, outs, inputs)).changes).toBe(true);
    expect((await world.phase().settings.diff(id, outs, settings({ other: UNKNOWN }))).changes).toBe(true);
    const made = await world.phase().settings.create({ ...settings({}), other: secret({ setting_word: "v" }) });
    expect(wired("settings", made.outs).other).toEqual({ setting_word: "v" });
  });
});

it.each([
  [{}, ["arguments are missing: set at least one setting"]],
  [{ emailPdfAttach: "yes" }, ["emailPdfAttach must be true or false"]],
  [{ signatureFormatDefault: "Typed" }, [/signatureFormatDefault must be one of drawn, typed, upload.*did you mean/]],
  [{ signatureFormatAccepted: [] }, ["signatureFormatAccepted must not be empty"]],
  [{ signatureFormatAccepted: ["typed", "tiped"] }, [/signatureFormatAccepted must be one of.*did you mean "typed"/]],
  [{ emailPdfAtach: true }, [/emailPdfAtach is not an argument of Settings, did you mean "emailPdfAttach"/]],
  [{ other: { brand_new: 1 } }, ["other"]],
  [{ other: { setting_brand_new: [1] } }, ["other must be a string, a number, true or false"]],
  [{ other: { setting_email_pdf_attach: true } }, ["has setting_email_pdf_attach: set emailPdfAttach instead"]],
] as [Properties, (string | RegExp)[]][])("%j is refused offline", async (args, expected) => {
  const found = (await reasons(args)).join("\n");
  for (const text of expected) expect(found).toMatch(text);
  expect(world.service.requests().filter(({ path }) => path.startsWith("/v1/settings"))).toEqual([]);
});

it("a subaccount has settings of its own", async () => {
  const { company_id } = await client.companies.create({
    company_name: "Sub",
    user_name: "Sue",
    user_email: "sue@sub.example",
  });
  const { id } = await create({ emailMainEmail: false, account: company_id });
  expect(id).toBe(`${company_id}/settings`);
  expect((await client.as(company_id).settings.get()).setting_email_main_email).toBe(false);
  expect((await client.settings.get()).setting_email_main_email).toBe(true);
});

it("an interface without settings is named", async () => {
  world.service.configure({ missing: ["settings"] });
  await expect(create({ emailPdfAttach: true })).rejects.toThrow("this account's interface has no settings");
});
