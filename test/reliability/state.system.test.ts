/** A state that cannot be written or read is refused or kept, and a message says what to do. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { Program } from "../provider/programs";
import { disagreements, ownedBy } from "./agreement";
import { webhooks } from "./wanted";

interface State {
  checkpoint: { latest: { manifest: object | null; resources: unknown[] } };
}
const edited = (edit: (latest: State["checkpoint"]["latest"]) => unknown) => (text: string) => {
  const state: State = JSON.parse(text);
  edit(state.checkpoint.latest);
  return JSON.stringify(state);
};

describe("the state", { sequential: true }, () => {
  const service = useEmulator();
  let program: Program;
  let file: string;
  beforeAll(async () => {
    // The state is the engine's matter: no process runs a program in YAML.
    program = new Program("embedded", undefined, "yaml");
    file = join(program.home, "state/.pulumi/stacks/program/dev.json");
    program.wanted = webhooks(2);
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    await program.operate("up");
  });
  const expectAgreement = async () => expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
  /** With other settings or another program. */
  const having = async (more: Partial<Pick<Program, "launch" | "wanted">>, ...args: string[]) => {
    const { launch, wanted } = program;
    Object.assign(program, more);
    try {
      return await program.run(...args);
    } finally {
      Object.assign(program, { launch, wanted });
    }
  };
  const up = (more: Parameters<typeof having>[0] = {}) =>
    having(more, "up", "--yes", "--skip-preview", "--stack", program.stack);
  /** An `up` in a process of its own, which another command may start. */
  const upAlone = (launch: Program["launch"] = {}) => {
    program.launch = launch;
    const run = program.start("up", "--yes", "--skip-preview", "--stack", program.stack);
    program.launch = {};
    return run;
  };
  /** It is refused with a message, the state stays, and nothing is asked of the service. */
  async function expectRefusal(run: () => ReturnType<typeof up>, words: RegExp, of = file): Promise<string> {
    const before = readFileSync(of, "utf8");
    service.clearLog();
    const { code, output } = await run();
    expect(code).not.toBe(0);
    expect(output).toMatch(words);
    expect(output).not.toMatch(/\n\s+at /);
    expect(service.requests()).toEqual([]);
    expect(readFileSync(of, "utf8")).toBe(before);
    return output;
  }

  const damaged = "is damaged and was not used";
  it.each<[string, (text: string) => string, RegExp | string]>([
    ["truncated", (text) => text.slice(0, text.length / 2), /is not JSON.*\.bak/s],
    ["empty", () => "", /is empty, but the one before it is there, with \d resources\. .* copy .*\.bak to /s],
    ["of an unknown version", (text) => text.replace('"version":3', '"version":9'), /version.*Pulumi CLI/s],
    ["of a resource twice", edited(({ resources }) => resources.push(resources.at(-1))), `${damaged}.*\\.bak`],
    ["without everybody's parent", edited(({ resources }) => resources.shift()), `${damaged}.*\\.bak`],
    [
      "of resources without a name",
      edited(({ resources }) => resources.map((one) => Object.assign(one as object, { urn: undefined }))),
      `${damaged}: resource 0 has no URN.*\\.bak`,
    ],
    ["with a text for a list", edited((latest) => Object.assign(latest, { resources: "" })), /is not a list.*\.bak/s],
    // Taken for a new stack, it would have everything made once more.
    ["without a checkpoint", () => '{ "version": 3, "checkpoint": null }', /has no checkpoint|not an object/s],
  ])("that is %s is refused and unchanged", async (_, spoil, words) => {
    const good = readFileSync(file, "utf8");
    const bad = spoil(good);
    expect(bad).not.toBe(good);
    writeFileSync(file, bad);
    await expectRefusal(up, new RegExp(words, "s")).finally(() => writeFileSync(file, good));
  });

  it("that is missing beside the one before it is not taken for none, and that one goes on", async () => {
    const aside = join(program.home, "state-aside.json");
    renameSync(file, aside);
    const words = /state of dev is missing, but the one before it is there, with \d resources\. .* copy .*\.bak to /s;
    try {
      await expectRefusal(up, words, aside);
      const init = () => program.run("stack", "init", program.stack);
      expect(await expectRefusal(init, words, aside)).toContain("removed on purpose");
      copyFileSync(`${file}.bak`, file);
      expect((await program.operate("refresh")).code).toBe(0);
    } finally {
      renameSync(aside, file);
    }
  });

  it("is not touched with a wrong passphrase", async () => {
    const launch = { environment: { PULUMI_CONFIG_PASSPHRASE: "mistaken" } };
    const run = () => up({ launch, wanted: webhooks(5) });
    const output = await expectRefusal(run, /incorrect passphrase: set PULUMI_CONFIG_PASSPHRASE/);
    expect(output).not.toContain("mistaken");
  });

  it.each(["locks", "stacks"])(
    "in a folder that cannot be written (%s): nothing is done, with a message",
    async (part) => {
      const [folder, aside] = [join(program.home, "state/.pulumi", part), join(program.home, "aside")];
      mkdirSync(folder, { recursive: true });
      renameSync(folder, aside);
      // A file in the place of the folder: root, too, cannot write into it.
      writeFileSync(folder, "in the way");
      const words = /ENOTDIR.*\n\s+Something else has this name: move it away, or .*PULUMI_BACKEND_URL/;
      const run = () => up({ wanted: webhooks(5) });
      const output = await expectRefusal(run, words, file.replace(folder, aside));
      expect(output).toContain(folder);
      rmSync(folder);
      renameSync(aside, folder);
    },
  );

  it("below a regular file: refused, with a message", async () => {
    const launch = { environment: { PULUMI_BACKEND_URL: `file://${file}/below` } };
    await expectRefusal(() => having({ launch }, "stack", "init", "other"), /ENOTDIR.*PULUMI_BACKEND_URL/s);
  });

  it("stays readable when a write is broken off half way, and the next up goes on", async () => {
    program.wanted = webhooks(40);
    // No file may grow above so many blocks: the system ends the engine in the middle of the write.
    const limited = ["-c", 'ulimit -f 12; exec "$@"', "bash", process.execPath];
    const { code, output } = await upAlone({ executable: "bash", node: limited }).outcome;
    expect(code).not.toBe(0);
    expect(() => JSON.parse(readFileSync(file, "utf8"))).not.toThrow();
    expect(output).toMatch(/the state could not be written.*EFBIG.*run the same command again/s);
    // What the file lacks is said, and nothing is left lying about.
    const lacking = disagreements(service.data(), await ownedBy(program));
    expect(output.match(/hook-\d+ \(id \d+\)/g) ?? []).toHaveLength(lacking.length);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    await program.operate("up");
    await expectAgreement();
  });

  it("is written by one run at a time, which goes on to its end when its output is not read", async () => {
    // Eight at once, so it takes half a minute, until the second has ended.
    service.configure({ latency: 5_000 });
    program.wanted = webhooks(50);
    service.clearLog();
    const { child, outcome } = upAlone();
    await vi.waitFor(() => expect(service.requests()).not.toEqual([]), { timeout: 60_000, interval: 20 });
    child.stdout!.destroy();
    child.stderr!.destroy();
    const second = await up();
    service.configure({ latency: 0 });
    expect(second.code).not.toBe(0);
    expect(second.output).toMatch(/is locked/);
    expect((await outcome).code).toBe(0);
    await expectAgreement();
  });

  it("is complete when the terminal is closed: the run ends in order", async () => {
    program.wanted = webhooks(80);
    service.configure({ latency: 100 });
    const { child, outcome } = upAlone();
    await new Promise<void>((begun) => {
      child.stdout!.on("data", (text: string) => {
        if (text.includes("created")) begun();
      });
    });
    // A shell and the system may each send one.
    child.kill("SIGHUP");
    child.kill("SIGHUP");
    expect((await outcome).code).toBe(8);
    service.configure({ latency: 0 });
    await expectAgreement();
    program.wanted = [];
    await program.operate("up");
  });

  it("takes a part that is null for one that is absent", async () => {
    writeFileSync(file, edited((latest) => Object.assign(latest, { manifest: null }))(readFileSync(file, "utf8")));
    await program.operate("up", "--expect-no-changes");
  });
});
