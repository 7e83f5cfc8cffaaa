/** A creation of another process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { pendingCreatesFolder } from "../../provider/state/pending-creates";
import { fastClock } from "./fast-clock";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();

it("is waited for while the process is at work that makes it, for a moment", async () => {
  const inputs = wired("webhook", { type: "all", url: "https://r.example/twin", onExisting: "create" });
  const create = () => world.phase().webhook.create(inputs);
  const made = await create();
  const folder = join(world.directory, pendingCreatesFolder);
  const path = join(folder, readdirSync(folder)[0]!);
  const note = JSON.parse(readFileSync(path, "utf8").split("\n")[0]!);
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  const ended = once(child, "exit");
  writeFileSync(path, JSON.stringify({ ...note, holder: { pid: child.pid } }));
  const sleep = vi.spyOn(fastClock, "sleep").mockImplementationOnce(async () => {
    child.kill();
    await ended;
  });
  expect((await create()).id).toEqual(made.id);
  expect(sleep).toHaveBeenCalled();
});
