/** The processes that the engine starts: their own children, and what delays their end. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/files";
import { startNode } from "../plugin/node-process";

const compiled = JSON.stringify(path.join(__dirname, "../../dist/.modules/engine/plugin/node-process.js"));
const forever = "setInterval(() => {}, 1000)";

/** Also false for a zombie, a process that has ended and whose parent has not waited for it. */
const isAlive = (pid: number): boolean =>
  /^[^Z]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout);

// Windows has no process groups, and only Linux has /proc.
const onLinux = test.runIf(process.platform === "linux");

onLinux("what a program waits for ends with it", async () => {
  const folder = temporaryFolder();
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
    timeout: 60_000,
  });
  child.kill();
  expect(await child.ended).toEqual({ code: null, signal: "SIGKILL" });
  try {
    await vi.waitUntil(() => !isAlive(pid), { timeout: 30_000 });
  } finally {
    if (isAlive(pid)) process.kill(pid);
  }
});

/** Runs a script in a process like the engine's. Its function `start` runs a script in a process like a program's. */
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
    { encoding: "utf8", timeout: 120_000 },
  );

onLinux.each([
  ["computes", "for (;;);", "process.exit(8)"],
  ["waits", forever, "process.kill(process.pid, 9)"],
])("a program that %s without end ends when the engine does, however it leaves", async (_, endless, leave) => {
  const { stdout } = engine(
    `start(${JSON.stringify(`console.log(process.pid); ${endless}`)}, (line) => { console.log(line); ${leave}; });`,
  );
  expect(Number(stdout)).toBeGreaterThan(0);
  try {
    await vi.waitUntil(() => !isAlive(Number(stdout)), { timeout: 30_000 });
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

onLinux("what a program forks gets its messages, and is not taken for one of the engine's", async () => {
  const folder = temporaryFolder({
    "forked.js": `process.once("message", (m) => process.send([m, process.env.ENGINE_PIPE ?? "none"].join()));
      process.once("disconnect", () => process.exit());`,
  });
  const lines: string[] = [];
  const child = startNode({
    isTested: true,
    arguments: [
      "-e",
      `const forked = require("child_process").fork("./forked.js");
       forked.send("hello");
       forked.once("message", (m) => { console.log(m); forked.disconnect(); });
       forked.once("exit", (...how) => console.log(how.join()));`,
    ],
    cwd: folder,
    env: process.env,
    onLine: (line) => lines.push(line),
  });
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(lines).toEqual(["hello,none", "0,"]);
});
