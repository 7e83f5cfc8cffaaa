/** `esign fleet` with an engine that does not answer as it should: a script that is called `pulumi`. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { spread } from "../chance";
import { save, temporaryFolder } from "../files";
import { bareEnv, main } from "./esign";
import { esign } from "./in-process";

/** A project of three stacks, and an engine that is this script, which has the values of its options as `$stack` and `$log`. */
function project(script: string) {
  const home = temporaryFolder();
  save(home, {
    "Pulumi.yaml": "name: shop\nruntime: yaml\n",
    "customers.json": JSON.stringify([
      { id: "a", stack: "eu", token: "hush-hush" },
      { id: "b", stack: "us", token: "hush-hush" },
    ]),
    ...Object.fromEntries(
      ["eu", "us", "old"].map((name) => [
        `Pulumi.customer-${name}.yaml`,
        "config:\n  shop:customers:\n    secure: v1:x\n",
      ]),
    ),
    "bin/pulumi": `#!/bin/sh
for argument do
  case "$option" in --stack) stack=$argument ;; --event-log) log=$argument ;; esac
  option=$argument
done
${script}`,
  });
  chmodSync(join(home, "bin/pulumi"), 0o755);
  const env = { PATH: join(home, "bin"), TMPDIR: temporaryFolder() };
  const args = (verb: string, ...more: string[]) => [
    ...["fleet", verb, "customers.json", "--engine", "pulumi", "--secret-columns", "token", ...more],
  ];
  const fleet = (verb: string, ...more: string[]) => esign(args(verb, ...more), { home, env });
  return { home, env, args, fleet };
}

describe.skipIf(process.platform === "win32")("a stack whose configuration cannot be read", () => {
  const answers = (stacks: string[], list: string) => `
case "$1 $3 $stack" in
  stack*) echo '${JSON.stringify(stacks.map((name) => ({ name })))}' ;;
  "config --json customer-us") echo '{"shop:customers":{"value":"[{\\"id\\":\\"b\\"},{\\"id\\":\\"c\\"}]","secret":true}}' ;;
  "config --json"*) echo '${list}' ;;
esac`;
  const both = ["customer-eu", "customer-us"];

  it.each([
    ["is no JSON", "hush-hush", "the configuration of customer-eu cannot be read"],
    ["is of another form", "[]", "the configuration of customer-eu cannot be read"],
    ["has no list of customers", '{"shop:customers":{"value":"{}","secret":true}}', "is not a list of customers"],
  ])("fails by itself where it %s: the others are done", async (_, list, words) => {
    for (const [verb, ...more] of [["preview"], ["destroy", "--removed", "--yes"]] as const) {
      const { fleet } = project(answers(both, list));
      const { code, stdout, stderr } = await fleet(verb, ...more);
      expect(stdout).toContain("1 stack done");
      expect(stdout).toContain("1 failed");
      expect(stderr).toContain(words);
      expect([code, stdout + stderr]).toEqual([1, expect.not.stringMatching(/hush|JSON at|Unexpected|not iterable/)]);
    }
  });

  it("and that no record names ends all before anything is done: its customers may be created again", async () => {
    const { fleet } = project(answers([...both, "customer-old"], "hush-hush"));
    const { code, stderr } = await fleet("preview");
    expect([code, stderr]).toEqual([2, expect.stringContaining("esign stack rm customer-old")]);
    expect(stderr).not.toContain("hush");
  });
});

it.skipIf(process.platform === "win32").each(spread(["SIGINT", "SIGHUP", "SIGTERM"] as const, 2))(
  "%s while it still lists the stacks leaves no process and no folder",
  async (signal) => {
    const { home, env, args } = project("echo $$ > pid; exec /bin/sleep 600");
    const options = { cwd: home, env: { ...bareEnv(home), ...env }, stdio: "ignore" } as const;
    const child = spawn(process.execPath, [main, ...args("preview")], options);
    const ended = new Promise((done) => child.once("close", done));
    const pid = () => Number(existsSync(join(home, "pid")) ? readFileSync(join(home, "pid"), "utf8") : "");
    await expect.poll(pid, { timeout: 30_000 }).toBeGreaterThan(0);
    child.kill(signal);
    expect(await ended).toBeGreaterThan(128);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
    await expect.poll(() => isAlive(pid()), { timeout: 30_000 }).toBe(false);
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === "win32")("fleet drift", () => {
  const refresh = (found: Record<string, number> | null = null) => {
    const summaryEvent = { resourceChanges: found ?? {}, result: found ? "succeeded" : "failed" };
    const events = [{ preludeEvent: {} }, { summaryEvent }].map((event) => JSON.stringify(event)).join("\n");
    return `echo '${events}' >> "$log"; ${found ? "" : "echo error: hush >&2; exit 255"}`;
  };
  /** `found`: what the refresh of each of the two stacks finds; null for one that fails. */
  const drift = (found: (Record<string, number> | null)[], ...more: string[]) =>
    project(`
case "$1 $stack" in
  stack*) echo '[{"name":"customer-eu"},{"name":"customer-us"}]' ;;
  "refresh customer-eu") ${refresh(found[0])} ;;
  "refresh customer-us") ${refresh(found[1])} ;;
esac`).fleet("drift", ...more);

  it.each([
    ["what was read again only", [{ same: 2, read: 1 }, { same: 2 }], 0, ["--exit-code"]],
    ["drift, without the option,", [{ same: 2 }, { same: 1, update: 1 }], 0, []],
    ["drift", [{ same: 2 }, { same: 1, update: 1 }], 1, ["--exit-code"]],
    ["an object that is gone", [{ same: 2 }, { same: 1, delete: 1 }], 1, ["--exit-code"]],
    ["an error, without the option,", [{ same: 2 }, null], 2, []],
    ["drift and an error", [{ update: 2 }, null], 2, ["--exit-code"]],
  ] as const)("that finds %s ends as `esign drift` does", async (_, found, code, flags) => {
    expect(await drift([...found], "--max-failures", "5", ...flags)).toMatchObject({ code });
  });

  it("that cannot begin ends with 2, too", async () => {
    const { fleet } = project("echo error: no backend >&2; exit 255");
    expect(await fleet("drift", "--exit-code")).toMatchObject({ code: 2 });
  });
});
