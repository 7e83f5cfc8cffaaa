/** A state that cannot be written or read is refused or kept, with the way out in words. */
import { spawn } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, start } from "../../emulator";
import { main, root, run, temporaryFolder } from "../cli/esign";
import { Program, type Wanted } from "../provider/programs";
import { disagreements, ownedBy } from "./agreement";

const hooks = (count: number): Wanted[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "Webhook",
    name: `hook-${i}`,
    args: { type: "all", url: `https://r.example/${i}` },
  }));

it("a file that does not fit on the disk any more stays the old one", async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "state.json");
  writeFileSync(file, "old");
  const script = `
    process.on("SIGXFSZ", () => {});
    require(${JSON.stringify(join(root, "dist/engine/files.js"))})
      .writeDurably(${JSON.stringify(file)}, "x".repeat(100_000))
      .then(() => console.log("written"), (error) => console.log(error.code));`;
  const limit = ["-c", 'ulimit -f 20; exec "$@"', "bash", process.execPath, "-e", script];
  expect((await run("bash", limit, { home: folder.path })).stdout).toBe("EFBIG\n");
  expect(readdirSync(folder.path)).toEqual(["state.json"]);
  expect(readFileSync(file, "utf8")).toBe("old");
  folder.remove();
});

describe("the state", { timeout: 120_000, sequential: true }, () => {
  let service: Service;
  let program: Program;
  let file: string;
  beforeAll(async () => {
    service = await start();
    program = new Program("embedded");
    file = join(program.home, "state/.pulumi/stacks/program/dev.json");
    program.wanted = hooks(2);
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    await program.operate("up");
  }, 120_000);
  afterAll(async () => {
    program.end();
    await service.close();
  });
  const up = (...args: string[]) => program.run("up", "--yes", "--skip-preview", "--stack", program.stack, ...args);

  it.each<[string, (text: string) => string, RegExp]>([
    ["truncated", (text) => text.slice(0, text.length / 2), /is not JSON.*\.bak/s],
    ["empty", () => "", /is not JSON.*\.bak/s],
    ["of an unknown version", (text) => text.replace('"version":3', '"version":9'), /version.*Pulumi CLI/s],
    ["edited so that a resource is there twice", twice, /is damaged and was not used.*\.bak/s],
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

  it("stays readable when a write is broken off half way, and the next up goes on", async () => {
    program.wanted = hooks(40);
    const limited = await new Promise<{ code: number | null; output: string }>((done) => {
      // No file may grow above so many blocks: the system ends the engine in the middle of the write.
      const command = 'ulimit -f 12; exec "$@"';
      const args = [main, "up", "--yes", "--skip-preview", "--stack", program.stack, "--engine", "embedded"];
      const child = spawn("bash", ["-c", command, "bash", process.execPath, ...args], {
        cwd: program.folder,
        env: {
          PATH: process.env.PATH,
          HOME: program.home,
          PULUMI_HOME: join(program.home, "pulumi-home"),
          PULUMI_BACKEND_URL: `file://${join(program.home, "state")}`,
          PULUMI_CONFIG_PASSPHRASE: "correct-horse",
          WANTED: JSON.stringify(program.wanted),
        },
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
      child.once("close", (code) => done({ code, output }));
    });
    expect(limited.code).not.toBe(0);
    expect(() => JSON.parse(readFileSync(file, "utf8"))).not.toThrow();
    await program.operate("up");
    expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
  });

  it("is written by one run at a time", async () => {
    service.configure({ latency: 150 });
    program.wanted = hooks(45);
    const both = await Promise.all([up(), up()]);
    service.configure({ latency: 0 });
    // Two that come at the very same moment both step back.
    const refused = both.filter(({ code }) => code !== 0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { output } of refused) expect(output).toMatch(/is locked/);
    await program.operate("up");
    expect(disagreements(service.data(), await ownedBy(program))).toEqual([]);
  });

  it("goes back to its backup by a copy", async () => {
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
