/** What a later version has written is an error that names it: nothing is guessed, and nothing is changed. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { journalFolder } from "../../provider/recovery/journal-file";
import { pendingCreatesFolder } from "../../provider/recovery/pending-create-file";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const stage = onStage();
const args = { type: "all", url: "https://r.example/" };

it.each(["diff", "read", "update", "delete"] as const)("an entry in the state: %s", async (name) => {
  const { id, outs } = await stage.phase().webhook.create(wired("webhook", args));
  const state = wired("webhook", outs);
  const later = {
    ...state,
    __esign: { ...(state.__esign as Properties), version: 2, instanceId: { is: "another type" } },
  };
  stage.service.clearLog();
  const { webhook } = stage.phase();
  const calls = {
    diff: () => webhook.diff(id, later, wired("webhook", { ...args, type: "signed-envelope" })),
    read: () => webhook.read(id, later),
    update: () => webhook.update(id, later, wired("webhook", { ...args, type: "signed-envelope" })),
    delete: () => webhook.delete(id, later),
  };
  await expect(calls[name]()).rejects.toThrow(
    /the state entry was written by a later version of this package; nothing was changed \(ESIGN1055\)\.\nInstall that version/,
  );
  expect(writes()).toEqual([]);
});

/** What is in the only file of a folder, as a later version has it: its path in the program's folder. */
function makeLater(folder: string): string {
  const [name] = readdirSync(join(stage.directory, folder));
  const path = join(stage.directory, folder, name!);
  writeFileSync(path, readFileSync(path, "utf8").replace(/("version": ?)1/, "$12"));
  return join(folder, name!);
}

const writes = () => stage.service.requests().filter(({ method }) => method !== "GET");

it("an entry of the journal: the object is not changed, and its originals are kept", async () => {
  const { id, outs } = await stage.phase().branding.create(wired("branding", { colour: "#112233" }));
  const state = wired("branding", outs);
  const file = makeLater(journalFolder);
  const content = () => readFileSync(join(stage.directory, file), "utf8");
  const before = content();
  stage.service.clearLog();
  const changes = [
    () => stage.phase().branding.update(id, state, wired("branding", { colour: "#445566" })),
    () => stage.phase().branding.delete(id, state),
  ];
  for (const change of changes)
    await expect(change()).rejects.toThrow(
      `${file} was written by a later version of this package; nothing was changed`,
    );
  expect(writes()).toEqual([]);
  expect(content()).toBe(before);
});

it("a record of a pending create: nothing is created a second time, and the record is kept", async () => {
  await stage.phase().webhook.create(wired("webhook", { ...args, onExisting: "create" }));
  const file = makeLater(pendingCreatesFolder);
  stage.service.clearLog();
  await expect(stage.phase().webhook.create(wired("webhook", { ...args, onExisting: "create" }))).rejects.toThrow(
    `${file} was written by a later version of this package; nothing was changed`,
  );
  expect(writes()).toEqual([]);
  expect(readdirSync(join(stage.directory, pendingCreatesFolder))).toHaveLength(1);
});
