/** The processes that the engine starts, as its own process sees them: what they start in turn, and what holds them up. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { startNode } from "../../engine/plugin/node-process";

const compiled = JSON.stringify(path.join(__dirname, "../../dist/engine/plugin/node-process.js"));
const forever = "setInterval(() => {}, 1000)";
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // One that has ended, and whose parent has not heard of it, is no process any more.
    return !/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

// Groups of processes are not for Windows, and /proc is Linux's.
const onLinux = test.runIf(process.platform === "linux");

onLinux("what a program waits for ends with it", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "children-"));
  const file = path.join(folder, "pid");
  const inner = `require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); ${forever}`;
  const child = startNode({
    isTested: true,
    arguments: ["-e", `require("child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(inner)}])`],
    cwd: folder,
    env: process.env,
    onLine: () => undefined,
  });
  const pid = await vi.waitUntil(() => fs.existsSync(file) && Number(fs.readFileSync(file, "utf8")), {
    timeout: 20_000,
  });
  child.kill();
  expect(await child.ended).toEqual({ code: null, signal: "SIGKILL" });
  try {
    await vi.waitUntil(() => !isAlive(pid), { timeout: 5000 });
  } finally {
    if (isAlive(pid)) process.kill(pid);
  }
  fs.rmSync(folder, { recursive: true });
});

/** Runs a text in a process like the engine's, with `start`, which starts a text in a process like a program's. */
const engine = (text: string) =>
  spawnSync(
    process.execPath,
    [
      "-e",
      `const { startNode } = require(${compiled});
      const start = (text, onLine = () => {}) =>
        startNode({ isTested: true, arguments: ["-e", text], cwd: ${JSON.stringify(__dirname)}, env: process.env, onLine });
      ${text}`,
    ],
    { encoding: "utf8", timeout: 25_000 },
  );

onLinux("a program that computes without end ends when the engine does, however it leaves", async () => {
  const { stdout } = engine(
    `start("console.log(process.pid); for (;;);", (line) => { console.log(line); process.exit(8); });`,
  );
  expect(Number(stdout)).toBeGreaterThan(0);
  try {
    await vi.waitUntil(() => !isAlive(Number(stdout)), { timeout: 5000 });
  } finally {
    if (isAlive(Number(stdout))) process.kill(Number(stdout), "SIGKILL");
  }
});

onLinux("what a program leaves behind does not keep the engine", () => {
  const background = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(forever)}], { stdio: "inherit", detached: true })`;
  const { stdout, signal } = engine(
    `start(${JSON.stringify(`const c = ${background}; console.log(c.pid); c.unref();`)}, (line) => console.log(line))
      .ended.then(({ code }) => console.log(code));`,
  );
  const [pid, code] = stdout.split("\n").map(Number) as [number, number];
  try {
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(isAlive(pid)).toBe(true);
  } finally {
    process.kill(pid);
  }
});
