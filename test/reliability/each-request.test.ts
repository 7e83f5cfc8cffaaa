/**
 * Every request of every resource's creation fails once, in turn, with each kind of fault. Whatever comes of that run: the
 * state has the ids and one-time keys of all that exists, the message says what to do, and the next run only finishes.
 */
import { describe, expect, it, vi } from "vitest";
import type { Fault } from "../../emulator";
import { stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { disagreements, likeness } from "./agreement";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";

type Blow = (spot: Pick<Fault, "operation" | "nth">) => Fault;
const blows: Record<string, Blow> = {
  "error answer": (spot) => ({ ...spot, kind: "error", code: 10010 }),
  "error in a 200": (spot) => ({ ...spot, kind: "error", code: 10010, status: 200 }),
  "cut before": (spot) => ({ ...spot, kind: "cut-before" }),
  "cut after": (spot) => ({ ...spot, kind: "cut-after" }),
  "time out": (spot) => ({ ...spot, kind: "hang" }),
  "HTML instead of an answer": (spot) => ({ ...spot, kind: "html", status: 502, commit: false }),
  "HTML after the commit": (spot) => ({ ...spot, kind: "html" }),
  "half a body": (spot) => ({ ...spot, kind: "truncated" }),
  "no body": (spot) => ({ ...spot, kind: "empty" }),
};

const programs: Record<string, Wanted[]> = {
  Branding: [{ kind: "Branding", name: "branding", args: { colour: "#0a0b0c" } }],
  BrandingEmail: [
    {
      kind: "BrandingEmail",
      name: "email",
      args: { type: "email-send", subject: "Sign {contract title}", contentPlain: "{contract url}" },
    },
  ],
  Webhook: [{ kind: "Webhook", name: "hook", args: { type: "all", url: "https://r.example/" } }],
  // The creation cannot carry the address: it takes a second write.
  Company: [
    {
      kind: "Company",
      name: "firm",
      args: {
        name: "Firm",
        userName: "U",
        userEmail: "u@firm.example",
        email: "office@firm.example",
        deletionProtection: false,
      },
    },
  ],
};

describe.each(Object.entries(programs))("the creation of a %s", (kind, program) => {
  // Looking for what may have been made takes seconds: side by side, each with a service of its own.
  it.concurrent.each(Object.entries(blows))("survives: %s", { timeout: 120_000 }, async (_, blow) => {
    const world = await stage();
    // Without repetitions each fault reaches the hook.
    Object.assign(world.settings, { retries: "0", timeout: "2000" });
    const { service } = world;
    const asked = () => service.requests().map(({ method, operation }) => `${method} ${operation}`);
    const before = await likeness(service);
    service.clearLog();
    await new Engine().up(program, hooksHere(world));
    const usual = asked();
    expect(usual.some((request) => !request.startsWith("GET"))).toBe(true);

    for (const [at, request] of usual.entries()) {
      await service.reset();
      world.forget();
      const operation = request.split(" ")[1] as Fault["operation"];
      const nth = usual.slice(0, at + 1).filter((other) => other === request).length;
      const where = `${request}, ${nth}`;
      service.configure({ faults: [blow({ operation, nth })] });
      service.clearLog();
      const engine = new Engine();
      const { failures } = await engine.up(program, hooksHere(world));
      // A request that is never answered is logged when the service sees that nobody waits for it any more.
      await vi.waitFor(() => expect(Object.values(service.counts().byFault), where).toEqual([1]), { timeout: 10_000 });
      service.configure({ faults: [] });
      for (const failure of failures) {
        expect(failure, where).toMatch(new RegExp(`^\\w+: ${kind}: cannot create: .+`));
        expect(failure, where).not.toContain(service.keys.partner);
      }
      const state = () => [...engine.state.values()];
      // What a creation has made is in the state, with the key that only the creation tells.
      const lost = disagreements(service.data(), state()).filter((problem) => /orphan|dangling|key/.test(problem));
      expect(lost, where).toEqual([]);
      if (failures.length === 0) expect(disagreements(service.data(), state()), where).toEqual([]);

      service.clearLog();
      const next = await engine.up(program, hooksHere(world));
      expect(next.failures, where).toEqual([]);
      expect(disagreements(service.data(), state()), where).toEqual([]);
      expect(asked().length, where).toBeLessThanOrEqual(failures.length === 0 ? 0 : usual.length);
      service.clearLog();
      expect((await engine.up(program, hooksHere(world))).steps, where).toEqual([]);
      expect(asked(), where).toEqual([]);

      expect((await engine.destroy(hooksHere(world))).failures, where).toEqual([]);
      expect(await likeness(service), where).toEqual(before);
    }
    await service.close();
  });
});
