import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { expect, it, vi } from "vitest";
import { currentProcess, hasEnded } from "../../fs/process-identity";
import { root } from "../cli/esign";

it.skipIf(process.platform !== "linux")("has ended although its parent has not taken notice", async () => {
  // The shell becomes `sleep`, which never asks after the child that it inherits. That ends when this test ends it.
  const parent = spawn("sh", ["-c", "cat <&3 >/dev/null & echo $!; exec sleep 600"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  try {
    const [output] = await once(parent.stdout!, "data");
    const pid = Number(output);
    expect(hasEnded({ pid })).toBe(false);
    // As long as it is a shell, it takes notice.
    const isSleep = () => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim() === "sleep";
    await vi.waitUntil(isSleep, { timeout: 30_000 });
    (parent.stdio[3] as Writable).end();
    await vi.waitUntil(() => hasEnded({ pid }), { timeout: 30_000 });
    expect(process.kill(pid, 0), "its number is still in use").toBe(true);
  } finally {
    parent.kill("SIGKILL");
  }
});

/** Whether `unshare` may make a PID namespace here. */
const canUnshare =
  process.platform === "linux" && spawnSync("unshare", ["-Urpf", "true"], { stdio: "ignore" }).status === 0;

it.runIf(canUnshare)(
  "cannot be determined of another PID namespace, whichever of the two has the other's /proc",
  async () => {
    const script = `const { currentProcess, hasEnded } = require(${JSON.stringify(join(root, "dist/.modules/fs/process-identity.js"))});
    console.log(JSON.stringify([currentProcess(), hasEnded(JSON.parse(process.argv[1]))]));
    setTimeout(() => {}, 60_000);`;
    // The number of this process means nothing, or another process, in there.
    const inside = spawn("unshare", ["-Urpf", process.execPath, "-e", script, JSON.stringify(currentProcess())], {
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    try {
      const [output] = await once(inside.stdout, "data");
      const [holder, outerHasEnded] = JSON.parse(String(output));
      expect(holder.life.namespace).not.toBe(currentProcess().life?.namespace);
      expect([outerHasEnded, hasEnded(holder)]).toEqual([null, undefined]);
    } finally {
      process.kill(-inside.pid!, "SIGKILL");
    }
  },
);
