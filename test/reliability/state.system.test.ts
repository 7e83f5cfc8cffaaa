/** A state that cannot be written or read is refused or kept, with the way out in words. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { main, run } from "../cli/esign";
import { useEmulator } from "../emulator/use-emulator";
import { Program, type Wanted } from "../provider/programs";
import { disagreements, ownedBy } from "./agreement";

const hooks = (count: number): Wanted[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "Webhook",
    name: `hook-${i}`,
    args: { type: "all", url: `https://r.example/${i}` },
  }));

describe("the state", { timeout: 120_000, sequential: true }, () => {
  const service = useEmulator();
  let program: Program;
  let file: string;
  beforeAll(async () => {
    program = new Program("embedded");
    file = join(program.home, "state/.pulumi/stacks/program/dev.json");
    program.wanted = hooks(2);
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    await program.operate("up");
  }, 120_000);
  const environment = (passphrase = "correct-horse") => ({
    PULUMI_HOME: join(program.home, "pulumi-home"),
    PULUMI_BACKEND_URL: `file://${join(program.home, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    WANTED: JSON.stringify(program.wanted),
  });
  /** An `up` in a process of its own, which another command may start. */
  const upAlone = (...starter: string[]) => {
    const up = [main, "up", "--yes", "--skip-preview", "--stack", program.stack, "--engine", "embedded"];
    const [command = "", ...args] = [...starter, process.execPath, ...up];
    const env = { PATH: process.env.PATH, HOME: program.home, ...environment() };
    return spawn(command, args, { cwd: program.folder, env, stdio: ["ignore", "pipe", "pipe"] });
  };
  const up = (...args: string[]) => program.run("up", "--yes", "--skip-preview", "--stack", program.stack, ...args);

  it.each<[string, (text: string) => string, RegExp]>([
    ["truncated", (text) => text.slice(0, text.length / 2), /is not JSON.*\.bak/s],
    [
      "empty",
      () => "",
      /state of dev is empty, but the one before it is there, with \d resources\. .* copy .*\.bak to /s,
    ],
    ["of an unknown version", (text) => text.replace('"version":3', '"version":9'), /version.*Pulumi CLI/s],
    ["edited so that a resource is there twice", twice, /is damaged and was not used.*\.bak/s],
    ["edited so that a parent is missing", orphaned, /is damaged and was not used.*\.bak/s],
    ["edited so that resources have no name", nameless, /is damaged and was not used: resource 0 has no URN.*\.bak/s],
    ["edited so that a list is a text", unlisted, /resources is not a list.*\.bak/s],
    ["edited so that there is nothing in it", emptied, /has no checkpoint|not an object/s],
  ])("that is %s is refused and left as it is", async (_, spoil, words) => {
    const good = readFileSync(file, "utf8");
    const bad = spoil(good);
    expect(bad).not.toBe(good);
    writeFileSync(file, bad);
    service.clearLog();
    const { code, output } = await up();
    const left = readFileSync(file, "utf8");
    writeFileSync(file, good);
    expect(code).not.toBe(0);
    expect(output).toMatch(words);
    expect(output).not.toMatch(/\n\s+at /);
    expect(left).toBe(bad);
    expect(service.requests()).toEqual([]);
  });

  it("that is missing beside the one before it is not taken for none, and that one goes on", async () => {
    const aside = join(program.home, "state-aside.json");
    renameSync(file, aside);
    service.clearLog();
    const wanted = /state of dev is missing, but the one before it is there, with \d resources\. .* copy .*\.bak to /s;
    try {
      expect((await up()).output).toMatch(wanted);
      const { code, stderr } = await run(
        process.execPath,
        [main, "stack", "init", program.stack, "--engine", "embedded"],
        {
          home: program.home,
          cwd: program.folder,
          env: environment(),
        },
      );
      expect([code, stderr]).toEqual([1, expect.stringMatching(wanted)]);
      expect(stderr).toContain("removed on purpose");
      expect(service.requests()).toEqual([]);
      copyFileSync(`${file}.bak`, file);
      expect((await program.operate("refresh")).code).toBe(0);
    } finally {
      renameSync(aside, file);
    }
  });

  it("is not touched with a wrong passphrase, and nothing is asked of the service", async () => {
    const good = readFileSync(file, "utf8");
    const more = program.wanted;
    program.wanted = hooks(5);
    service.clearLog();
    const args = ["up", "--yes", "--skip-preview", "--stack", program.stack, "--engine", "embedded"];
    const { code, stdout, stderr } = await run(process.execPath, [main, ...args], {
      home: program.home,
      cwd: program.folder,
      env: environment("wrong"),
    });
    program.wanted = more;
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/incorrect passphrase: set PULUMI_CONFIG_PASSPHRASE/);
    expect(stdout + stderr).not.toContain("wrong");
    expect(service.requests()).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(good);
  });

  it.each(["locks", "stacks"])("in a folder that cannot be written (%s): nothing is done, in words", async (part) => {
    const good = readFileSync(file, "utf8");
    const more = program.wanted;
    program.wanted = hooks(5);
    const [folder, aside] = [join(program.home, "state/.pulumi", part), join(program.home, "aside")];
    mkdirSync(folder, { recursive: true });
    renameSync(folder, aside);
    // A file in the place of the folder: root, too, cannot write into it.
    writeFileSync(folder, "in the way");
    service.clearLog();
    const { code, output } = await up();
    rmSync(folder);
    renameSync(aside, folder);
    program.wanted = more;
    expect(code).not.toBe(0);
    expect(output).toContain(folder);
    expect(output).toMatch(/ENOTDIR.*\n\s+Something else has this name: move it away, or .*PULUMI_BACKEND_URL/);
    expect(output).not.toMatch(/\n\s+at /);
    expect(service.requests()).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(good);
  });

  it("below a regular file: refused, in words", async () => {
    const { code, stderr } = await run(process.execPath, [main, "stack", "init", "other", "--engine", "embedded"], {
      home: program.home,
      cwd: program.folder,
      env: { PULUMI_BACKEND_URL: `file://${file}/below`, PULUMI_CONFIG_PASSPHRASE: "correct-horse" },
    });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/ENOTDIR.*PULUMI_BACKEND_URL/s);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("stays readable when a write is broken off half way, and the next up goes on", async () => {
    program.wanted = hooks(40);
    // No file may grow above so many blocks: the system ends the engine in the middle of the write.
    const child = upAlone("bash", "-c", 'ulimit -f 12; exec "$@"', "bash");
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    const [code] = await once(child, "close");
    expect(code).not.toBe(0);
    expect(() => JSON.parse(readFileSync(file, "utf8"))).not.toThrow();
    expect(output).toMatch(/the state could not be written.*EFBIG.*run the same command again/s);
    // What the file lacks is said, and nothing is left lying about.
    const lacking = disagreements(service.data(), await ownedBy(program));
    expect(output.match(/hook-\d+ \(id \d+\)/g) ?? []).toHaveLength(lacking.length);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    await program.operate("up");
    expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
  });

  it("is written by one run at a time, which goes on to its end when nobody reads what it says", async () => {
    service.configure({ latency: 2_500 });
    program.wanted = hooks(50);
    service.clearLog();
    const first = upAlone();
    const ended = once(first, "close");
    await vi.waitFor(() => expect(service.requests()).not.toEqual([]), { timeout: 20_000, interval: 20 });
    first.stdout.destroy();
    first.stderr.destroy();
    service.configure({ latency: 300 });
    const second = await up();
    service.configure({ latency: 0 });
    expect(second.code).not.toBe(0);
    expect(second.output).toMatch(/is locked/);
    expect((await ended)[0]).toBe(0);
    expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
  });

  it("is complete when the terminal is closed: the run ends in order", async () => {
    program.wanted = hooks(80);
    service.configure({ latency: 100 });
    const child = upAlone();
    const ended = once(child, "close");
    await new Promise<void>((begun) => {
      child.stdout.on("data", (text) => {
        if (String(text).includes("created")) begun();
      });
    });
    // A shell and the system may each send one.
    child.kill("SIGHUP");
    child.kill("SIGHUP");
    const [code] = await ended;
    service.configure({ latency: 0 });
    expect(code).toBe(8);
    expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
    program.wanted = [];
    await program.operate("up");
  });

  it("takes a part that is null for one that is absent", async () => {
    const state = JSON.parse(readFileSync(file, "utf8"));
    state.checkpoint.latest.manifest = null;
    writeFileSync(file, JSON.stringify(state));
    await program.operate("up", "--expect-no-changes");
  });

  it("goes back to its backup by a copy", async () => {
    writeFileSync(file, "{");
    expect((await program.run("up", "--yes", "--stack", program.stack)).code).not.toBe(0);
    copyFileSync(`${file}.bak`, file);
    await program.operate("up");
    expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
  });
});

function twice(text: string): string {
  const state = JSON.parse(text);
  const { resources } = state.checkpoint.latest;
  resources.push(resources.at(-1));
  return JSON.stringify(state);
}

/** The stack, which is everybody's parent, is gone. */
function orphaned(text: string): string {
  const state = JSON.parse(text);
  state.checkpoint.latest.resources.shift();
  return JSON.stringify(state);
}

function unlisted(text: string): string {
  const state = JSON.parse(text);
  state.checkpoint.latest.resources = "none";
  return JSON.stringify(state);
}

/** Taken for a new stack, it would have everything made once more. */
function emptied(text: string): string {
  return JSON.stringify({ ...JSON.parse(text), checkpoint: null });
}

/** Nobody can tell which resource is which. */
function nameless(text: string): string {
  const state = JSON.parse(text);
  for (const resource of state.checkpoint.latest.resources) delete resource.urn;
  return JSON.stringify(state);
}
