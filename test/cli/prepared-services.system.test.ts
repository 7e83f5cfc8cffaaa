/** What a run needs is started ahead: the process of providers. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type EngineEvent, type OpenOptions, openProject } from "../../engine";
import { initStack, project, RESOURCES } from "../../engine/test/scratch";

/** @param addition to what a provider's process does before it loads the SDK's host */
async function begin(addition = "") {
  const made = project({
    "index.js": `${RESOURCES} new Thing("a", { value: "v", secretText: pulumi.secret("s") });`,
    "note.js": `if (/dynamic-provider/.test(process.argv[1])) {
      const fs = require("fs");
      fs.appendFileSync(require("path").join(__dirname, "starts"), process.pid + "\\n");
      ${addition}
    }`,
  });
  made.env.NODE_OPTIONS = `--require ${join(made.dir, "note.js")}`;
  const starts = join(made.dir, "starts");
  const stack = await initStack(made);
  const pids = () => (existsSync(starts) ? readFileSync(starts, "utf8").trim().split("\n").map(Number) : []);
  const begun = (count = 1) => vi.waitUntil(() => pids().length >= count, { timeout: 60_000 });
  return { ...stack, pids, begun };
}

/** The same stack in another environment. */
async function reopen({ dir, env }: { dir: string; env: NodeJS.ProcessEnv }, options: Partial<OpenOptions>) {
  return (await openProject({ dir, env, ...options })).openStack("dev");
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a run is served by the process that was prepared", async () => {
  const { stack, up, pids, begun } = await begin();
  await stack.prepare("update", {});
  await begun();
  expect((await up()).result.ok).toBe(true);
  expect(pids()).toHaveLength(1);
  await stack.close();
});

test("in another environment it is not used, and ends with the stack", async () => {
  const { stack, up, pids, begun } = await begin();
  await stack.prepare("update", { env: { WHICH: "another" } });
  await begun();
  expect((await up()).result.ok).toBe(true);
  expect(pids()).toHaveLength(2);
  await stack.close();
  expect(pids().filter(isAlive)).toEqual([]);
});

const printsSecret = `fs.writeSync(1, "loaded with hunter2secret\\n");`;

test("with a wrong passphrase nothing that was started is left, and nothing of it is shown", async () => {
  const { up, pids, begun, ...made } = await begin(printsSecret);
  await up();
  const stack = await reopen(made, { env: { ...made.env, PULUMI_CONFIG_PASSPHRASE: "wrong" } });
  await stack.prepare("update", {});
  await begun(2);
  const events: EngineEvent[] = [];
  await expect(stack.run("update", { onEvent: (e) => events.push(e) })).rejects.toThrow("incorrect passphrase");
  expect(events).toEqual([]);
  expect(pids().filter(isAlive)).toEqual([]);
});

test("what a provider prints while it loads is shown when the run has begun, without secrets", async () => {
  const { stack, up, begun } = await begin(printsSecret);
  await stack.config.set("password", "hunter2secret", { secret: true });
  await stack.prepare("update", {});
  await begun();
  const { events, said } = await up();
  expect(events[0]).toMatchObject({ type: "start" });
  expect(said).toMatch(/^loaded with \[secret\]$/m);
});

test("a process that the run has not needed prints nothing after its end", async () => {
  const { dir, write, stack, pids, begun } = await begin(
    `const at = (name) => require("path").join(__dirname, name);
     setInterval(() => {
       if (!fs.existsSync(at("ended")) || fs.existsSync(at("printed"))) return;
       fs.writeSync(1, "late\\n");
       fs.writeFileSync(at("printed"), "");
     }, 1);`,
  );
  write("");
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
});

test("nothing is asked for that only the run may need", async () => {
  const { up, ...made } = await begin();
  await up();
  const env = { ...made.env, PULUMI_CONFIG_PASSPHRASE: undefined };
  const passphrase = vi.fn(async () => made.env.PULUMI_CONFIG_PASSPHRASE);
  const stack = await reopen(made, { env, passphrase });
  await stack.prepare("update", {});
  await stack.close();
  expect(passphrase).not.toHaveBeenCalled();
  expect((await stack.run("update")).ok).toBe(true);
  expect(passphrase).toHaveBeenCalledOnce();
});

test("a passphrase that is stored is found once, for what is prepared and for the run", async () => {
  const { up, ...made } = await begin();
  await up();
  const storedPassphrase = vi.fn(async () => made.env.PULUMI_CONFIG_PASSPHRASE);
  const env = { ...made.env, PULUMI_CONFIG_PASSPHRASE: "another" };
  const stack = await reopen(made, { env, storedPassphrase });
  await stack.prepare("update", {});
  expect(storedPassphrase).toHaveBeenCalledOnce();
  expect((await stack.run("update")).ok).toBe(true);
  expect(storedPassphrase).toHaveBeenCalledOnce();
});
