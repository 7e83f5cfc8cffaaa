/** Runs `esign` within the test's own process, with nothing of this machine's settings: for hundreds of runs. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { root } from "./esign";

// As it is built: its modules load one another by their names.
const { run } = createRequire(__filename)(join(root, "dist/cli/run.js")) as typeof import("../../cli/run");

/** What the program prints is collected, and the environment is put back in the end. */
export function inProcess(home: string): (...args: string[]) => Promise<{ code: number; output: string }> {
  let printed = "";
  const env = { ...process.env };
  const directory = process.cwd();
  const spies: { mockRestore(): void }[] = [];
  beforeAll(() => {
    for (const name of Object.keys(process.env)) if (/^(ESIGN_|PULUMI_)/.test(name)) delete process.env[name];
    process.env.PULUMI_CONFIG_PASSPHRASE = "correct-horse";
    process.env.PULUMI_BACKEND_URL = `file://${home}`;
    for (const stream of [process.stdout, process.stderr])
      spies.push(
        vi.spyOn(stream, "write").mockImplementation((chunk) => {
          printed += String(chunk);
          return true;
        }),
      );
  });
  afterAll(() => {
    for (const spy of spies) spy.mockRestore();
    process.env = env;
    process.chdir(directory);
  });
  return async (...args) => {
    printed = "";
    const code = await run(args);
    return { code, output: printed };
  };
}

export function save(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    (readdirSync(folder, { recursive: true }) as string[])
      .filter((path) => statSync(join(folder, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
}
