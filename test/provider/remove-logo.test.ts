/** `logoUrl: null` removes a logo, where the edition has that; the original value comes back. */
import { beforeEach, describe, expect, it } from "vitest";
import { deletionEffect } from "../../provider/effects/deletion";
import { branding as definition } from "../../provider/resources/branding";
import { connect } from "../../sdk";
import { wired } from "./handlers";
import { onStage } from "./on-stage";
import { preview, update } from "./previewed";

const world = onStage({ edition: "current" });
beforeEach(() => world.service.configure({ edition: "current" }));

const source = "https://www.example.com/logo.png";
const client = () => connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner, edition: "current" });
const logo = async () => (await client().branding.get()).branding_logo;
const declared = (logoUrl: string | null) => ({ handler: "branding" as const, name: "look", args: { logoUrl } });

/** Check and create, as an engine does. */
async function create(args: object) {
  const phase = world.phase();
  const { inputs, failures } = await phase.branding.check({}, { ...args });
  expect(failures).toEqual([]);
  return { inputs, ...(await phase.branding.create(wired("branding", inputs))) };
}

async function change(made: Awaited<ReturnType<typeof create>>, args: object) {
  const phase = world.phase();
  const olds = wired("branding", made.outs);
  const { inputs, failures } = await phase.branding.check(made.inputs, { ...args });
  expect(failures).toEqual([]);
  expect(await phase.branding.diff(made.id, olds, inputs)).toMatchObject({ changes: true, replaces: [] });
  const { outs } = await phase.branding.update(made.id, olds, wired("branding", inputs));
  return { inputs, id: made.id, outs };
}

describe("a removed logo", () => {
  it("is removed by a create, stays without a change, and comes back with the deletion", async () => {
    const before = await logo();
    const made = await create({ logoUrl: null });
    expect(await logo()).toBeNull();
    expect(wired("branding", made.outs)).toMatchObject({ logoUrl: "" });
    expect(made.outs).not.toHaveProperty("logo");
    const { inputs } = await world.phase().branding.check(made.inputs, { logoUrl: null });
    const olds = wired("branding", made.outs);
    expect(await world.phase().branding.diff(made.id, olds, inputs)).toMatchObject({ changes: false });
    const read = await world.phase().branding.read(made.id, olds);
    expect(wired("branding", read.props!)).toMatchObject({ logoUrl: "" });
    expect(read.inputs).toMatchObject({ logoUrl: "" });
    await world.phase().branding.delete(made.id, wired("branding", read.props!));
    expect(await logo()).toBe(before);
  });

  it("is removed by an update, and set again by another", async () => {
    const made = await create({ logoUrl: source });
    const removed = await change(made, { logoUrl: null });
    expect(await logo()).toBeNull();
    await change(removed, { logoUrl: source });
    expect(await logo()).toContain("/logos/");
  });

  it("that appears again is drift, which the next update removes", async () => {
    const made = await create({ logoUrl: null });
    await client().branding.update({ branding_logo_url: source });
    const read = await world.phase().branding.read(made.id, wired("branding", made.outs));
    expect(wired("branding", read.props!).logoUrl).toContain("/logos/");
    await change({ ...made, outs: read.props! }, { logoUrl: null });
    expect(await logo()).toBeNull();
  });

  it("is a conflict when it appears between plan and update", async () => {
    const made = await create({ logoUrl: null, colour: "#112233" });
    await client().branding.update({ branding_logo_url: source });
    await expect(change(made, { logoUrl: "https://www.example.com/other.png", colour: "#112233" })).rejects.toThrow(
      /conflict: logoUrl/,
    );
  });

  it("is the original that comes back where there was none", async () => {
    await client().branding.update({ branding_logo_url: null });
    const made = await create({ logoUrl: source });
    const state = wired("branding", made.outs);
    expect(deletionEffect({ definition, id: "branding", state, secrets: [], edition: "current" })).toMatchObject({
      effect: "restore",
      fields: [{ field: "logoUrl", declared: "" }],
    });
    expect(deletionEffect({ definition, id: "branding", state, secrets: [] })).toMatchObject({ effect: "release" });
    await world.phase().branding.delete(made.id, state);
    expect(await logo()).toBeNull();
  });

  it("is adopted without a write where there is none", async () => {
    await client().branding.update({ branding_logo_url: null });
    world.service.clearLog();
    await create({ logoUrl: null });
    expect(world.service.requests().map(({ method }) => method)).not.toContain("PUT");
  });

  it("that the service does not remove is an error", async () => {
    world.service.configure({ edition: "current", faults: [{ kind: "test", operation: "branding.update" }] });
    await expect(create({ logoUrl: null })).rejects.toThrow(/test key/);
  });

  it("is shown by the preview, with its write", async () => {
    const { effects } = await preview(world, [declared(null)]);
    expect(effects).toMatchObject([
      { effect: "adopt-and-update", writes: 1, fields: [{ field: "logoUrl", declared: "" }] },
    ]);
    const resource = declared(null);
    expect((await update(world, [resource])).refusals).toEqual([]);
    expect((await preview(world, [resource])).effects).toEqual([]);
  });
});

describe("the specification's edition", () => {
  const edition = { edition: "specification" };

  it("has no removal, which the check says before any request", async () => {
    world.service.clearLog();
    const { failures } = await world.phase(edition).branding.check({}, { logoUrl: null });
    expect(failures).toEqual([
      {
        property: "",
        reason: expect.stringMatching(/^Branding: logoUrl cannot be removed: .*esign:edition to current/),
      },
    ]);
    expect(world.service.requests()).toEqual([]);
  });

  it("leaves a logo where there was none, which is said", async () => {
    await client().branding.update({ branding_logo_url: null });
    world.service.configure({ edition: "specification" });
    const phase = world.phase(edition);
    const { id, outs } = await phase.branding.create(wired("branding", { logoUrl: source }));
    const last = world.phase(edition);
    await last.branding.delete(id, wired("branding", outs));
    expect(last.said.join()).toMatch(/logoUrl left unchanged: the original was empty/);
  });
});

it("an empty text is no removal", async () => {
  const { failures } = await world.phase().branding.check({}, { logoUrl: "" });
  expect(failures).toEqual([{ property: "", reason: expect.stringMatching(/logoUrl must be an absolute URL/) }]);
});
