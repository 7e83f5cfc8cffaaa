/** What was there before the first deployment is kept or nothing is changed: full disks, folders that cannot be written, damage. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalFolder } from "../../provider/state/originals-journal";
import { wired } from "../provider/handlers";
import { onStage } from "../provider/on-stage";

describe("originals", () => {
  const world = onStage();
  const inputs = wired("branding", { colour: "#112233" });
  const writes = () => world.service.requests().filter(({ method }) => method !== "GET");
  const message = (work: Promise<unknown>) =>
    work.then(
      () => "no failure",
      (error: Error) => error.message,
    );

  it("that cannot be kept stop the change before it is made, with the way out", async () => {
    // A file in the place of the folder cannot be written into by anybody, root included.
    writeFileSync(join(world.directory, ".esign"), "in the way");
    expect(await message(world.phase().branding.create(inputs))).toMatch(
      /cannot save the original value \(E\w+ in .*journal.*nothing was changed.*Make that folder writable/s,
    );
    expect(writes()).toEqual([]);
  });

  it.each(["", "\0".repeat(400)])(
    "are in no file that a power failure has emptied (%j): it blocks nothing",
    async (nothing) => {
      const made = await world.phase().branding.create(inputs);
      const folder = join(world.directory, journalFolder);
      writeFileSync(join(folder, readdirSync(folder)[0]!), nothing);
      const phase = world.phase();
      const { outs } = await phase.branding.update(
        made.id,
        wired("branding", made.outs),
        wired("branding", { colour: "#445566" }),
      );
      expect(phase.said).toEqual([expect.stringMatching(/journal.* was emptied by a power failure: ignored/)]);
      await world.phase().branding.delete(made.id, wired("branding", outs));
      expect(world.service.data().accounts.find(({ partner }) => partner)!.branding.colour).toBe("#1F6FEB");
    },
  );

  it.each(['{"note": "half of', '{"originals": null}', "[]"])(
    "in a damaged file (%j) are not guessed: nothing is changed, the file stays",
    async (damage) => {
      const made = await world.phase().branding.create(inputs);
      const folder = join(world.directory, journalFolder);
      const file = join(folder, readdirSync(folder)[0]!);
      const good = readFileSync(file, "utf8");
      writeFileSync(file, damage);
      world.service.clearLog();
      const state = wired("branding", made.outs);
      for (const work of [
        () => world.phase().branding.create(wired("branding", { colour: "#445566" })),
        () => world.phase().branding.read(made.id, state),
        () => world.phase().branding.delete(made.id, state),
      ]) {
        expect(await message(work())).toMatch(
          /cannot read .*\.json \(.*nothing was changed.*Restore a good copy .*or remove it/s,
        );
      }
      expect(writes()).toEqual([]);
      expect(readFileSync(file, "utf8")).toBe(damage);
      writeFileSync(file, good);
      await world.phase().branding.delete(made.id, state);
      expect(world.service.data().accounts.find(({ partner }) => partner)!.branding.colour).toBe("#1F6FEB");
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it("in a file or a folder that cannot be read are not taken for none", async () => {
    const made = await world.phase().branding.create(inputs);
    const folder = join(world.directory, journalFolder);
    const file = join(folder, readdirSync(folder)[0]!);
    const restore = () => message(world.phase().branding.delete(made.id, wired("branding", made.outs)));
    unlinkSync(file);
    mkdirSync(file);
    world.service.clearLog();
    expect(await restore()).toMatch(/cannot read .*\(EISDIR\); nothing was changed/);
    rmdirSync(file);
    rmdirSync(folder);
    // Leads to itself.
    symlinkSync(folder, folder);
    expect(await restore()).toMatch(/cannot read .*\(ELOOP\); nothing was changed/);
    expect(writes()).toEqual([]);
  });

  it("in a folder that cannot be read stop a creation before it is made: the state would not get it", async () => {
    mkdirSync(join(world.directory, ".esign"));
    symlinkSync("journal", join(world.directory, journalFolder));
    const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example" };
    for (const onExisting of ["adopt", "create"]) {
      const { webhook, company } = world.phase();
      const hook = wired("webhook", { type: "all", url: "https://r.example/", onExisting });
      for (const work of [webhook.create(hook), company.create(wired("company", { ...firm, onExisting }))])
        expect(await message(work)).toMatch(/cannot read .*\(ELOOP\); nothing was changed/);
    }
    expect(writes()).toEqual([]);
  });

  it("of a former owner that cannot be handed on stop its deletion", async () => {
    const made = await world.phase().branding.create(inputs);
    const renamed = world.phase();
    await renamed.branding.create(wired("branding", { colour: "#445566" }));
    const folder = join(world.directory, journalFolder);
    const file = join(folder, readdirSync(folder)[0]!);
    unlinkSync(file);
    mkdirSync(file);
    expect(await message(renamed.branding.delete(made.id, wired("branding", made.outs)))).toMatch(
      /cannot save the original value \(E\w+/,
    );
  });

  it("that cannot be removed are said, since a later deployment would take them for its own", async () => {
    const made = await world.phase().branding.create(inputs);
    const folder = join(world.directory, journalFolder);
    const file = join(folder, readdirSync(folder)[0]!);
    const state = wired("branding", { ...made.outs, onDelete: "keep" });
    unlinkSync(file);
    mkdirSync(file);
    expect(await message(world.phase().branding.delete(made.id, state))).toMatch(
      /cannot be removed \(E\w+\).*Remove it/s,
    );
  });
});
