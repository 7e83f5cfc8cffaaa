/** The original values are kept or nothing is changed: full disks, folders that cannot be written, damage. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../provider/core/hash";
import type { Properties } from "../../provider/core/pulumi-values";
import { journalFolder } from "../../provider/recovery/journal-file";
import { temporaryFolder } from "../files";
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
  it("that cannot be kept stop the change before it is made, and the message says what to do", async () => {
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

  it("and what was sent are in no file in clear, nor as a hash that can be guessed, whatever a new name leaves", async () => {
    const secrets = ["4711", "0815", "1337"];
    const [before, first, second] = secrets.map((pin) => `PIN ${pin} {contract title}`);
    await world.client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: before });
    const args = (subject?: string) => wired("brandingEmail", { type: "email-send", subject });
    const { id, outs } = await world.phase().brandingEmail.create(args(first));
    // Another name without an alias: the new resource adopts the template, and the old one leaves what it knows.
    const run = world.phase();
    await run.brandingEmail.create(args(second));
    await run.brandingEmail.delete(id, wired("brandingEmail", outs));
    const folder = join(world.directory, journalFolder);
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(texts.join()).toContain("sealed");
    for (let pin = 0; pin < 10_000; pin++) {
      const subject = `PIN ${String(pin).padStart(4, "0")} {contract title}`;
      const [hash, key] = [
        hashOf(subject),
        (outs.__esign as { value?: { keyFingerprint: string } }).value?.keyFingerprint,
      ];
      for (const guess of [subject, hash, hashOf(`${key} ${hash}`)])
        for (const text of texts) expect(text.includes(guess)).toBe(false);
    }
    expect(secrets.filter((pin) => texts.some((text) => text.includes(pin)))).toEqual([]);
  });

  it("that another machine has encrypted are not guessed, and not asked for where the state has them", async () => {
    const { id, file, state, remove } = await begin();
    const { XDG_STATE_HOME } = process.env;
    const onMachine = async <T>(home: string | undefined, work: () => Promise<T>) => {
      process.env.XDG_STATE_HOME = home;
      return work().finally(() => {
        process.env.XDG_STATE_HOME = XDG_STATE_HOME;
      });
    };
    const elsewhere = temporaryFolder();
    const text = readFileSync(file, "utf8");
    // The state includes the write.
    await onMachine(elsewhere, () => world.phase().branding.diff(id, state, state));
    expect(readFileSync(file, "utf8")).toBe(text);
    // It does not: the run was killed before.
    const killed = world.phase();
    await killed.branding.update(id, state, wired("branding", { colour: "#445566" }));
    world.service.clearLog();
    const works = () => [create("#445566"), world.phase().branding.read(id, state), remove()];
    for (const said of await onMachine(elsewhere, () => Promise.all(works().map(message))))
      expect(said).toMatch(/was encrypted on another machine; nothing was changed.*ESIGN_MACHINE_KEY/s);
    expect(writes()).toEqual([]);
    await remove();
    expectOriginal();
  });
});
