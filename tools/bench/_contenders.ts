/**
 * The same webhooks kept by a script, by programs on an engine, and by Terraform: what each has in its folder, and the commands of its life.
 * What is not on this machine is left out: the Pulumi CLI with its language hosts on PATH, Terraform (see `_terraform.ts`).
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { stringify } from "yaml";
import { start } from "../../emulator";
import { secondsOfChildren, undisturbed } from "./_cpu";
import {
  terraform,
  terraformConfiguration,
  terraformEnvironment,
  terraformInit,
  terraformPlugins,
  terraformWebhook,
} from "./_terraform";

const root = join(__dirname, "../..");
const rounds = Number(process.env.ROUNDS ?? 3);

export interface Contender {
  isFound: boolean;
  files(urls: readonly string[]): Record<string, string>;
  environment(url: string, key: string): Record<string, string>;
  before: string[][];
  /** By what they do: {@link phases}. */
  commands: Record<Phase, string[]>;
}

export const phases = ["create", "no change", "update", "refresh", "destroy"] as const;
export type Phase = (typeof phases)[number];

/** Seconds. */
export interface Cost {
  wall: number;
  /** Of the command with everything that it starts. */
  cpu: number;
}

const hosts = (process.env.PATH ?? "").split(delimiter);
const isOnPath = (name: string) => hosts.some((folder) => existsSync(join(folder, name)));
const isNodeOnPath = isOnPath("pulumi") && isOnPath("pulumi-language-nodejs");
const builtIn = [process.execPath, join(root, "dist/cli/main.js")];
const settings = (url: string, key: string) => ({ ESIGN_BASE_URL: url, ESIGN_API_KEY: key, ESIGN_EDITION: "current" });

/** The commands of an engine, which takes the same ones whichever it is. */
const onEngine = (
  command: string[],
  files: Contender["files"],
  { options = [], isFound = true }: { options?: string[]; isFound?: boolean } = {},
): Contender => {
  const run = (verb: string, ...more: string[]) => [...command, verb, "--yes", "--skip-preview", ...options, ...more];
  return {
    isFound,
    files,
    environment: (url, key) => ({
      ...settings(url, key),
      PULUMI_HOME: "../../home",
      PULUMI_BACKEND_URL: "file://.",
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    }),
    before: [[...command, "stack", "init", "bench", ...options]],
    commands: {
      create: run("up"),
      "no change": run("up", "--expect-no-changes"),
      update: run("up"),
      refresh: run("refresh"),
      destroy: run("destroy"),
    },
  };
};

const dynamicProgram: Contender["files"] = (urls) => ({
  "Pulumi.yaml": stringify({ name: "bench", runtime: { name: "nodejs", options: { typescript: false } } }),
  "package.json": '{ "name": "bench", "main": "index.js" }',
  "index.js": `
    const esign = require("pulumi-esign");
    ${JSON.stringify(urls)}.forEach((url, i) => new esign.Webhook("hook-" + i, { type: "all", url }));`,
});

const typescriptProgram: Contender["files"] = (urls) => ({
  "Pulumi.yaml": stringify({ name: "bench", runtime: "nodejs" }),
  "package.json": '{ "name": "bench", "main": "index.ts" }',
  "tsconfig.json": '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": true } }',
  "index.ts": `
    import * as esign from "pulumi-esign";
    const urls: string[] = ${JSON.stringify(urls)};
    urls.forEach((url, i) => new esign.Webhook("hook-" + i, { type: "all", url }));`,
});

/** The same number of resources of a provider that does nothing: what is left is the engine's, the SDK's and Node's. */
const idleProgram: Contender["files"] = (urls) => ({
  "Pulumi.yaml": dynamicProgram(urls)["Pulumi.yaml"]!,
  "package.json": dynamicProgram(urls)["package.json"]!,
  "engine-provider.js": readFileSync(join(__dirname, "engine-provider.js"), "utf8"),
  "index.js": `
    const { CustomResource } = require("@pulumi/pulumi");
    const __provider = 'exports.handler = () => require("./engine-provider").item;';
    class Idle extends CustomResource {
      constructor(name, props) {
        super("pulumi-nodejs:dynamic/bench:Idle", name, { value: undefined, ...props, __provider });
      }
    }
    ${JSON.stringify(urls)}.forEach((url, i) => new Idle("hook-" + i, { name: "hook-" + i, text: url }));`,
});

const pluginProgram: Contender["files"] = (urls) => ({
  "Pulumi.yaml": stringify({
    name: "bench",
    runtime: "yaml",
    plugins: { providers: [{ name: "esign", path: join(root, "dist/plugin/bin") }] },
    resources: Object.fromEntries(
      urls.map((url, i) => [`hook-${i}`, { type: "esign:Webhook", properties: { type: "all", url } }]),
    ),
  }),
});

const script = (phase: Phase) => [process.execPath, join(__dirname, "phases-script.mjs"), phase];
const apply = (verb: string, ...more: string[]) => [terraform, verb, ...more, "-auto-approve", "-input=false"];

export const contenders = {
  /** What a careful person writes in an hour: fetch, the ids in a file, 50 requests at once. */
  script: {
    isFound: true,
    files: (urls) => ({ "urls.json": JSON.stringify(urls) }),
    environment: settings,
    before: [],
    commands: Object.fromEntries(phases.map((phase) => [phase, script(phase)])) as Contender["commands"],
  },
  terraform: {
    isFound: terraformPlugins !== undefined,
    files: (urls) => ({
      "main.tf.json": terraformConfiguration(
        Object.fromEntries(urls.map((url, i) => [`hook-${i}`, terraformWebhook("all", url)])),
      ),
    }),
    environment: terraformEnvironment,
    before: [[terraform, ...terraformInit]],
    commands: {
      create: apply("apply"),
      "no change": apply("apply"),
      update: apply("apply"),
      refresh: apply("apply", "-refresh-only"),
      destroy: apply("destroy"),
    },
  },
  /** `esign` with dynamic resources. */
  "built-in": onEngine(builtIn, dynamicProgram, { options: ["--engine", "embedded"] }),
  /** The same in TypeScript, which is compiled without a check of its types. */
  typescript: onEngine(builtIn, typescriptProgram, { options: ["--engine", "embedded"] }),
  /** The same engine with a program in YAML: one process. */
  yaml: onEngine(builtIn, pluginProgram, { options: ["--engine", "embedded"] }),
  /** The same engine with a provider that does nothing. */
  idle: onEngine(builtIn, idleProgram, { options: ["--engine", "embedded"] }),
  /** The Pulumi CLI with dynamic resources, with such that do nothing, and with those of the plugin. */
  dynamic: onEngine(["pulumi"], dynamicProgram, { isFound: isNodeOnPath }),
  "CLI idle": onEngine(["pulumi"], idleProgram, { isFound: isNodeOnPath }),
  plugin: onEngine(["pulumi"], pluginProgram, { isFound: isOnPath("pulumi") && isOnPath("pulumi-language-yaml") }),
} satisfies Record<string, Contender>;

function run(command: string[], cwd: string, env: Record<string, string>): Promise<Cost> {
  const since = performance.now();
  // The shell says at its end how much time its children took.
  const child = spawn("/bin/sh", ["-c", '"$@" >output 2>&1; code=$?; times; exit $code', "sh", ...command], {
    cwd,
    env: { PATH: process.env.PATH, HOME: dirname(cwd), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let times = "";
  child.stdout.on("data", (text) => {
    times += text;
  });
  return new Promise((done, fail) => {
    child.once("error", fail).once("close", (code) => {
      if (code === 0)
        return done({
          wall: (performance.now() - since) / 1000,
          cpu: secondsOfChildren(times.trim().split("\n").at(-1)!),
        });
      const output = readFileSync(join(cwd, "output"), "utf8").slice(-2000);
      fail(new Error(`${command.join(" ")} ended with ${code}: ${output}`));
    });
  });
}

/**
 * The life of an account, in a folder of its own: what each phase costs. The service is in this process.
 * @param latency of each response, in milliseconds
 */
async function live(
  { files, environment, before, commands }: Contender,
  folder: string,
  { count, latency }: { count: number; latency: number },
): Promise<Record<Phase, Cost>> {
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"));
  symlinkSync(root, join(folder, "node_modules/pulumi-esign"));
  const declare = (path: string) => {
    const urls = Array.from({ length: count }, (_, i) => `https://hooks.example.com/${path}${i}`);
    for (const [name, text] of Object.entries(files(urls))) writeFileSync(join(folder, name), text);
  };
  // Terraform's provider sends JSON.
  const service = await start({ edition: "current", latency });
  try {
    const env = environment(service.url, service.keys.account);
    declare("");
    for (const command of before) await run(command, folder, env);
    const costs: Partial<Record<Phase, Cost>> = {};
    for (const phase of phases) {
      if (phase === "update") declare("new/");
      costs[phase] = await run(commands[phase], folder, env);
    }
    return costs as Record<Phase, Cost>;
  } finally {
    await service.close();
  }
}

/** Seconds of a contender in a phase, undisturbed. */
export type Seconds = (name: string, phase: Phase) => number;

/** Lives of all, in rounds: the seconds of one kind of cost, shown as a table. */
export async function compare(
  compared: Record<string, Contender>,
  directory: string,
  { count, latency, cost }: { count: number; latency: number; cost: keyof Cost },
): Promise<Seconds> {
  const names = Object.keys(compared);
  const costs = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const [name, contender] of Object.entries(compared)) {
      const life = await live(contender, join(directory, `${name}-${count}-${round}`), { count, latency });
      for (const phase of phases)
        costs.set(`${name} ${phase}`, [...(costs.get(`${name} ${phase}`) ?? []), life[phase][cost]]);
    }
  const seconds: Seconds = (name, phase) => undisturbed(costs.get(`${name} ${phase}`)!);
  console.log(`${String(count).padEnd(11)}${names.map((name) => name.padStart(10)).join("")}   s ${cost}`);
  for (const phase of phases)
    console.log(`${phase.padEnd(11)}${names.map((name) => seconds(name, phase).toFixed(2).padStart(10)).join("")}`);
  return seconds;
}

/** By phase, the seconds of one contender as a ratio to those of each other one. */
export const ratiosOf = (own: string, names: readonly string[], seconds: Seconds) =>
  Object.fromEntries(
    phases.map((phase) => {
      const others = names.filter((name) => name !== own);
      const ratioTo = (name: string) => Number((seconds(own, phase) / seconds(name, phase)).toFixed(2));
      return [phase, Object.fromEntries(others.map((name) => [name, ratioTo(name)]))];
    }),
  ) as Record<Phase, Record<string, number>>;
