/** Projects of `esign init`, deployed. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { spread } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import { filesIn, save, temporaryFolder } from "../files";
import { esignProcess, linkPackages, run, sharedKeys } from "./esign";
import { esign } from "./in-process";

const home = temporaryFolder();

const at = (...path: string[]) => join(home, ...path);

async function ok(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): Promise<string> {
  const { code, stdout, stderr } = await esign(args, { home, ...options });
  expect({ code, stderr: code === 0 ? "" : stderr + stdout }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const install = (folder: string) => linkPackages(folder, "@types", "tsx", "typescript");

test.each(["account", "partner"])("%s, as commonjs, goes up on the emulator at once", async (template) => {
  const folder = at(template);
  await ok(["init", template, "--template", template, "--module", "commonjs", "--no-install"]);
  install(folder);
  const up = ["up", "--local", "--yes", "--engine", "embedded"];
  expect(await ok([...up, "--skip-preview"], { cwd: folder })).toContain("Account writes: 3. (");
  if (template !== "account") return;
  const events = await ok([...up, "--expect-no-changes", "--json"], { cwd: folder });
  // Milliseconds, not what a clock says beyond them.
  expect(events).not.toMatch(/\d\.\d{4,}/);
  expect(await ok(["drift", "--local", "--exit-code"], { cwd: folder })).toContain("No drift");
});

test("automation, as esm, deploys its customers to the emulator at once", async () => {
  const folder = at("automation");
  await ok(["init", "automation", "--template", "automation", "--module", "esm", "--ci", "--no-install"]);
  install(folder);
  const args = ["--import", "tsx", "provision.ts", "--local"];
  // npm takes the option of `npm start --local`, which would then deploy to the account of the environment.
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(scripts.local).toBe("tsx provision.ts --local");
  expect(readFileSync(join(folder, "README.md"), "utf8")).not.toMatch(/npm start .*--local/);
  const { code, stdout, stderr } = await run(process.execPath, args, {
    home,
    cwd: folder,
    env: { NODE_OPTIONS: sharedKeys },
  });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'harbour: {"create":4}\n', stderr: "" });
  expect(readFileSync(join(folder, ".github/workflows/esign.yml"), "utf8")).toContain("run: npm start");
  // A misspelt --local does not deploy to the account of the environment.
  const service = await emulatorForTest();
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: "pw" };
  const misspelt = await run(process.execPath, [...args.slice(0, -1), "--locla"], { home, cwd: folder, env });
  expect(misspelt).toMatchObject({ code: 1, stderr: "error: unknown option --locla; there is only --local\n" });
  expect(service.requests()).toEqual([]);
});

test("an account that exists is exported into the project, as esm, whose first `up` writes nothing", async () => {
  const service = await emulatorForTest();
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account, PULUMI_CONFIG_PASSPHRASE: "pw" };
  mkdirSync(at("own"));
  writeFileSync(at("own/package.json"), JSON.stringify({ dependencies: { "pulumi-esign": "file:x" } }));
  await ok(["init", "own", "--no-install", "--from", "account", "--module", "esm"], { env });
  const files = filesIn(at("own"));
  expect(JSON.parse(files["package.json"]!)).toMatchObject({
    type: "module",
    dependencies: { "pulumi-esign": "file:x" },
  });
  expect(Object.values(files).join("\n")).not.toContain(service.keys.account);
  install(at("own"));
  await ok(["stack", "init", "production", "--engine", "embedded"], { env, cwd: at("own") });
  await ok(["up", "--yes", "--skip-preview", "--engine", "embedded"], { env, cwd: at("own") });
  expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
});

test("an installation that fails leaves a project that is the user's, not one that was begun", async () => {
  writeFileSync(at("failing-npm.cjs"), "process.exit(1);");
  const env = { npm_execpath: at("failing-npm.cjs"), npm_config_user_agent: "npm/10.0.0" };
  const failed = await esign(["init", "not-installed", "--name", "shop"], { home, env });
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("npm install failed")]);
  await ok(["init", "whole", "--no-install", "--name", "shop"]);
  expect(filesIn(at("not-installed"))).toEqual(filesIn(at("whole")));
  for (const option of ["--name=other", "--ci"]) {
    const { code, stderr } = await esign(["init", "not-installed", option], { home, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining("is a project already")]);
  }
});

describe("an init that is killed is completed by the next one,", () => {
  /**
   * The process copies what a kill would leave in place of each of its files, and npm, which packs nothing, kills it at the installation:
   * the same command completes each of these folders.
   */
  async function killEverywhere(options: string[], name: string, env: Record<string, string> = {}): Promise<void> {
    const [folder, copies] = [at(name), at(`${name}-copies`)];
    save(home, {
      "copies.cjs": `const fs = require("node:fs");
        let count = 0;
        const copy = (to) => {
          // A file of another operation may go meanwhile.
          for (let tries = 0; ; tries++)
            try {
              return fs.existsSync(process.env.FOLDER) && fs.cpSync(process.env.FOLDER, to, { recursive: true });
            } catch (error) {
              if (error.code !== "ENOENT" || tries > 10) throw error;
              fs.rmSync(to, { recursive: true, force: true });
            }
        };
        for (const name of ["rename", "writeFile"]) {
          const original = fs.promises[name];
          fs.promises[name] = (...args) => {
            copy(process.env.COPIES + "/" + count++);
            return original(...args);
          };
        }`,
      "npm.cjs": `if (process.argv[2] === "pack") process.exit(1);
        process.kill(process.ppid, "SIGKILL");`,
    });
    mkdirSync(copies);
    const args = ["init", name, "--name", "shop", ...options];
    const npm = { npm_execpath: at("npm.cjs"), npm_config_user_agent: "npm/10.0.0" };
    const node = ["--require", at("copies.cjs")];
    const begun = await esignProcess(args, { home, node, env: { ...env, ...npm, FOLDER: folder, COPIES: copies } });
    expect([begun.code, begun.stderr]).toEqual([null, expect.stringContaining("install…")]);
    renameSync(folder, join(copies, "last"));
    await ok([...args, "--no-install"], { env });
    const whole = filesIn(folder);
    const kills = readdirSync(copies).sort();
    expect(kills.length).toBeGreaterThan(5);
    for (const kill of ["last", ...spread(kills.slice(0, -1), 8)]) {
      rmSync(folder, { recursive: true });
      renameSync(join(copies, kill), folder);
      await ok([...args, "--no-install"], { env });
      expect(filesIn(folder), `killed at file ${kill}`).toEqual(whole);
    }
  }

  test("wherever that was", async () => {
    await killEverywhere(["--template", "partner", "--ci"], "killed");
  });

  test("during an export, too", async () => {
    const service = await emulatorForTest();
    const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
    await killEverywhere(["--from", "account", "--ci"], "killed-export", env);
  });
});
