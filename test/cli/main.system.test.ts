import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groups } from "../../cli/commands/index";
import { api } from "../../sdk/api/index";
import { temporaryFolder } from "../files";
import { esignProcess, main, root, run } from "./esign";
import { esign } from "./in-process";

const home = temporaryFolder();

const names = groups.flatMap((group) => Object.keys(group.commands));

describe("help", () => {
  it.each([["help"], ["--help"]])("lists every command with %s --all, with examples and exit codes", async (help) => {
    const { code, stdout, stderr } = await esign([help, "--all"], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} {2,}\\w`, "m"));
    expect(stdout).toContain("$ esign up --local");
    expect(stdout).toContain("esign help exit-codes");
  });

  it("without --all, and without arguments, explains those of daily work and names the others", async () => {
    const { code, stdout } = await esign([], { home });
    expect(code).toBe(0);
    expect((await esign(["--help"], { home })).stdout).toBe(stdout);
    expect(stdout).toMatch(/^ {2}up {2,}\w/m);
    expect(stdout).not.toMatch(/^ {2}leaks {2,}\w/m);
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  (?:.*, )?${name}\\b`, "m"));
  });

  it("names every area of the interface", () => {
    const groups = Object.keys(api).map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    expect(names).toEqual(expect.arrayContaining(groups));
  });

  it("loads only what it shows: neither Pulumi nor HTTP nor schemas", async () => {
    const probe = join(home, "probe.cjs");
    writeFileSync(
      probe,
      'process.on("exit", () => process.stderr.write(JSON.stringify(Object.keys(require.cache).map((f) => f.replace(/.*node_modules./, "")))))',
    );
    for (const args of [["--help"], ["--version"], ["explain", "10557"]]) {
      const { stderr } = await esignProcess(args, { home, node: ["--require", probe] });
      const loaded: string[] = JSON.parse(stderr);
      // Of this package, what the front needs: a few files, in none of which are schemas.
      const own = loaded.filter((file) => file.startsWith(join(root, "dist")));
      expect(own.length).toBeGreaterThan(1);
      expect(own.filter((file) => /\bZodError\b|packages.undici/.test(file + readFileSync(file, "utf8")))).toEqual([]);
      expect(loaded.filter((file) => /^(@pulumi|typescript|ts-node)\b/.test(file))).toEqual([]);
    }
  });

  it.each(names)("of %s shows examples or subcommands, and works as `help <command>`", async (name) => {
    const { code, stdout } = await esign([name, "--help"], { home });
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: esign ${name}`);
    expect((await esign(["help", name], { home })).stdout).toBe(stdout);
    if (name !== names[0]) return;
    for (const asked of [["--help"], ["-h"], ["-C", ".", "help"]])
      expect((await esign([...asked, name], { home })).stdout).toBe(stdout);
  });
});

describe("wrong usage ends with exit code 2 and a remedy", () => {
  it.each([
    [["webhook"], "Did you mean webhooks?"],
    [["webhooks", "lst"], "Did you mean list?"],
    [["drift", "unmangaged"], "Did you mean unmanaged?"],
    [["emulator", "triger", "all"], "Did you mean trigger?"],
    [["fleet", "dirft", "customers.csv"], "Did you mean drift?"],
    [["fleet"], "Usage: esign fleet"],
    [["up", "--dif"], "Did you mean --diff?"],
    [["up", "--parallel", "0"], "must be a positive whole number"],
    [["up", "--engine", "terraform"], "Allowed choices are auto, pulumi, embedded"],
    [["--cwd", "nowhere", "preview"], "there is no folder nowhere"],
    [["preview"], "there is no Pulumi.yaml in"],
    [["explain", "4711"], "4711 is not a known code"],
    [["webhooks", "get"], "missing required argument 'id'"],
    [["webhooks", "list"], "export ESIGN_BASE_URL=… ESIGN_API_KEY=…"],
    [["help", "webhoks"], "Did you mean webhooks?"],
    // An unset variable of a shell.
    [["export", "--out", "", "--force"], "--out needs a name"],
    [["drift", "unmanaged", "--out", ""], "--out needs a name"],
    [["service", "--file="], "--file needs a name"],
    [["up", "--yes", "--stack", ""], "--stack needs a name"],
    [["destroy", "--yes", "--target", ""], "--target needs a name"],
    [["stack", "rm", "--yes", ""], "<name> needs a name"],
    [["cancel", "--yes", ""], "<stack> needs a name"],
    // Of two, one would be passed over.
    [["webhooks", "list", "--local", "--stack", "dev"], "'--local' cannot be used with option '-s, --stack <name>'"],
    [["diff", "a", "b", "--markdown", "--json"], "'--markdown' cannot be used with option '-j, --json'"],
    [
      ["drift", "--stack", "dev", "--state", "s.json"],
      "'--state <file>' cannot be used with option '-s, --stack <name>'",
    ],
    [
      ["doctor", "--local", "--base-url", "https://s.example"],
      "'--local' cannot be used with option '--base-url <url>'",
    ],
  ])("%j", async (args, words) => {
    const { code, stdout, stderr } = await esign(args, { home });
    expect(stderr).toContain(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});

describe("colours", () => {
  const coloured = "\u001b[";
  it("are for terminals, NO_COLOR and FORCE_COLOR decide otherwise", async () => {
    const of = async (env: Record<string, string>) => (await esignProcess(["explain", "10557"], { home, env })).stdout;
    expect(await of({})).not.toContain(coloured);
    expect(await of({ CI: "true" })).not.toContain(coloured);
    expect(await of({ FORCE_COLOR: "1" })).toContain(coloured);
    expect(await of({ FORCE_COLOR: "0" })).not.toContain(coloured);
    expect(await of({ FORCE_COLOR: "1", NO_COLOR: "1" })).not.toContain(coloured);
  });
});

it.runIf(existsSync("/dev/full"))("says in one line that its output cannot be written, and ends with 1", async () => {
  const { code, stderr } = await run("sh", ["-c", `"${process.execPath}" "${main}" explain > /dev/full`], { home });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "error: cannot write the output: ENOSPC: no space left on device, write\n",
  });
});

it("--version is the package's", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(await esign(["--version"], { home })).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

it("explains the codes of the API and of the provider offline, for people and for machines", async () => {
  const { stdout } = await esign(["explain", "10557"], { home });
  expect(stdout).toBe(
    [
      "Cause  The HTML content is missing a required variable.",
      "Field  branding_email_content",
      "Fix    Keep every variable of the current HTML content.",
      "",
    ].join("\n"),
  );
  const all = JSON.parse((await esign(["explain", "--json"], { home })).stdout);
  expect(all.length).toBeGreaterThan(40);
  expect(all).toContainEqual(expect.objectContaining({ code: 10309 }));
  expect(all).toContainEqual(expect.objectContaining({ code: "ESIGN1012", title: "Conflict" }));
  expect((await esign(["explain", "esign1012"], { home })).stdout).toMatch(
    /^Error {2}Conflict\nCause {2}.+\nFix {4}.+\n$/,
  );
});
