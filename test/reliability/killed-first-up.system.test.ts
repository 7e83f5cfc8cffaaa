/**
 * The first `up` is killed, and another command than `up` comes next. The state has nothing of what was being created:
 * neither `destroy` nor `stack rm` may leave it in the account unsaid.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, start } from "../../emulator";
import { connect } from "../../sdk";
import { times } from "../chance";
import { Program, type Wanted } from "../provider/programs";
import { likeness } from "./agreement";
import { Line } from "./line";
import { family, kill, send, survivors } from "./processes";

const wanted: Wanted[] = [
  { kind: "Branding", name: "branding", args: { colour: "#112233" } },
  { kind: "BrandingEmail", name: "email", args: { type: "email-send", subject: "Sign {contract title}" } },
  {
    kind: "Company",
    name: "firm",
    args: { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false },
  },
  ...Array.from({ length: 12 }, (_, i): Wanted => {
    const own = i % 3 === 0 ? { onExisting: "create" } : {};
    return { kind: "Webhook", name: `hook-${i}`, args: { type: "all", url: `https://r.example/${i}`, ...own } };
  }),
];

describe("a first up that is killed", { timeout: 120_000 }, () => {
  let service: Emulator;
  let line: Line;
  let program: Program;
  let original: unknown;

  beforeEach(async () => {
    service = await start();
    line = await Line.to(service.url);
    program = new Program("embedded");
    program.wanted = wanted;
    original = await likeness(service);
    await program.begin({ apiKey: service.keys.partner, baseUrl: line.url });
  });
  afterEach(async () => {
    line.close();
    await service.close();
  });

  /** Kills the engine at a write of the first `up`, which the service has carried out. */
  async function killUp(at: number): Promise<void> {
    const strike = line.strikeAt("after", at);
    const run = program.start("up", "--yes", "--skip-preview", "--stack", program.stack);
    await Promise.race([strike, run.outcome]);
    const members = await family(run.pid);
    expect(await kill(run.pid, "engine")).toBe(true);
    line.cut();
    for (const { pid } of await survivors(members, () => true)) send(pid, "SIGKILL");
    expect((await run.outcome).code).not.toBe(0);
  }
  const state = () =>
    JSON.parse([...program.files()].find(([name]) => name.endsWith(`stacks/program/${program.stack}.json`))![1])
      .checkpoint.latest;
  const webhooks = () => connect({ baseUrl: service.url, apiKey: service.keys.partner }).webhooks.list().all();

  it.each(times > 1 ? [1, 4, 9, 14] : [14])(
    "at write %i is undone by destroy: nothing is left in the account, nor in doubt",
    async (at) => {
      await killUp(at);
      expect(state().pending_operations).not.toEqual([]);
      await program.operate("destroy");
      expect(await likeness(service)).toEqual(original);
      expect(state().pending_operations ?? []).toEqual([]);
      await program.succeed("stack", "rm", program.stack, "--yes");
    },
  );

  it("is settled by the next up and by a refresh: no later one warns", async () => {
    await killUp(9);
    await program.operate("refresh");
    expect(state().pending_operations ?? []).toEqual([]);
    const { output } = await program.operate("up");
    expect(output).not.toMatch(/interrupted/);
    expect(await webhooks()).toHaveLength(12);
    await program.operate("destroy");
    expect(await likeness(service)).toEqual(original);
  });

  it("is completed by the next up, also where the program declares less by then", async () => {
    await killUp(9);
    program.wanted = wanted.slice(0, 6);
    await program.operate("up");
    expect(state().pending_operations ?? []).toEqual([]);
    expect(await webhooks()).toHaveLength(3);
    const { output } = await program.operate("up", "--expect-no-changes");
    expect(output).not.toMatch(/interrupted/);
  });

  it("is in doubt for destroy and stack rm where its records are missing, as in a fresh checkout", async () => {
    // With onExisting: "create", the next up would create another one.
    program.wanted = wanted.map(({ args: { onExisting: _, ...args }, ...one }) => ({ ...one, args }));
    await killUp(14);
    const before = await webhooks();
    rmSync(join(program.folder, ".esign"), { recursive: true });
    const run = (...args: string[]) => program.run(...args, "--yes", "--stack", program.stack);
    const destroyed = await run("destroy", "--skip-preview");
    expect(destroyed.code).not.toBe(0);
    expect(destroyed.output).toMatch(/ESIGN1018/);
    expect(destroyed.output).toMatch(/nothing was deleted/);
    expect(await webhooks()).toEqual(before);
    const removed = await run("stack", "rm");
    expect(removed.code).not.toBe(0);
    await program.operate("up");
    await program.operate("destroy");
    expect(await webhooks()).toEqual([]);
    await program.succeed("stack", "rm", program.stack, "--yes");
  });
});
