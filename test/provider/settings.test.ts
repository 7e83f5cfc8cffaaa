/** The settings of an account: of several types, some under names that this version does not know. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { kinds } from "../../definitions/index";
import { type Properties, secret, UNKNOWN } from "../../provider/core/pulumi-values";
import { deletionEffect } from "../../provider/plan/deletion-effect";
import { definitions } from "../../provider/resources/index";
import type { Client } from "../../sdk";
import { type Stage, stage, wired } from "./handlers";

let world: Stage;
let client: Client;
beforeAll(async () => {
  const settings = { setting_brand_new: 7, setting_word: "7", setting_flag: true };
  world = await stage({ seed: { partner: { settings } } });
  ({ client } = world);
});
beforeEach(() => world.renew());
afterAll(() => world.service.close());

const create = (args: Properties) => world.create("settings", args);
const check = (args: Properties) => world.phase().settings.check({}, wired("settings", args));

describe("settings under other names", () => {
  const other = { setting_brand_new: 8, setting_word: "seven", setting_flag: false };

  it("keep their types on the way to the account and in the state", async () => {
    const made = await create({ other });
    expect(made.id).toBe("settings");
    expect(made.outs.other).toEqual(other);
    expect(Object.keys(made.outs)).not.toContain("other.setting_word");
    expect(world.writes()[0]!.fields!.sort()).toEqual(["setting_brand_new", "setting_flag", "setting_word"]);
    expect(await made.differs({ other })).toBe(false);
    expect((await made.read()).outs).toEqual(made.outs);
  });

  it("drift one by one, and only those that are declared", async () => {
    const args = { other: { setting_brand_new: 8 } };
    const made = await create(args);
    await client.settings.update({ setting_word: "theirs" });
    expect((await made.read()).inputs.other).toEqual(args.other);
    await client.settings.update({ setting_brand_new: 9 });
    const drifted = await made.read();
    // A form has texts only: what the account keeps is one, too.
    expect(JSON.stringify(drifted.inputs.other)).toMatch(/^\{"setting_brand_new":"?9"?\}$/);
    expect(await drifted.differs(args)).toBe(true);
    world.service.clearLog();
    await drifted.update(args);
    expect(world.writes()).toMatchObject([{ fields: ["setting_brand_new"] }]);
  });

  it("get their original values when they are no longer declared", async () => {
    const before = await client.settings.get();
    const made = await create({ emailPdfAttach: false, other });
    world.service.clearLog();
    const less = { other: { setting_flag: false } };
    const updated = await made.update({ emailPdfAttach: false, ...less });
    expect(world.writes().flatMap(({ fields }) => fields)).toEqual(["setting_brand_new", "setting_word"]);
    expect(updated.outs.other).toEqual(less.other);
    await updated.delete();
    const asTexts = (all: object) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, `${value}`]));
    expect(asTexts(await client.settings.get())).toEqual(asTexts(before));
  });

  it("are planned as restored, for the one who deletes", async () => {
    const { id, outs: state } = await create({ emailPdfAttach: false, other: { setting_brand_new: 8 } });
    const effect = (secrets: string[]) => deletionEffect({ definition: definitions.settings, id, state, secrets });
    expect(effect([])).toMatchObject({
      effect: "restore",
      fields: [
        { field: "emailPdfAttach", live: "false", declared: "true" },
        { field: "other.setting_brand_new", live: "8", declared: "7" },
      ],
    });
    expect(effect(["other"]).fields![1]).toEqual({ field: "other.setting_brand_new", secret: true });
  });

  it("that the account ignores are an error that names them", async () => {
    await expect(create({ other: { setting_unheard_of: true } })).rejects.toThrow(
      "did not change other.setting_unheard_of",
    );
  });

  it("may be known later, and secret", async () => {
    const inputs = { other: { setting_brand_new: UNKNOWN, setting_word: "w" } };
    expect((await check(inputs)).failures).toEqual([]);
    const made = await create({ other: { setting_word: "w" } });
    expect(await made.differs(inputs)).toBe(true);
    expect(await made.differs({ other: UNKNOWN })).toBe(true);
    const { outs } = await world
      .phase()
      .settings.create({ ...wired("settings", {}), other: secret({ setting_word: "v" }) });
    expect(wired("settings", outs).other).toEqual({ setting_word: "v" });
  });
});

it.each([
  [{}, ["arguments are missing: set at least one setting"]],
  [{ emailPdfAttach: "yes" }, ["emailPdfAttach must be true or false"]],
  [
    { signatureFormatDefault: "Typed" },
    [/signatureFormatDefault is not known, did you mean "typed"\? One of: drawn, typed, upload/],
  ],
  [{ signatureFormatAccepted: [] }, ["signatureFormatAccepted must not be empty"]],
  [
    { signatureFormatAccepted: ["typed", "tiped"] },
    [/signatureFormatAccepted\[1\] is not known, did you mean "typed"\? One of: /],
  ],
  [{ emailPdfAtach: true }, [/emailPdfAtach is not an argument of Settings, did you mean "emailPdfAttach"/]],
  [
    { other: { brand_new: 1, "a b": 1 } },
    [/other\.brand_new must begin with setting_$/m, /other\["a b"\] must begin with setting_$/m],
  ],
  [
    { other: { setting_brand_new: [1], setting_word: null } },
    ["other.setting_brand_new must be a string, a number, true or false", "other.setting_word must be a string"],
  ],
  [{ other: { setting_email_pdf_attach: true } }, ["has setting_email_pdf_attach: set emailPdfAttach instead"]],
  [{ other: { setting_qes_enabled: true } }, []],
  [{ other: { setting_qes_enabled: "yes" } }, ["other has setting_qes_enabled, which must be true or false"]],
  [
    { other: { setting_qes_enabled: true }, account: "17" },
    ["has setting_qes_enabled, which subaccounts do not have: declare it without account, for the partner itself"],
  ],
  [
    { other: { setting_qes_enabled: false, setting_brand_new: 1 }, account: UNKNOWN },
    ["has setting_qes_enabled, which subaccounts do not have: declare it without account, for the partner itself"],
  ],
] as [Properties, (string | RegExp)[]][])("%j is refused offline", async (args, expected) => {
  const found = (await check(args)).failures.map(({ reason }) => reason).join("\n");
  for (const text of expected) expect(found).toMatch(text);
  expect(world.service.requests().filter(({ path }) => path.startsWith("/v1/settings"))).toEqual([]);
});

it("a subaccount has settings of its own", async () => {
  const company = { company_name: "Sub", user_name: "Sue", user_email: "sue@sub.example" };
  const { company_id } = await client.companies.create(company);
  const { id } = await create({ emailMainEmail: false, account: company_id });
  expect(id).toBe(`${company_id}/settings`);
  expect((await client.as(company_id).settings.get()).setting_email_main_email).toBe(false);
  expect((await client.settings.get()).setting_email_main_email).toBe(true);
});

it("an interface without settings is named", async () => {
  world.service.configure({ missing: ["settings"] });
  await expect(create({ emailPdfAttach: true })).rejects.toThrow("this account's interface has no settings");
});

it("a list or an object, which no program can declare, is neither read into a folder nor imported", async () => {
  const read = vi.spyOn(definitions.settings, "read");
  onTestFinished(() => read.mockRestore());
  const live = { setting_word: "seven", setting_days: [1, 3], setting_style: { font: "serif" } };
  read.mockResolvedValue(live);
  const { inputs } = await world.phase().settings.read("settings", {});
  expect(inputs?.other).toEqual({ setting_word: "seven" });
  const client = { settings: { get: async () => live } } as unknown as Client;
  expect(await kinds.Settings.read(client)).toEqual([{ fields: { "other.setting_word": "seven" } }]);
});
