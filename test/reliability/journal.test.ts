/** What was there before the first deployment is kept or nothing is changed: full disks, folders that cannot be written, damage. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeDurably } from "../../account/durable-file";
import { journalFolder } from "../../provider/journal";
import { root, run, temporaryFolder } from "../cli/esign";
import { type Stage, stage, wired } from "../provider/handlers";

describe("a file", () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);

  it("that does not fit on the disk any more stays the old one", async () => {
    const file = join(folder.path, "full");
    writeFileSync(file, "old");
    const script = `
      process.on("SIGXFSZ", () => {});
      require(${JSON.stringify(join(root, "dist/account/durable-file.js"))})
        .writeDurably(${JSON.stringify(file)}, "x".repeat(100_000))
        .then(() => console.log("written"), (error) => console.log(error.code));`;
    const limit = ["-c", 'ulimit -f 20; exec "$@"', "bash", process.execPath, "-e", script];
    expect((await run("bash", limit, { home: folder.path })).stdout).toBe("EFBIG\n");
    expect(readdirSync(folder.path)).toEqual(["full"]);
    expect(readFileSync(file, "utf8")).toBe("old");
  });

  it("keeps its permissions, and the link that leads to it", async () => {
    const [file, link] = [join(folder.path, "real"), join(folder.path, "link")];
    writeFileSync(file, "old");
    chmodSync(file, 0o640);
    symlinkSync(file, link);
    await writeDurably(link, "new");
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file).mode & 0o777).toBe(0o640);
    await writeDurably(file, "private", { mode: 0o600 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("originals", () => {
  let world: Stage;
  beforeAll(async () => {
    world = await stage();
  });
  afterAll(() => world.service.close());
  beforeEach(async () => {
    await world.service.reset();
    world.forget();
  });
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
      /cannot be kept for a later deletion \(E\w+ in .*journal.*nothing was changed; make that folder writable/,
    );
    expect(writes()).toEqual([]);
  });

  it.each(["", '{"note": "half of', '{"originals": null}', "[]"])(
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
          /\.json beside the program.*cannot be read.*put a good copy .*or remove it/,
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

  it("that cannot be removed are said, since a later deployment would take them for its own", async () => {
    const made = await world.phase().branding.create(inputs);
    const folder = join(world.directory, journalFolder);
    const file = join(folder, readdirSync(folder)[0]!);
    const state = wired("branding", { ...made.outs, onDelete: "keep" });
    unlinkSync(file);
    mkdirSync(file);
    expect(await message(world.phase().branding.delete(made.id, state))).toMatch(
      /cannot be removed \(E\w+\); remove it/,
    );
  });
});
