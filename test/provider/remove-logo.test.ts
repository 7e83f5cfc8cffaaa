/** `logoUrl: ""`, or `null`, removes a logo, where the edition has that; the original value comes back. */
import { beforeEach, describe, expect, it } from "vitest";
import { deletionEffect } from "../../provider/plan/deletion-effect";
import { branding as definition } from "../../provider/resources/branding";
import { connect } from "../../sdk";
import type { Managed } from "./handlers";
import { onStage } from "./on-stage";
import { preview, update } from "./previewed";

const world = onStage({ edition: "current" });
beforeEach(() => world.service.configure({ edition: "current" }));

const source = "https://www.example.com/logo.png";
const logo = async () => (await world.client.branding.get()).branding_logo;
const setLogo = (branding_logo_url: string | null) =>
  connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner, edition: "current" }).branding.update({
    branding_logo_url,
  });
const declared = (logoUrl: string | null) => ({ handler: "branding" as const, name: "look", args: { logoUrl } });

/** Check and create, as an engine does. */
async function create(args: object) {
  const { inputs, failures } = await world.phase().branding.check({}, { ...args });
  expect(failures).toEqual([]);
  return world.create("branding", inputs);
}

async function change(made: Managed, args: object) {
  const phase = world.phase();
  const { inputs, failures } = await phase.branding.check(made.outs, { ...args });
  expect(failures).toEqual([]);
  expect(await made.plan(inputs, phase)).toMatchObject({ changes: true, replaces: [] });
  return made.update(inputs, phase);
}

describe("a removed logo", () => {
  it("is removed by a create, stays without a change, and comes back with the deletion", async () => {
    const before = await logo();
    const made = await create({ logoUrl: null });
    expect(await logo()).toBeNull();
    expect(made.outs).toMatchObject({ logoUrl: "" });
    expect(made.outs).not.toHaveProperty("logo");
    const { inputs } = await world.phase().branding.check(made.outs, { logoUrl: null });
    expect(await made.differs(inputs)).toBe(false);
    const read = await made.read();
    expect(read.outs).toMatchObject({ logoUrl: "" });
    expect(read.inputs).toMatchObject({ logoUrl: "" });
    await read.delete();
    expect(await logo()).toBe(before);
  });

  it("is no drift after an update of something else", async () => {
    const made = await create({ logoUrl: null, colour: "#112233" });
    const changed = await change(made, { logoUrl: null, colour: "#445566" });
    const read = await changed.read();
    expect(read.inputs).toMatchObject({ logoUrl: "", colour: "#445566" });
    const { inputs } = await world.phase().branding.check(read.inputs, { logoUrl: null, colour: "#445566" });
    expect(await read.differs(inputs)).toBe(false);
  });

  it("is removed by an empty text as by null, in every language", async () => {
    const made = await create({ logoUrl: "" });
    expect(await logo()).toBeNull();
    for (const logoUrl of [null, ""]) {
      const { inputs, failures } = await world.phase().branding.check(made.outs, { logoUrl });
      expect([failures, await made.differs(inputs)]).toEqual([[], false]);
    }
  });

  it("is removed by an update, and set again by another", async () => {
    const removed = await change(await create({ logoUrl: source }), { logoUrl: null });
    expect(await logo()).toBeNull();
    await change(removed, { logoUrl: source });
    expect(await logo()).toContain("/logos/");
  });

  it("that appears again is drift, which the next update removes", async () => {
    const made = await create({ logoUrl: null });
    await setLogo(source);
    const read = await made.read();
    expect(read.outs.logoUrl).toContain("/logos/");
    await change(read, { logoUrl: null });
    expect(await logo()).toBeNull();
  });

  it("is a conflict when it appears between plan and update", async () => {
    const made = await create({ logoUrl: null, colour: "#112233" });
    await setLogo(source);
    const other = { logoUrl: "https://www.example.com/other.png", colour: "#112233" };
    await expect(change(made, other)).rejects.toThrow(/conflict: logoUrl/);
  });

  it("is the original that comes back where there was none", async () => {
    await setLogo(null);
    const made = await create({ logoUrl: source });
    const deletion = { definition, id: "branding", state: made.outs, secrets: [] };
    expect(deletionEffect({ ...deletion, edition: "current" })).toMatchObject({
      effect: "restore",
      fields: [{ field: "logoUrl", declared: "" }],
    });
    expect(deletionEffect(deletion)).toMatchObject({ effect: "release" });
    await made.delete();
    expect(await logo()).toBeNull();
  });

  it("is adopted without a write where there is none", async () => {
    await setLogo(null);
    world.service.clearLog();
    await create({ logoUrl: null });
    expect(world.writes()).toEqual([]);
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
    for (const logoUrl of [null, ""]) {
      const { failures } = await world.phase(edition).branding.check({}, { logoUrl });
      const reason = expect.stringMatching(/^Branding: logoUrl cannot be removed: .*esign:edition to current/);
      expect(failures).toEqual([{ property: "", reason }]);
    }
    expect(world.service.requests()).toEqual([]);
  });

  it("leaves a logo where there was none, which is said", async () => {
    await setLogo(null);
    world.service.configure({ edition: "specification" });
    const made = await world.create("branding", { logoUrl: source }, world.phase(edition));
    expect(await made.delete(world.phase(edition))).toMatch(/logoUrl left unchanged: the original was empty/);
  });
});
