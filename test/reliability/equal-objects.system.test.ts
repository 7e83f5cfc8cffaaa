/**
 * A run is killed that creates equal objects, each for a resource of its own, while what the program registers is slow: the next run gives
 * each resource its own object, whichever it registers first.
 */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { times } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import type { Form } from "../provider/program-forms";
import { type EngineName, hasPulumi, Program, type Wanted } from "../provider/programs";
import { ageRecords, restoreState } from "./after-kill";
import { disagreements, likeness, ownedBy } from "./agreement";
import { type Fate, Line } from "./line";
import { family, send, survivors, type Victim, victims } from "./processes";
import { branding, contact, webhook } from "./wanted";

const equal = { url: "https://r.example/equal", onExisting: "create" };
/** `first` waits for the branding alone, `second` for three contacts, one after the other. */
const wantedOf = (edition: number): Wanted[] => [
  branding(),
  { ...webhook(equal, "first"), dependsOn: ["branding"] },
  contact({ name: "One", email: "one@r.example" }, "one"),
  { ...contact({ name: "Two", email: "two@r.example" }, "two"), dependsOn: ["one"] },
  { ...contact({ name: `Three ${edition}`, email: "three@r.example" }, "three"), dependsOn: ["two"] },
  { ...webhook(equal, "second"), dependsOn: ["three"] },
];

/** What has the provider in the engine's process can lose the engine only. */
const worlds: [EngineName, Form, Victim][] = [
  ["embedded", "dynamic", "engine"],
  ["embedded", "plugin", "provider"],
  ["embedded", "yaml", "engine"],
  ...(hasPulumi
    ? ([
        ["pulumi", "dynamic", "engine"],
        ["pulumi", "plugin", "provider"],
        ["pulumi", "yaml", "provider"],
      ] satisfies [EngineName, Form, Victim][])
    : []),
];

/** What becomes of the requests that create the webhooks, in the order in which they are sent; undefined: they are answered. */
type Fates = readonly (Fate | undefined)[];
const kills: [name: string, fates: Fates][] = [
  ["one is in the state, and the other was never sent", [undefined, "lost"]],
  ["one is in the state, and the other got no answer", [undefined, "unanswered"]],
  ["neither got an answer", ["unanswered", "unanswered"]],
];

describe.each([...worlds.entries()].map(([index, world]) => [...world, index] as const))(
  "the %s engine, the %s form, without its %s",
  (engine, form, victim, index) => {
    async function killed(fates: Fates) {
      const service = await emulatorForTest();
      const line = await Line.to(service.url);
      onTestFinished(() => line.close());
      const original = likeness(service);
      const program = new Program(engine, undefined, form);
      program.wanted = wantedOf(1);
      await program.begin({ apiKey: service.keys.partner, baseUrl: line.url });
      // The chain of contacts is done by then.
      service.configure({ faults: [{ kind: "latency", operation: "branding.update", ms: 6_000 }] });
      let sent = 0;
      line.fate = ({ path }) => (path.includes("webhooks") ? fates[sent++] : undefined);
      const run = program.start("up", "--yes", "--skip-preview", "--stack", program.stack);
      const recorded = async () => (await program.state()).filter(({ urn }) => urn.includes("Webhook")).length;
      const isDue = async () => sent === 2 && (await recorded()) === fates.filter((fate) => fate === undefined).length;
      await vi.waitUntil(isDue, { timeout: 60_000, interval: 50 });
      // The answer of what is applied all the same.
      await sleep(300);
      const members = await family(run.pid);
      // The CLI starts the plugin once more for its schema.
      const struck = members.filter(({ command }) => victims[victim].test(command));
      expect(struck.filter(({ pid }) => send(pid, "SIGKILL"))).not.toEqual([]);
      line.cut();
      if (victim === "engine") {
        for (const { pid } of await survivors(members, () => engine === "embedded")) send(pid, "SIGKILL");
      }
      expect((await run.outcome).code).not.toBe(0);
      ageRecords(program.folder);
      if (engine === "pulumi" && victim === "engine") {
        restoreState(join(program.home, "state/.pulumi/stacks/program"));
        await program.succeed("cancel", "--yes", "--stack", program.stack);
      }
      service.configure({ faults: [{ kind: "latency", operation: "contacts.update", ms: 4_000 }] });
      return { service, program, original };
    }

    // What is found again is the same in each form: one of it in each, and nightly all.
    const sample = times > 1 ? kills : [kills[index % kills.length]!];
    it.each(sample)("each gets its own where %s", async (_, fates) => {
      const { service, program, original } = await killed(fates);
      program.wanted = wantedOf(2);
      await program.operate("up");
      const owned = await ownedBy(program);
      expect(disagreements(service.data(), owned)).toEqual([]);
      expect(new Set(owned.flatMap(({ handler, id }) => (handler === "webhook" ? [id] : []))).size).toBe(2);
      await program.operate("up", "--expect-no-changes");
      await program.operate("destroy");
      expect(likeness(service)).toEqual(original);
    });
  },
);
