/** A damaged file of the journal stops what needs it, the original values of what every account has once, and nothing else. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalFolder } from "../../provider/recovery/journal-file";
import { onStage } from "./on-stage";

const world = onStage();
const folder = () => join(world.directory, journalFolder);
const files = () => readdirSync(folder()).map((name) => join(folder(), name));

describe.each(['{"note": "half of', '{"originals": null}', "[]", "\u0001"])("with %j in each file", (damage) => {
  it("webhooks and contacts are updated and deleted, with one notice for each file", async () => {
    const hook = await world.create("webhook", { type: "all", url: "https://hooks.example.com/1" });
    const contact = await world.create("contact", { name: "Ann", email: "ann@b.example" });
    // What a killed run leaves: the file of an update that got no response.
    world.service.configure({ faults: [{ kind: "cut-before", method: "PUT" }] });
    const hurried = () => world.phase({ retries: "0" });
    await expect(hook.update({ type: "all", url: "https://hooks.example.com/2" }, hurried())).rejects.toThrow();
    await expect(contact.update({ name: "Anna", email: "ann@b.example" }, hurried())).rejects.toThrow();
    world.service.configure({ faults: [] });
    mkdirSync(folder(), { recursive: true });
    const named = files();
    expect(named.length).toBe(2);
    for (const file of named) writeFileSync(file, damage);
    const phase = world.phase({ onConflict: "overwrite" });
    const later = await hook.update({ type: "all", url: "https://hooks.example.com/3" }, phase);
    expect(later.said).toMatch(/\.json is damaged \(.*\) and holds no original value: ignored/);
    expect(phase.said.filter((line) => line.includes("damaged"))).toHaveLength(1);
    await contact.delete(world.phase({ onConflict: "overwrite" }));
    await later.delete();
    expect(await world.client.webhooks.list().all()).toEqual([]);
    expect(await world.client.contacts.list().all()).toEqual([]);
    expect(files().filter((file) => readFileSync(file, "utf8") === damage)).toEqual([]);
  });

  it("branding is neither updated nor restored, and the file stays", async () => {
    const branding = await world.create("branding", { colour: "#112233" });
    mkdirSync(folder(), { recursive: true });
    if (files().length === 0) {
      world.service.configure({ faults: [{ kind: "cut-before", method: "PUT" }] });
      await expect(branding.update({ colour: "#445566" }, world.phase({ retries: "0" }))).rejects.toThrow();
      world.service.configure({ faults: [] });
    }
    const [file] = files();
    writeFileSync(file!, damage);
    const before = world.writes().length;
    await expect(branding.update({ colour: "#778899" })).rejects.toThrow(/cannot read the original values/);
    await expect(branding.delete()).rejects.toThrow(/cannot read the original values/);
    expect([world.writes().length, readFileSync(file!, "utf8")]).toEqual([before, damage]);
  });
});
