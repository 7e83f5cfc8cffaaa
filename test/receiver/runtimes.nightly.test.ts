/** The built receiver in other runtimes and frameworks, installed as users install it. What npm has of them comes when the test runs. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { askWithNode } from "../emulator/ask";
import { temporaryFolder } from "../files";
import { minimal } from "../fixtures/notifications";
import { npmInstall } from "../npm-install";
import { frameworks } from "./frameworks";
import { form, signed } from "./requests";
import type { Runtime } from "./runtime-server";
import { runtimes } from "./runtimes";

const root = resolve(__dirname, "../..");
const exec = promisify(execFile);
let child: ChildProcess | undefined;
// With the processes that it has started.
afterEach(() => {
  if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  child = undefined;
});

/** A folder with the server's files, its packages and this one. */
async function prepare({ packages, files }: Runtime): Promise<string> {
  const folder = temporaryFolder(files);
  await npmInstall(folder, ...packages);
  const own = join(folder, "node_modules/pulumi-esign");
  cpSync(join(root, "package.json"), join(own, "package.json"));
  for (const part of ["receiver", "chunks"])
    cpSync(join(root, "dist", part), join(own, "dist", part), { recursive: true });
  return folder;
}

/** Runs the commands; resolves with the URL of the last one's server, and what it has printed so far. */
async function start(runtime: Runtime) {
  const folder = await prepare(runtime);
  const env = {
    ...process.env,
    ...{ NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1" },
    NODE_ENV: "production",
  };
  const commands = runtime.commands.map(([program, ...args]) => [resolve(folder, "node_modules", program!), ...args]);
  for (const [program, ...args] of commands.slice(0, -1)) await exec(program!, args, { cwd: folder, env });
  const [program, ...args] = commands.at(-1)!;
  const server = spawn(program!, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  child = server;
  let printed = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (data) => (printed += data));
  const port = await new Promise((found, reject) => {
    server.stdout.on("data", () => {
      const [, number] = /(?:port |127\.0\.0\.1:)(\d+)/.exec(printed) ?? [];
      if (number !== undefined) found(number);
    });
    server.once("close", () => reject(new Error(printed)));
  });
  return { url: `http://127.0.0.1:${port}${runtime.path ?? "/esign"}`, printed: () => printed };
}

const post = (url: string) => (body: string, headers: Record<string, string>) =>
  askWithNode(url, { method: "POST", headers, agent: false }, body);
const json = JSON.stringify(minimal["add-user"]);

const large = `${form}&pad=`.padEnd(900_000, "x");

const all = [...runtimes, ...frameworks];
describe.each(all)("$name $version", (runtime) => {
  test("a check of the URL, notifications in both forms, and what is not accepted", async () => {
    const { url, printed } = await start(runtime);
    const send = post(url);
    expect(await askWithNode(url, { method: "HEAD", agent: false })).toMatchObject({ status: 200, body: "" });
    expect(await send(form, signed(form))).toMatchObject({ status: 200, body: "OK" });
    expect(await send(json, signed(json, "application/json"))).toMatchObject({ status: 200, body: "OK" });
    // Parsers and platforms have limits of their own, below that of the receiver.
    expect(await send(large, signed(large))).toMatchObject({ status: 200, body: "OK" });
    expect(await send(`${form}&a=b`, signed(form))).toMatchObject({ status: 401, body: "Unauthorized" });
    await expect
      .poll(() =>
        printed()
          .match(/handled [\w-]+|error [\w-]+/g)
          ?.sort(),
      )
      .toEqual(["error signature-wrong", "handled add-user", ...Array(2).fill("handled signed-envelope")]);
    expect(printed()).not.toMatch(/warn|deprecat/i);
  });
});

describe.each(all.filter(({ defaults }) => defaults !== undefined))("$name $version", ({ defaults, ...runtime }) => {
  test("what acts before the receiver by default", async () => {
    const { files, ...answers } = defaults!;
    const { url, printed } = await start({ ...runtime, files });
    const replies = [
      await post(url)(form, signed(form)),
      await post(url)(json, signed(json, "application/json")),
    ] as const;
    expect(replies.map(({ status }) => status)).toEqual([answers.form, answers.json]);
    await expect.poll(() => [printed(), ...replies.map(({ body }) => body)].join("\n")).toMatch(answers.says);
  });
});
