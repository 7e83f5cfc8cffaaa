/** What a run needs is started ahead: the process of providers, which loads what their code requires. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type EngineEvent, type OpenOptions, openProject } from "../../engine";
import { initStack, project, RESOURCES } from "../../engine/test/scratch";

const open: typeof openProject = (options) => openProject({ ...options, providerModules: ["./provider", "./missing"] });

/** @param addition to the provider's code */
async function begin(addition = "") {
  const made = project({ "index.js": `${RESOURCES} new Thing("a", { value: "v", secretText: pulumi.secret("s") });` });
  const loads = join(made.dir, "loads");
  const provider = readFileSync(join(made.dir, "provider.js"), "utf8");
  const noteLoad = (what: string) => `require("fs").appendFileSync("${loads}", "${what} " + process.pid + "\\n");`;
  made.write(
    `${noteLoad("load")} ${provider} ${addition}\nexports.prepare = () => { ${noteLoad("prepare")} };`,
    "provider.js",
  );
  const stack = await initStack(made, open);
  const pids = (what: string) =>
    (existsSync(loads) ? readFileSync(loads, "utf8") : "").split("\n").flatMap((line) => {
      const [which, pid] = line.split(" ");
      return which === what ? [Number(pid)] : [];
    });
  const loaded = () => vi.waitUntil(() => pids("prepare").length > 0, { timeout: 60_000 });
  return { ...stack, pids, loaded };
}

/** The same stack in another environment. */
async function reopen({ dir, env }: { dir: string; env: NodeJS.ProcessEnv }, options: Partial<OpenOptions>) {
  return (await open({ dir, env, ...options })).openStack("dev");
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a run is served by the process that was prepared, which has loaded before it is asked anything", async () => {
  const { stack, up, pids, loaded } = await begin();
  await stack.prepare("update", {});
  await loaded();
  expect((await up()).result.ok).toBe(true);
  expect(pids("load")).toHaveLength(1);
  await stack.close();
});

test("in another environment it is not used, and ends with the stack", async () => {
  const { stack, up, pids, loaded } = await begin();
  await stack.prepare("update", { env: { WHICH: "another" } });
  await loaded();
  expect((await up()).result.ok).toBe(true);
  expect(pids("load")).toHaveLength(2);
  await stack.close();
  expect(pids("load").filter(isAlive)).toEqual([]);
});

const printsSecret = `require("fs").writeSync(1, "loaded with hunter2secret\\n");`;

test("with a wrong passphrase nothing that was started is left, and nothing of it is shown", async () => {
  const { up, pids, ...made } = await begin(printsSecret);
  await up();
  const stack = await reopen(made, { env: { ...made.env, PULUMI_CONFIG_PASSPHRASE: "wrong" } });
  await stack.prepare("update", {});
  await vi.waitUntil(() => pids("prepare").length > 1, { timeout: 60_000 });
  const events: EngineEvent[] = [];
  await expect(stack.run("update", { onEvent: (e) => events.push(e) })).rejects.toThrow("incorrect passphrase");
  expect(events).toEqual([]);
  expect(pids("load").filter(isAlive)).toEqual([]);
});

test("what a provider prints while it loads is shown when the run has begun, without secrets", async () => {
  const { stack, up, loaded } = await begin(printsSecret);
  await stack.config.set("password", "hunter2secret", { secret: true });
  await stack.prepare("update", {});
  await loaded();
  const { events, said } = await up();
  expect(events[0]).toMatchObject({ type: "start" });
  expect(said).toMatch(/^loaded with \[secret\]$/m);
});

test("a process that the run has not needed prints nothing after its end", async () => {
  const { dir, write, stack, pids, loaded } = await begin(
    `const at = (name) => require("path").join(__dirname, name);
     setInterval(() => {
       if (!fs.existsSync(at("ended")) || fs.existsSync(at("printed"))) return;
       fs.writeSync(1, "late\\n");
       fs.writeFileSync(at("printed"), "");
     }, 1);`,
  );
  write("");
  await stack.prepare("update", {});
  await loaded();
  const types: string[] = [];
  const onEvent = ({ type }: EngineEvent) => {
    types.push(type);
    if (type !== "end") return;
    writeFileSync(join(dir, "ended"), "");
    while (pids("load").some(isAlive) && !existsSync(join(dir, "printed")));
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
