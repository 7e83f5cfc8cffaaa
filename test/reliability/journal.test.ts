/** What was there before the first deployment is kept or nothing is changed: full disks, folders that cannot be written, damage. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { journalFolder } from "../../provider/state/originals-journal";
import { wired } from "../provider/handlers";
import { onStage } from "../provider/on-stage";

const world = onStage();
const create = (colour = "#112233") => world.phase().branding.create(wired("branding", { colour }));
const writes = () => world.service.requests().filter(({ method }) => method !== "GET");
const expectOriginal = () => expect(world.service.data().accounts[0]!.branding.colour).toBe("#1F6FEB");
const message = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error: Error) => error.message,
  );

/** Branding that has been changed, and the file with its original colour. */
async function begin(more: Properties = {}) {
  const { id, outs } = await create();
  const folder = join(world.directory, journalFolder);
  const file = join(folder, readdirSync(folder)[0]!);
  const state = wired("branding", { ...outs, ...more });
  world.service.clearLog();
  return {
    id,
    folder,
    file,
    state,
    remove: (phase = world.phase()) => phase.branding.delete(id, state),
    /** It cannot be written or read. */
    block() {
      unlinkSync(file);
      mkdirSync(file);
    },
  };
}

describe("originals", () => {
  it("that cannot be kept stop the change before it is made, with the way out", async () => {
    // A file in the place of the folder cannot be written into by anybody, root included.
    writeFileSync(join(world.directory, ".esign"), "in the way");
    expect(await message(create())).toMatch(
      /cannot save the original value \(E\w+ in .*journal.*nothing was changed.*Make that folder writable/s,
    );
    expect(writes()).toEqual([]);
  });

  it.each(["", "\0".repeat(400)])(
    "are in no file that a power failure has emptied (%j): it blocks nothing",
    async (nothing) => {
      const { id, file, state } = await begin();
      writeFileSync(file, nothing);
      const phase = world.phase();
      const { outs } = await phase.branding.update(id, state, wired("branding", { colour: "#445566" }));
      expect(phase.said).toEqual([expect.stringMatching(/journal.* was emptied by a power failure: ignored/)]);
      await world.phase().branding.delete(id, wired("branding", outs));
      expectOriginal();
    },
  );

  it.each(['{"note": "half of', '{"originals": null}', "[]"])(
    "in a damaged file (%j) are not guessed: nothing is changed, the file stays",
    async (damage) => {
      const { id, folder, file, state, remove } = await begin();
      const good = readFileSync(file, "utf8");
      writeFileSync(file, damage);
      const words = /cannot read .*\.json \(.*nothing was changed.*Restore a good copy .*or remove it/s;
      const works = [create("#445566"), world.phase().branding.read(id, state), remove()].map(message);
      for (const text of await Promise.all(works)) expect(text).toMatch(words);
      expect(writes()).toEqual([]);
      expect(readFileSync(file, "utf8")).toBe(damage);
      writeFileSync(file, good);
      await remove();
      expectOriginal();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it("in a file or a folder that cannot be read are not taken for none", async () => {
    const { folder, file, remove, block } = await begin();
    block();
    expect(await message(remove())).toMatch(/cannot read .*\(EISDIR\); nothing was changed/);
    rmdirSync(file);
    rmdirSync(folder);
    // Leads to itself.
    symlinkSync(folder, folder);
    expect(await message(remove())).toMatch(/cannot read .*\(ELOOP\); nothing was changed/);
    expect(writes()).toEqual([]);
  });

  it("in a folder that cannot be read stop a creation before it is made: the state would not get it", async () => {
    mkdirSync(join(world.directory, ".esign"));
    symlinkSync("journal", join(world.directory, journalFolder));
    const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example" };
    for (const onExisting of ["adopt", "create"]) {
      const { webhook, company } = world.phase();
      const hook = wired("webhook", { type: "all", url: "https://r.example/", onExisting });
      const works = [webhook.create(hook), company.create(wired("company", { ...firm, onExisting }))].map(message);
      for (const text of await Promise.all(works)) expect(text).toMatch(/cannot read .*\(ELOOP\); nothing was changed/);
    }
    expect(writes()).toEqual([]);
  });

  it("of a former owner that cannot be handed on stop its deletion", async () => {
    const { remove, block } = await begin();
    const renamed = world.phase();
    await renamed.branding.create(wired("branding", { colour: "#445566" }));
    block();
    expect(await message(remove(renamed))).toMatch(/cannot save the original value \(E\w+/);
  });

  it("that cannot be removed are said, since a later deployment would take them for its own", async () => {
    const { remove, block } = await begin({ onDelete: "keep" });
    block();
    expect(await message(remove())).toMatch(/cannot be removed \(E\w+\).*Remove it/s);
  });
});
