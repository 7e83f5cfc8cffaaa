/** `esign fleet` with an engine that does not answer as it should: a script that is called `pulumi`. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { save, temporaryFolder } from "../files";
import { bareEnv, main, run } from "./esign";

/** A project of three stacks, and an engine of which `script` says what it does with its arguments, `args`. */
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
    "bin/pulumi": `#!${process.execPath}\nconst args = process.argv.slice(2);\nconst fs = require("node:fs");\n${script}`,
  });
  chmodSync(join(home, "bin/pulumi"), 0o755);
  const env = { ...bareEnv(home), PATH: join(home, "bin"), TMPDIR: temporaryFolder() };
  const args = (verb: string, ...more: string[]) => [
    ...[main, "fleet", verb, "customers.json", "--engine", "pulumi", "--secret-columns", "token", ...more],
  ];
  const fleet = (verb: string, ...more: string[]) => run(process.execPath, args(verb, ...more), { home, env });
  return { home, env, args, fleet };
}

describe.skipIf(process.platform === "win32")("a stack whose configuration cannot be read", () => {
  const answers = (stacks: string[], list: string) => `
    const stack = args[args.indexOf("--stack") + 1];
    if (args[0] === "stack") console.log(JSON.stringify(${JSON.stringify(stacks)}.map((name) => ({ name }))));
    else if (args[0] === "config" && args.includes("--json"))
      console.log(stack === "customer-us" ? JSON.stringify({ "shop:customers": { value: '[{"id":"b"},{"id":"c"}]', secret: true } }) : ${JSON.stringify(list)});`;
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

it.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s while it still lists the stacks leaves no process and no folder",
  async (signal) => {
    const { home, env, args } = project(`fs.writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000);`);
    const child = spawn(process.execPath, args("preview"), { cwd: home, env, stdio: "ignore" });
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
  /** `found`: what the refresh of each of the two stacks finds; null for one that fails. */
  const drift = (found: (Record<string, number> | null)[], ...more: string[]) =>
    project(`
      const log = (value) => fs.appendFileSync(args[args.indexOf("--event-log") + 1], JSON.stringify(value) + "\\n");
      const stack = args[args.indexOf("--stack") + 1];
      const found = ${JSON.stringify(found)}[stack === "customer-eu" ? 0 : 1];
      if (args[0] === "stack") console.log(JSON.stringify(["customer-eu", "customer-us"].map((name) => ({ name }))));
      else if (args[0] === "refresh") {
        log({ preludeEvent: {} });
        log({ summaryEvent: { resourceChanges: found ?? {}, result: found ? "succeeded" : "failed" } });
        if (!found) { console.error("error: hush"); process.exitCode = 255; }
      }`).fleet("drift", ...more);

  it.each([
    ["nothing", [{ same: 2 }, { same: 2 }], 0, 0],
    ["what was read again only", [{ same: 2, read: 1 }, { same: 2 }], 0, 0],
    ["drift", [{ same: 2 }, { same: 1, update: 1 }], 0, 1],
    ["an object that is gone", [{ same: 2 }, { same: 1, delete: 1 }], 0, 1],
    ["an error", [{ same: 2 }, null], 2, 2],
    ["drift and an error", [{ update: 2 }, null], 2, 2],
  ] as const)("that finds %s ends as `esign drift` does", async (_, found, plain, withOption) => {
    expect(await drift([...found], "--max-failures", "5")).toMatchObject({ code: plain });
    expect(await drift([...found], "--max-failures", "5", "--exit-code")).toMatchObject({ code: withOption });
  });

  it("that cannot begin ends with 2, too", async () => {
    const { fleet } = project('console.error("error: no backend"); process.exitCode = 255;');
    expect(await fleet("drift", "--exit-code")).toMatchObject({ code: 2 });
  });
});
