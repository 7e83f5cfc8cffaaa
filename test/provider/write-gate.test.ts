/** After a cancel, or when the time of an operation is over, no write begins; what has been sent is waited for. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { effectsFileVariable } from "../../provider/reporting/effect-reporter";
import { WriteGate } from "../../provider/session/write-gate";
import { virtualClock } from "../virtual-clock";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();
const hook = wired("webhook", { type: "all", url: "https://r.example/" });
const hooks = () => world.client.webhooks.list().all();
const methods = () => world.writes().map(({ method }) => method);
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Resolves when a write has been sent. */
const sent = () => vi.waitFor(() => expect(methods()).not.toEqual([]), { timeout: 20_000, interval: 2 });

it("of a create whose response is lost: it is not sent again, and the next run creates one", async () => {
  world.service.configure({ faults: [{ kind: "cut-before", operation: "webhooks.create", nth: 1 }] });
  const phase = world.phase();
  const creation = phase.webhook.create(hook);
  creation.catch(() => undefined);
  await sent();
  phase.session.run.writeGate.cancel();
  await expect(creation).rejects.toThrow(/was not sent: the run was cancelled.*Rerun/);
  expect(methods()).toEqual(["POST"]);
  await world.phase().webhook.create(hook);
  expect(await hooks()).toHaveLength(1);
});

it("of a create that the service has applied: it is found and recorded", async () => {
  world.service.configure({ faults: [{ kind: "cut-after", operation: "webhooks.create", nth: 1 }] });
  const phase = world.phase();
  const creation = phase.webhook.create(hook);
  await sent();
  phase.session.run.writeGate.cancel();
  const { id } = await creation;
  expect(await hooks()).toMatchObject([{ webhook_id: id }]);
});

it("of an update that would be sent again", async () => {
  const made = await world.create("branding", wired("branding", { colour: "#112233" }));
  world.service.clearLog();
  world.service.configure({ faults: [{ kind: "cut-before", method: "PUT" }] });
  const phase = world.phase();
  const update = made.update(wired("branding", { colour: "#445566" }), phase);
  update.catch(() => undefined);
  await sent();
  phase.session.run.writeGate.cancel();
  await expect(update).rejects.toThrow(/was not sent: the run was cancelled/);
  const count = methods().length;
  await pause(300);
  expect(methods()).toHaveLength(count);
});

it("of what has not begun: nothing is sent but reads", async () => {
  const made = await world.create("branding", wired("branding", { colour: "#112233" }));
  world.service.clearLog();
  const phase = world.phase();
  phase.session.run.writeGate.cancel();
  await expect(phase.webhook.create(hook)).rejects.toThrow(/cancelled.*Nothing was changed/);
  await expect(made.update(wired("branding", { colour: "#445566" }), phase)).rejects.toThrow(/cancelled/);
  await expect(made.delete(phase)).rejects.toThrow(/cancelled/);
  expect(methods()).toEqual([]);
});

it("of an operation whose time is over, and of no other one", async () => {
  world.service.configure({ faults: [{ kind: "cut-before", operation: "webhooks.create", nth: 1 }] });
  let passed = 0;
  world.clock = { ...virtualClock, now: () => virtualClock.now() + passed };
  const phase = world.phase();
  const { writeGate } = phase.session.run;
  const late = writeGate.within(60, "create", () => phase.webhook.create(hook));
  late.catch(() => undefined);
  await sent();
  passed = 60_000;
  await expect(late).rejects.toThrow(/was not sent: the time limit of 60 s \(customTimeouts\.create\) is over/);
  await writeGate.within(0, "create", () => phase.branding.create(wired("branding", { colour: "#112233" })));
  expect(methods()).toEqual(["POST", "PUT"]);
});

it("where the program that reads the effects has left its file", () => {
  const file = join(mkdtempSync(join(tmpdir(), "esign-gate-")), "effects.jsonl");
  const gate = new WriteGate({ now: () => 0 }, { [effectsFileVariable]: file });
  expect(gate.refusal).toBeUndefined();
  writeFileSync(`${file}.cancelled`, "");
  expect(gate.refusal).toBe("the run was cancelled");
});
