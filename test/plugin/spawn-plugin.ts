/** The built plugin as engines start it: a process that prints its port. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../files";

/** Starts it with the address of an engine. Resolves when it has printed its port. It ends with the test, or as `atEnd` says. */
export async function spawnPlugin(
  file: string,
  engine: string,
  cwd = temporaryFolder(),
  atEnd: (end: () => void) => void = onTestFinished,
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [file, engine], { cwd, stdio: "pipe" });
  atEnd(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { child, port: Number(String(line)) };
}
