/** What a later version has written is an error that names it: nothing is guessed, and nothing is changed. */
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
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
  expect(stage.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
});
