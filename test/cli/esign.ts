/** Runs the built `esign` as a process of its own, with nothing of this machine's settings. */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join, resolve } from "node:path";

export const root = resolve(__dirname, "../..");
export const main = join(root, "dist/cli/main.js");
/** Options of Node for commands that deploy: see there. */
export const withSharedKeys = ["--require", join(root, "test/shared-keys.cjs")];
/** The same in NODE_OPTIONS, for commands that a test does not start itself. */
export const sharedKeys = `--require ${JSON.stringify(withSharedKeys[1])}`;

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Standard input; none by default. */
  input?: string;
  /** Milliseconds before it comes (0). */
  inputAfter?: number;
  /** Options of Node itself. */
  node?: string[];
}

/** The environment without accounts, settings of the engine, a Pulumi CLI, or wishes about colours. */
export function bareEnv(home: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^(ESIGN_|PULUMI_|npm_|NO_COLOR|FORCE_COLOR|CI$|NODE_OPTIONS|VITEST|NODE_ENV)/.test(name)) env[name] = value;
  }
  env.HOME = home;
  env.PULUMI_HOME = join(home, ".pulumi");
  env.PATH = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && !existsSync(join(folder, "pulumi")))
    .join(delimiter);
  return env;
}

/** What the installation does, without a registry: a folder finds the package, Pulumi's SDK, and what else it names. */
export function linkPackages(folder: string, ...others: string[]): void {
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/pulumi-esign"));
  for (const name of ["@pulumi/pulumi", ...others])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
}

/** Of programs in JavaScript: for any other the SDK loads the compiler, which takes a fifth of what a small deployment takes. */
export const javaScript = "runtime: { name: nodejs, options: { typescript: false } }";

/** The same folder as the project `shop`, whose program is `index.js` and whose states are there, too. */
export function beginShop(home: string, ...others: string[]): void {
  linkPackages(home, ...others);
  writeFileSync(join(home, "package.json"), '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*" } }');
  writeFileSync(join(home, "Pulumi.yaml"), `name: shop\n${javaScript}\nbackend:\n  url: file://${home}\n`);
}

export function run(command: string, args: string[], options: RunOptions & { home: string }): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? options.home,
      env: { ...bareEnv(options.home), ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => undefined);
    setTimeout(() => child.stdin.end(options.input ?? ""), options.inputAfter ?? 0);
    child.once("error", fail);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
}

export const esignProcess = (args: string[], options: RunOptions & { home: string }): Promise<Outcome> =>
  run(process.execPath, [...withSharedKeys, ...(options.node ?? []), main, ...args], options);

/** A port that is free, and stays so: systems give none below 32768 to those who ask for any, as other tests do meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
