/** `esign` with a Pulumi CLI that does unexpected things: a script of that name. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { save, temporaryFolder } from "../files";
import { bareEnv, main } from "./esign";
import { esign } from "./in-process";

const event = (value: object) => `log(${JSON.stringify(value)});`;
const succeeds = `${event({ preludeEvent: {} })} ${event({ summaryEvent: { resourceChanges: {}, result: "succeeded" } })}`;

interface Project {
  settings?: string;
  /** Whether the script says what the state is, which is empty otherwise: then no Node starts to say that. */
  hasState?: boolean;
}

/** A project, and a CLI of which `script` says what it does with `command`, its arguments. It notes its calls. */
function project(script: string, { settings = "name: shop\nruntime: yaml\n", hasState = false }: Project = {}) {
  const home = temporaryFolder();
  const emptyState = `case "$*" in "stack export"*) echo "$*" >> calls; echo '{"deployment":{}}'; exit ;; esac`;
  save(home, {
    "Pulumi.yaml": settings,
    "bin/pulumi": `#!/bin/sh\n${hasState ? "" : emptyState}\nexec "${process.execPath}" "$0.js" "$@"\n`,
    "bin/pulumi.js": `const fs = require("node:fs");
const args = process.argv.slice(2);
const command = args.join(" ");
const log = (value) => fs.appendFileSync(args[args.indexOf("--event-log") + 1], JSON.stringify(value) + "\\n");
fs.appendFileSync("calls", command.replace(/ --event-log \\S+/, "") + "\\n");
${script}`,
  });
  chmodSync(join(home, "bin/pulumi"), 0o755);
  const env = { PATH: join(home, "bin"), TMPDIR: temporaryFolder(), ESIGN_BASE_URL: "http://127.0.0.1:9" };
  const args = (...words: string[]) => [...words, "--engine", "pulumi"];
  const calls = () =>
    existsSync(join(home, "calls")) ? readFileSync(join(home, "calls"), "utf8").trim().split("\n") : [];
  return {
    home,
    env,
    calls,
    esign: (...words: string[]) => esign(args(...words), { home, env }),
    /** A process, for what is sent to one. */
    start: (...words: string[]) =>
      spawn(process.execPath, [main, ...args(...words)], { cwd: home, env: { ...bareEnv(home), ...env } }),
  };
}

describe.skipIf(process.platform === "win32")("the Pulumi CLI", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("does not begin after a %s while its state was read", async (signal) => {
    const { start, env, calls } = project(
      `if (command.startsWith("stack export")) setTimeout(() => console.log('{"deployment":{}}'), 1500); else { ${succeeds} }`,
      { hasState: true },
    );
    const child = start("up", "--yes", "--stack", "dev");
    for (const stream of [child.stdout, child.stderr]) stream.resume();
    const ended = new Promise((done) => child.once("close", done));
    await expect.poll(calls, { timeout: 30_000 }).toEqual([expect.stringContaining("stack export")]);
    child.kill(signal);
    expect(await ended).toBe(8);
    expect(calls()).toHaveLength(1);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
  });

  it.each(["preview", "update"])("is cancelled and prints that it was, %s: it is said once", async (operation) => {
    const { start, calls } = project(
      `${event({ preludeEvent: {} })}
       process.on("SIGINT", () => {
         ${event({ summaryEvent: { resourceChanges: {}, result: "failed" } })}
         console.error("error: ${operation} canceled");
         process.exit(255);
       });
       setInterval(() => {}, 1000);`,
    );
    const words = operation === "preview" ? ["preview"] : ["up", "--yes", "--skip-preview"];
    const child = start(...words, "--stack", "dev");
    const printed: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(String(chunk)));
    const ended = new Promise((done) => child.once("close", done));
    await expect.poll(() => calls().at(-1) ?? "", { timeout: 30_000 }).toMatch(/^(preview|up)/);
    child.kill("SIGINT");
    expect(await ended).toBe(8);
    expect(printed.join("")).toMatch(/(Preview|Update) cancelled\./);
    expect(printed.join("")).not.toContain("canceled");
  });

  it("meets a lock that a run of the built-in engine may have left: how to remove it", async () => {
    const { esign } = project(
      'console.error("error: the stack is currently locked by 1 lock(s)."); process.exit(255);',
    );
    const { code, stderr, stdout } = await esign("up", "--yes", "--stack", "dev");
    expect(code).not.toBe(0);
    expect(stderr + stdout).toMatch(
      /currently locked by 1 lock.*of either engine has left the lock\. Remove it: esign cancel/s,
    );
  });

  it.each([
    [
      "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
      "stack dev keeps its secrets encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE (it may be empty) or PULUMI_CONFIG_PASSPHRASE_FILE",
    ],
    [
      "incorrect passphrase",
      "incorrect passphrase: set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the stack's passphrase",
    ],
  ])(
    "is asked for what needs a passphrase, and says %s: the words are those of the built-in engine",
    async (own, all) => {
      const { esign } = project(
        `console.error("error: getting stack configuration: get stack secrets manager: ${own}"); process.exit(255);`,
      );
      const { stderr, stdout } = await esign("preview", "--stack", "dev");
      expect(stderr + stdout).toContain(`error: ${all}\n`);
      expect(stderr + stdout).not.toContain("secrets manager");
    },
  );

  it("gets the stack with its organization, where such a stack is selected", async () => {
    const { esign, calls } = project(
      `if (command.startsWith("stack --show-name"))
         console.log(command.includes("--fully-qualify-stack-names") ? "acme/shop/dev" : "dev");
       else { ${succeeds} }`,
      { settings: "name: shop\nruntime: yaml\nbackend: { url: https://api.example.com }\n" },
    );
    expect(await esign("preview")).toMatchObject({ code: 0 });
    expect(calls().filter((call) => call.startsWith("preview"))).toEqual([
      expect.stringContaining("--stack acme/shop/dev"),
    ]);
  });

  it.each([
    [["Error: hook (esign:Webhook) lacks url", "  url: Missing"], "hook (esign:Webhook) lacks url\n    url: Missing"],
    [[], "failed without a message"],
  ])(
    "fails and logs no error: the reason is what the program has printed to stderr, %j, not the display",
    async (printed, reason) => {
      const lines = printed.map((message) =>
        event({ diagnosticEvent: { severity: "info#err", color: "never", message } }),
      );
      const { esign } = project(
        `console.log("Previewing update (dev):\\n");
         ${event({ preludeEvent: {} })} ${lines.join(" ")} ${event({ summaryEvent: { resourceChanges: {}, result: "failed" } })}
         process.exitCode = 255;`,
      );
      const { code, stdout } = await esign("preview", "--stack", "dev");
      expect(code).toBe(1);
      expect(stdout).toContain(`error: ${reason}\n`);
      expect(stdout).not.toContain("Previewing");
      // It is shown once.
      expect(stdout).not.toContain("│");
    },
  );

  it("succeeds with a warning of the host of YAML on stderr: it is shown", async () => {
    const message = "Warning: Field 'variable' is near 'variables'";
    const { esign } = project(
      `${event({ preludeEvent: {} })} ${event({ diagnosticEvent: { severity: "info#err", color: "never", message } })} ${succeeds}`,
    );
    expect(await esign("preview", "--stack", "dev")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`  │ ${message}\n`),
    });
  });

  it("ends with its own exit code and reason where it does not begin", async () => {
    for (const at of ["stack", "up"]) {
      const { esign } = project(
        `if (command.startsWith(${JSON.stringify(at)})) { console.error("error: log in first"); process.exitCode = 3; }
         else if (command.startsWith("stack")) console.log('{"deployment":{}}');`,
        { hasState: true },
      );
      const { code, stderr } = await esign("up", "--yes", "--skip-preview");
      expect([code, stderr]).toEqual([3, expect.stringContaining("error: log in first")]);
    }
  });

  it.each([
    [
      ["up", "--yes"],
      ["stack export", "preview", "up --yes"],
    ],
    [
      ["up", "--yes", "--skip-preview"],
      ["stack export --show-secrets", "up --yes"],
    ],
    [["refresh", "--yes", "--skip-preview"], ["refresh --yes"]],
    [
      ["destroy", "--yes"],
      ["stack export --show-secrets", "destroy --preview-only", "destroy --yes"],
    ],
  ])(
    "reads the state for %j as often as there is something to learn, and its secrets where they count",
    async (words, all) => {
      const { esign, calls } = project(
        `${event({ resourcePreEvent: { metadata: { op: "create", urn: "urn:pulumi:dev::shop::a:b:C::c", type: "a:b:C" } } })} ${succeeds}`,
      );
      expect(await esign(...words, "--stack", "dev")).toMatchObject({ code: 0 });
      expect(calls().map((call) => call.replace(/ (--skip-preview )?--stack dev.*/, ""))).toEqual(all);
    },
  );

  it("says after an up, among its events, which creates it keeps pending though they are done", async () => {
    const type = "pulumi-nodejs:dynamic/esign:Webhook";
    const resource = { urn: `urn:pulumi:dev::shop::${type}::hook`, type };
    const state = { deployment: { resources: [resource], pending_operations: [{ type: "creating", resource }] } };
    const { esign } = project(
      `if (command.startsWith("stack")) console.log(${JSON.stringify(JSON.stringify(state))}); else { ${succeeds} }`,
      { hasState: true },
    );
    const { code, stdout } = await esign("up", "--yes", "--skip-preview", "--stack", "dev", "--json");
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, events.slice(-2)]).toMatchObject([0, [{ type: "diagnostic", severity: "info" }, { type: "end" }]]);
    expect(events.at(-2).message).toMatch(/^Completed 1 create of an interrupted deployment\./);
  });

  it("has succeeded though its state cannot be read afterwards", async () => {
    const { esign } = project(
      `if (!command.startsWith("stack")) { ${succeeds} }
       else if (fs.readFileSync("calls", "utf8").includes("up --yes")) process.exitCode = 255;
       else console.log('{"deployment":{}}');`,
      { hasState: true },
    );
    expect((await esign("up", "--yes", "--skip-preview", "--stack", "dev")).code).toBe(0);
  });

  it("compares with a plan in a preview of its own, of which only the refusal is shown", async () => {
    const pre = (name: string, more: object) =>
      event({
        resourcePreEvent: {
          metadata: {
            op: "create",
            urn: `urn:pulumi:dev::shop::a:b:C::${name}`,
            type: "a:b:C",
            new: { custom: true },
            ...more,
          },
        },
      });
    const { esign, calls, home } = project(
      `${event({ preludeEvent: {} })} ${pre("planned", {})}
       ${event({ summaryEvent: { resourceChanges: {}, result: "succeeded", isPreview: true } })}
       if (args[0] === "up") {
         const file = args[args.indexOf("--event-log") + 1];
         // Its preview is longer than esign waits between two looks; then it begins the log again.
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
         fs.writeFileSync(file, "");
         ${event({ preludeEvent: { config: {} } })} ${pre("done", {}).replace("resourcePreEvent", "resOutputsEvent")}
         ${event({ summaryEvent: { resourceChanges: {}, result: "succeeded" } })}
       }`,
    );
    save(home, { "plan.json": JSON.stringify({ manifest: {}, resourcePlans: {} }) });
    const { code, stdout } = await esign("up", "--yes", "--stack", "dev", "--plan", "plan.json");
    expect([code, stdout.match(/C +(planned|done)\b/g)]).toEqual([0, ["C  planned", "C done"]]);
    expect(calls().at(-1)).toMatch(/^up --yes --plan \S+ --stack dev/);
  });
});
