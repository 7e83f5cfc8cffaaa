/** What a run needs is started ahead: the process of providers, which loads what their code requires. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openProject } from "../../engine";
import { initStack, project, RESOURCES } from "../../engine/test/scratch";

const open: typeof openProject = (options) => openProject({ ...options, providerModules: ["./provider", "./missing"] });

async function begin() {
  const made = project({ "index.js": `${RESOURCES} new Thing("a", { value: "v", secretText: pulumi.secret("s") });` });
  const loads = join(made.dir, "loads");
  const provider = readFileSync(join(made.dir, "provider.js"), "utf8");
  const noteLoad = (what: string) => `require("fs").appendFileSync("${loads}", "${what} " + process.pid + "\\n");`;
  made.write(`${noteLoad("load")} ${provider} exports.prepare = () => { ${noteLoad("prepare")} };`, "provider.js");
  const stack = await initStack(made, open);
  const pids = (what: string) =>
    (existsSync(loads) ? readFileSync(loads, "utf8") : "").split("\n").flatMap((line) => {
      const [which, pid] = line.split(" ");
      return which === what ? [Number(pid)] : [];
    });
  const loaded = () => vi.waitUntil(() => pids("prepare").length > 0, { timeout: 60_000 });
  return { ...stack, pids, loaded };
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

test("with a wrong passphrase nothing that was started is left", async () => {
  const { env, dir, up, pids } = await begin();
  await up();
  const wrong = await open({ dir, env: { ...env, PULUMI_CONFIG_PASSPHRASE: "wrong" } });
  const stack = await wrong.openStack("dev");
  await stack.prepare("update", {});
  await expect(stack.run("update")).rejects.toThrow("incorrect passphrase");
  expect(pids("load").filter(isAlive)).toEqual([]);
});
