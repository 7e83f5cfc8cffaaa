/** Real programs on a real engine: a folder of its own for each, the built package, and the local service over HTTP. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { ResourceKind } from "../../definitions/model";
import { linkPackages, main, withSharedKeys } from "../cli/esign";
import { esign } from "../cli/in-process";
import { save, temporaryFolder } from "../files";
import { type Form, formOf } from "./program-forms";

export type EngineName = "embedded" | "pulumi";

export const findOnPath = (name: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/** The Pulumi CLI, where there is one. */
const pulumi = findOnPath("pulumi");

export const hasPulumi = pulumi !== undefined;

/** The engines that this machine has. */
export const engines: EngineName[] = hasPulumi ? ["embedded", "pulumi"] : ["embedded"];

/** The forms that an engine runs on this machine. */
export const formsOf = (engine: EngineName, ...wanted: Form[]): Form[] =>
  wanted.filter((form) => {
    const { host, tool } = formOf(form);
    if (tool !== undefined && findOnPath(tool) === undefined) return false;
    return host === undefined || (engine === "pulumi" && existsSync(join(dirname(pulumi!), host)));
  });

/** One resource of the program. `account` may name another one. */
export interface Wanted {
  kind: ResourceKind;
  name: string;
  args: Record<string, unknown>;
  opts?: Record<string, unknown>;
  /** A webhook whose id is the end of the `url`. */
  after?: string;
  /** What is created before it: for programs in Node and YAML. */
  dependsOn?: string[];
}

interface StateResource {
  urn: string;
  type: string;
  id?: string;
  /** URN and id. */
  provider?: string;
  inputs?: object;
  outputs?: object;
}

export interface Outcome {
  code: number | null;
  output: string;
}

/** What runs no program has no choice of an engine. */
const embedded = ([command]: string[]): string[] => (command === "drift" ? [] : ["--engine", "embedded"]);

/** A project with one stack. */
export class Program {
  readonly home = temporaryFolder();
  readonly folder = join(this.home, "program");
  readonly stack = "dev";
  wanted: Wanted[] = [];
  /** All that any command has printed. */
  printed = "";
  /** For the process of the built-in engine: another Node, options of it, and variables. */
  launch: { executable?: string; node?: string[]; environment?: NodeJS.ProcessEnv } = {};

  constructor(
    readonly engine: EngineName,
    program?: string,
    readonly form: Form = "dynamic",
  ) {
    mkdirSync(join(this.home, "state"));
    linkPackages(this.folder);
    save(this.folder, { ...formOf(form).files, ...(program !== undefined && { "index.js": program }) });
  }

  /** Makes the stack and configures the account. */
  async begin(settings: { apiKey: string; baseUrl: string }): Promise<void> {
    for (const command of formOf(this.form).setup ?? []) await this.succeed(...command);
    await this.succeed("stack", "init", this.stack);
    await this.configure("--secret", "esign:apiKey", settings.apiKey);
    await this.configure("esign:baseUrl", settings.baseUrl);
  }

  configure(...args: string[]): Promise<Outcome> {
    return this.succeed("config", "set", "--stack", this.stack, ...args);
  }

  /** An operation that must succeed. */
  async operate(verb: "up" | "refresh" | "destroy", ...args: string[]): Promise<Outcome> {
    return this.succeed(verb, "--yes", "--skip-preview", "--stack", this.stack, ...args);
  }

  async succeed(...args: string[]): Promise<Outcome> {
    const outcome = await this.run(...args);
    if (outcome.code !== 0) throw new Error(`${args.join(" ")} ended with ${outcome.code}:\n${outcome.output}`);
    return outcome;
  }

  /** Runs a command: in this process where the engine is the embedded one, and nothing about its own process matters. */
  async run(...args: string[]): Promise<Outcome> {
    this.#save();
    const { executable, node, environment } = this.launch;
    const isAlone = executable !== undefined || node !== undefined || environment?.NODE_OPTIONS !== undefined;
    if (this.engine === "pulumi" || isAlone) return this.#spawn(args).outcome;
    const options = { home: this.home, cwd: this.folder, env: this.#environment() as Record<string, string> };
    const { code, stdout, stderr } = await esign([...args, ...embedded(args)], options);
    const output = stderr + stdout;
    this.printed += output;
    return { code, output };
  }

  /** Begins a command, in a group of processes of its own. */
  start(...args: string[]) {
    this.#save();
    const { child, outcome } = this.#spawn(args, true);
    const says = (text: string) =>
      new Promise<void>((resolve) => {
        child.stderr!.on("data", (chunk: string) => {
          if (chunk.includes(text)) resolve();
        });
      });
    return { child, pid: child.pid!, outcome, says };
  }

  #save(): void {
    const { filesOf } = formOf(this.form);
    if (filesOf !== undefined) save(this.folder, filesOf(this.wanted));
  }

  #spawn(args: string[], detached = false): { child: ChildProcess; outcome: Promise<Outcome> } {
    const { executable = process.execPath, node = [] } = this.launch;
    const options = executable === process.execPath ? [...withSharedKeys, ...node] : node;
    const [command, ...before] = this.engine === "pulumi" ? [pulumi!] : [executable, ...options, main];
    const after = this.engine === "pulumi" ? ["--non-interactive"] : embedded(args);
    const child = spawn(command!, [...before, ...args, ...after], {
      cwd: this.folder,
      env: this.#environment(),
      stdio: ["ignore", "pipe", "pipe"],
      detached,
    });
    const outcome = new Promise<Outcome>((done, fail) => {
      let output = "";
      const collect = (chunk: string) => {
        output += chunk;
      };
      child.stdout.setEncoding("utf8").on("data", collect);
      child.stderr.setEncoding("utf8").on("data", collect);
      child.once("error", fail);
      child.once("close", (code) => {
        this.printed += output;
        done({ code, output });
      });
    });
    return { child, outcome };
  }

  /** Texts of all files that the program, the engine and the backend have left. */
  files(): Map<string, string> {
    const found = new Map<string, string>();
    for (const entry of readdirSync(this.home, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && !path.includes("node_modules")) found.set(path, readFileSync(path, "utf8"));
    }
    return found;
  }

  /** The resources of the state. */
  async state(): Promise<StateResource[]> {
    const path = join(this.home, `state/.pulumi/stacks/program/${this.stack}.json`);
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).checkpoint.latest?.resources ?? []) : [];
  }

  #environment(): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(ESIGN_|PULUMI_|npm_|NODE_OPTIONS|VITEST|NODE_ENV|CI$)/.test(name),
    );
    return {
      ...Object.fromEntries(inherited),
      HOME: this.home,
      PULUMI_HOME: join(this.home, "pulumi-home"),
      PULUMI_BACKEND_URL: `file://${join(this.home, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "correct-horse",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      NO_COLOR: "1",
      WANTED: JSON.stringify(this.wanted),
      ...formOf(this.form).environment?.(),
      ...this.launch.environment,
    };
  }
}
