/**
 * The same webhooks on the Pulumi CLI, in a program of dynamic resources (JavaScript) and in one of the plugin's (YAML), and with Terraform
 * and a generic REST provider, where that is found (see `_terraform.ts`): CPU time of all that a command starts. The service is in this process.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { stringify } from "yaml";
import { start } from "../emulator";
import { secondsOfChildren, undisturbed } from "./_cpu";
import {
  terraform,
  terraformConfiguration,
  terraformEnvironment,
  terraformInit,
  terraformPlugins,
  terraformWebhook,
} from "./_terraform";

const root = join(__dirname, "..");
const counts = [10, 100];
const rounds = Number(process.env.ROUNDS ?? 3);
/** CPU of the plugin's program: of that of the dynamic one. A refresh runs no program: there the CLI itself is most of both. */
const limits: Record<string, number> = { create: 0.65, "no change": 0.5, refresh: 0.8 };

const directory = mkdtempSync(join(tmpdir(), "bench-languages-"));
const urlOf = (i: number) => `https://hooks.example.com/${i}`;
const numbers = (count: number) => [...Array(count).keys()];

interface Contender {
  files(count: number): Record<string, string>;
  environment(url: string, key: string): Record<string, string>;
  before: string[][];
  /** By what they do. Terraform reads the account in each of them. */
  commands: Record<string, string[]>;
}

const pulumi = (process.env.PATH ?? "").split(delimiter).find((folder) => existsSync(join(folder, "pulumi"))) ?? "";
const cli = (files: Contender["files"]): Contender => ({
  files,
  environment: (url, key) => ({
    ESIGN_BASE_URL: url,
    ESIGN_API_KEY: key,
    ESIGN_EDITION: "current",
    PULUMI_HOME: join(directory, "home"),
    PULUMI_BACKEND_URL: "file://.",
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  }),
  before: [["pulumi", "stack", "init", "bench"]],
  commands: {
    create: ["pulumi", "up", "--yes", "--skip-preview"],
    "no change": ["pulumi", "up", "--yes", "--skip-preview", "--expect-no-changes"],
    refresh: ["pulumi", "refresh", "--yes", "--skip-preview"],
    destroy: ["pulumi", "destroy", "--yes", "--skip-preview"],
  },
});

const contenders: Record<string, Contender> = {
  dynamic: cli((count) => ({
    "Pulumi.yaml": stringify({ name: "bench", runtime: { name: "nodejs", options: { typescript: false } } }),
    "package.json": '{ "name": "bench", "main": "index.js" }',
    "index.js": `
      const esign = require("pulumi-esign");
      for (let i = 0; i < ${count}; i++)
        new esign.Webhook("hook-" + i, { type: "all", url: "${urlOf(0).slice(0, -1)}" + i });`,
  })),
  plugin: cli((count) => ({
    "Pulumi.yaml": stringify({
      name: "bench",
      runtime: "yaml",
      plugins: { providers: [{ name: "esign", path: join(root, "dist/plugin/bin") }] },
      resources: Object.fromEntries(
        numbers(count).map((i) => [`hook-${i}`, { type: "esign:Webhook", properties: { type: "all", url: urlOf(i) } }]),
      ),
    }),
  })),
  terraform: {
    files: (count) => ({
      "main.tf.json": terraformConfiguration(
        Object.fromEntries(numbers(count).map((i) => [`hook-${i}`, terraformWebhook("all", urlOf(i))])),
      ),
    }),
    environment: terraformEnvironment,
    before: [[terraform, ...terraformInit]],
    commands: {
      create: [terraform, "apply", "-auto-approve", "-input=false"],
      "no change": [terraform, "apply", "-auto-approve", "-input=false"],
      refresh: [terraform, "apply", "-refresh-only", "-auto-approve", "-input=false"],
      destroy: [terraform, "destroy", "-auto-approve", "-input=false"],
    },
  },
};

/** CPU seconds of a command with everything that it starts. */
function run(command: string[], cwd: string, env: Record<string, string>): Promise<number> {
  // The shell says at its end how much time its children took.
  const child = spawn(
    "/bin/sh",
    ["-c", '"$@" >output 2>&1 || { tail -c 2000 output >&2; exit 1; }; times', "sh", ...command],
    {
      cwd,
      env: { PATH: process.env.PATH, HOME: directory, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  return new Promise((done, fail) => {
    child.once("error", fail).once("close", (code) => {
      if (code !== 0) fail(new Error(`${command.join(" ")} ended with ${code}`));
      else done(secondsOfChildren(output.trim().split("\n").at(-1)!));
    });
  });
}

/** CPU seconds by what was done. */
async function live(contender: Contender, folder: string, count: number): Promise<Record<string, number>> {
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"));
  symlinkSync(root, join(folder, "node_modules/pulumi-esign"));
  for (const [name, text] of Object.entries(contender.files(count))) writeFileSync(join(folder, name), text);
  // Terraform's provider sends JSON.
  const service = await start({ edition: "current" });
  try {
    const env = contender.environment(service.url, service.keys.account);
    for (const command of contender.before) await run(command, folder, env);
    const seconds: Record<string, number> = {};
    for (const [step, command] of Object.entries(contender.commands)) seconds[step] = await run(command, folder, env);
    return seconds;
  } finally {
    await service.close();
  }
}

/** Of each contender and step, the seconds of each round. */
async function measure(names: string[], count: number): Promise<(name: string, step: string) => number> {
  const costs = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const name of names) {
      const folder = join(directory, `${name}-${count}-${round}`);
      for (const [step, cpu] of Object.entries(await live(contenders[name]!, folder, count)))
        costs.set(`${name} ${step}`, [...(costs.get(`${name} ${step}`) ?? []), cpu]);
    }
  return (name, step) => undisturbed(costs.get(`${name} ${step}`)!);
}

async function main(): Promise<void> {
  if (!["pulumi-language-yaml", "pulumi-language-nodejs"].every((host) => existsSync(join(pulumi, host)))) {
    console.log("Not measured: it needs the Pulumi CLI with the language hosts of YAML and Node on PATH.");
    return;
  }
  const names = Object.keys(contenders).filter((name) => name !== "terraform" || terraformPlugins !== undefined);
  if (!names.includes("terraform")) console.log("Without Terraform: TERRAFORM_PLUGINS names no folder of plugins.");
  for (const count of counts) {
    const secondsOf = await measure(names, count);
    console.log(`${String(count).padEnd(11)}${names.map((name) => name.padStart(10)).join("")}   s CPU`);
    const ratios: Record<string, Record<string, number>> = {};
    for (const step of Object.keys(contenders.plugin!.commands)) {
      console.log(`${step.padEnd(11)}${names.map((name) => secondsOf(name, step).toFixed(2).padStart(10)).join("")}`);
      const others = names.filter((name) => name !== "plugin");
      const ratioTo = (name: string) => Number((secondsOf("plugin", step) / secondsOf(name, step)).toFixed(2));
      ratios[step] = Object.fromEntries(others.map((name) => [name, ratioTo(name)]));
    }
    const ok = Object.entries(limits).every(([step, limit]) => ratios[step]!.dynamic! <= limit);
    console.log(JSON.stringify({ bench: "languages", webhooks: count, pluginTo: ratios, limits, ok }));
    if (!ok) process.exitCode = 1;
  }
}

void main().finally(() => rmSync(directory, { recursive: true, force: true }));
