/** What a run needs is started ahead: the process of providers. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { EngineEvent, OpenOptions } from "../../engine";
import { initStack, project, RESOURCES, up } from "../../engine/test/scratch";
import { openProject } from "../../engine/test/warm-processes";

const made = project({ "index.js": "" });
const { dir, env, write } = made;
const starts = join(dir, "starts");
const pids = () => (existsSync(starts) ? readFileSync(starts, "utf8").trim().split("\n").map(Number) : []);
const begun = () => vi.waitUntil(() => pids().length > 0, { timeout: 60_000 });

/** The processes of providers are noted from now on. @param addition to what such a process does before it loads the SDK's host */
function noteStarts(addition = ""): void {
  rmSync(starts, { force: true });
  write(
    `if (/dynamic-provider/.test(process.argv[1])) {
      const fs = require("fs");
      fs.appendFileSync(${JSON.stringify(starts)}, process.pid + "\\n");
      ${addition}
    }`,
    "note.js",
  );
}
const noted = { ...env, NODE_OPTIONS: `--require ${join(dir, "note.js")}` };

/** The stack, in an environment of its own. */
const open = async (options: Partial<OpenOptions> = {}) =>
  (await openProject({ dir, env: noted, ...options })).openStack("dev");

beforeAll(async () => {
  await initStack(made);
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a process that the run has not needed prints nothing after its end", async () => {
  noteStarts(
    `const at = (name) => require("path").join(__dirname, name);
     setInterval(() => {
       if (!fs.existsSync(at("ended")) || fs.existsSync(at("printed"))) return;
       fs.writeSync(1, "late\\n");
       fs.writeFileSync(at("printed"), "");
     }, 1);`,
  );
  const stack = await open();
  await stack.prepare("update", {});
  await begun();
  const types: string[] = [];
  const onEvent = ({ type }: EngineEvent) => {
    types.push(type);
    if (type !== "end") return;
    writeFileSync(join(dir, "ended"), "");
    while (pids().some(isAlive) && !existsSync(join(dir, "printed")));
  };
  await stack.run("update", { onEvent });
  expect(types.at(-1)).toBe("end");
  write(`${RESOURCES} new Thing("a", { value: "v", secretText: pulumi.secret("s") });`);
});

const printsSecret = `fs.writeSync(1, "loaded with hunter2secret\\n");`;

test("a run is served by the process that was prepared; what it printed while it loaded is shown when the run has begun, without secrets", async () => {
  noteStarts(printsSecret);
  const stack = await open();
  await stack.config.set("password", "hunter2secret", { secret: true });
  await stack.prepare("update", {});
  await begun();
  const { result, events, said } = await up(stack);
  expect([result.ok, pids().length]).toEqual([true, 1]);
  expect(events[0]).toMatchObject({ type: "start" });
  expect(said).toMatch(/^loaded with \[secret\]$/m);
});

test("in another environment it is not used, and ends with the stack", async () => {
  noteStarts();
  const stack = await open();
  await stack.prepare("update", { env: { WHICH: "another" } });
  await begun();
  expect((await stack.run("update")).ok).toBe(true);
  expect(pids()).toHaveLength(2);
  await stack.close();
  expect(pids().filter(isAlive)).toEqual([]);
});

test("with a wrong passphrase nothing that was started is left, and nothing of it is shown", async () => {
  noteStarts(printsSecret);
  const stack = await open({ env: { ...noted, PULUMI_CONFIG_PASSPHRASE: "wrong" } });
  await stack.prepare("update", {});
  await begun();
  const events: EngineEvent[] = [];
  await expect(stack.run("update", { onEvent: (e) => events.push(e) })).rejects.toThrow("incorrect passphrase");
  expect(events).toEqual([]);
  expect(pids().filter(isAlive)).toEqual([]);
});

test("nothing is asked for that only the run may need", async () => {
  const passphrase = vi.fn(async () => env.PULUMI_CONFIG_PASSPHRASE);
  const stack = await open({ env: { ...env, PULUMI_CONFIG_PASSPHRASE: undefined }, passphrase });
  await stack.prepare("update", {});
  await stack.close();
  expect(passphrase).not.toHaveBeenCalled();
  expect((await stack.run("update")).ok).toBe(true);
  expect(passphrase).toHaveBeenCalledOnce();
});

test("a passphrase that is stored is found once, for what is prepared and for the run", async () => {
  const storedPassphrase = vi.fn(async () => env.PULUMI_CONFIG_PASSPHRASE);
  const stack = await open({ env: { ...env, PULUMI_CONFIG_PASSPHRASE: "another" }, storedPassphrase });
  await stack.prepare("update", {});
  expect(storedPassphrase).toHaveBeenCalledOnce();
  expect((await stack.run("update")).ok).toBe(true);
  expect(storedPassphrase).toHaveBeenCalledOnce();
});
