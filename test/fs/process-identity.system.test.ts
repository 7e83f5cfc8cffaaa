import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { hasEnded } from "../../fs/process-identity";

it.skipIf(process.platform !== "linux")("has ended although its parent has not taken notice", async () => {
  // The shell becomes `sleep`, which never asks after the child that it inherits.
  const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [output] = await once(parent.stdout, "data");
    const pid = Number(output);
    expect(hasEnded({ pid })).toBe(false);
    for (let tries = 0; tries < 100 && !hasEnded({ pid }); tries++) await sleep(50);
    expect(hasEnded({ pid })).toBe(true);
    expect(process.kill(pid, 0), "its number is still in use").toBe(true);
  } finally {
    parent.kill("SIGKILL");
  }
});
