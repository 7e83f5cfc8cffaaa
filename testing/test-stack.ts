/** A stack for a test: a project, deployed to an emulator of its own, with its state in a temporary folder. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isMap, parseDocument } from "yaml";
import { type Emulator, type LogEntry, type Options, start } from "../emulator";
import { projectFileNames, stackConfigFile } from "../engine/config/file-names";
import { setsAccount } from "../provider/core/setting-names";
import { type Outcome, parseEvents, type RunEvent, runEsign } from "./run-esign";

export interface TestStackOptions {
  /**
   * Name of the stack. If the project has a `Pulumi.<name>.yaml`, a copy of it configures the stack, without `esign:apiKey`,
   * `esign:baseUrl` and `esign:expectAccount`. Default: `test`.
   */
  stack?: string | undefined;
  /**
   * More configuration, by key: `{ "shop:endpoint": "https://…" }`. A key without a namespace is the project's. The account is always the
   * emulator's: `esign:apiKey`, `esign:baseUrl` and `esign:expectAccount` are refused.
   */
  config?: Record<string, string> | undefined;
  /** The emulator to deploy to, such as one with data; or the options of a new one, such as its `seed`. */
  emulator?: Emulator | Options | undefined;
  /** Added to the environment of the program. */
  env?: Record<string, string> | undefined;
}

/** What a run does, or a preview would do, to one object of the account. Unchanged objects have none. */
export interface TestEffect {
  /** The resource's class: `Webhook`. */
  kind: string;
  /** The resource's name in the program. */
  name: string;
  /** The effect in the words of the plan, with hyphens: `create`, `adopt-and-update`, `restore`, … */
  effect: string;
  /** The arguments whose values are written. */
  fields: string[];
}

export interface TestRun {
  effects: TestEffect[];
  /** How many requests change the account, or would, at most; undefined where that is not known. */
  writes: number | undefined;
  /** Requests that reached the emulator, a preview's included. */
  requests: LogEntry[];
  warnings: string[];
}

/** A run that failed: the program, a resource or the service refused something. */
export class TestRunError extends Error {
  override readonly name = "TestRunError";
  constructor(
    readonly command: string,
    /** What was reported as an error. */
    readonly errors: readonly string[],
    /** What the run did until then. */
    readonly run: TestRun,
  ) {
    super(`esign ${command} failed:\n${errors.join("\n")}`);
  }
}

/** @param folder - the project: the folder of Pulumi.yaml */
export async function testStack(folder: string, options: TestStackOptions = {}): Promise<TestStack> {
  const { emulator = {}, stack = "test", config = {} } = options;
  const named = Object.keys(config).find(isOfAccount);
  if (named !== undefined)
    throw new Error(`testStack: config has ${named}, but a test deploys to its emulator. Leave it out of config.`);
  const project = copyProject(resolve(folder), stack);
  const isOurs = !("requests" in emulator);
  const service = isOurs ? await start(emulator) : emulator;
  const close = async () => {
    if (isOurs) await service.close();
    rmSync(project, { recursive: true, force: true });
  };
  try {
    const created = new TestStack(service, project, stack, options.env ?? {}, close);
    await created.initialize(config);
    return created;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A folder with the project's settings, whose program stays where it is: neither state nor configuration is written beside the program. */
function copyProject(folder: string, stack: string): string {
  const file = projectFileNames.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`there is no Pulumi.yaml in ${folder}`);
  const project = parseDocument(withoutAccount(file));
  const settings = project.toJS() as Settings;
  const configuration = stackConfigFile(file, settings, stack);
  const stackSettings = existsSync(configuration) ? withoutAccount(configuration) : undefined;
  const copy = mkdtempSync(join(tmpdir(), "esign-test-"));
  const copiedFile = join(copy, "Pulumi.yaml");
  for (const name of ["backend", "stackConfigDir"]) project.delete(name);
  // In older projects it is the folder of the stacks' configuration.
  if (typeof settings.config === "string") project.delete("config");
  project.set("main", resolve(folder, settings.main ?? "."));
  writeFileSync(copiedFile, project.toString());
  if (stackSettings !== undefined) writeFileSync(stackConfigFile(copiedFile, {}, stack), stackSettings);
  return copy;
}

interface Settings {
  main?: string;
  config?: unknown;
  stackConfigDir?: string;
}

const isOfAccount = (key: string): boolean => setsAccount(key) || /^esign:(config:)?expectAccount$/.test(key);

/**
 * A file of settings without the account that it names: configuration overrides the environment, so the run would reach that account. All
 * else is copied in the form in which it is written.
 */
function withoutAccount(file: string): string {
  const text = readFileSync(file, "utf8");
  // With this schema all values are texts: none gets another form.
  const document = parseDocument(text, { schema: "failsafe", merge: true });
  const [error] = document.errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  const namesOf = () => (document.contents === null ? [] : Object.keys(Object(Object(document.toJS()).config)));
  const names = namesOf().filter(isOfAccount);
  if (names.length === 0) return text;
  if (isMap(document.get("config"))) for (const name of names) document.deleteIn(["config", name]);
  const left = namesOf().find(isOfAccount);
  if (left !== undefined)
    throw new Error(`${file}: ${left} comes from another part of the file (<<, *): write it under config`);
  return document.toString({ lineWidth: 0 });
}

export class TestStack {
  readonly #project: string;
  readonly #stack: string;
  readonly #env: Record<string, string>;

  /** @internal use {@link testStack} */
  constructor(
    /** The service that the stack is deployed to: its data, requests, emails and faults. */
    readonly emulator: Emulator,
    project: string,
    stack: string,
    env: Record<string, string>,
    /** Removes the state, and stops the emulator if it is the stack's own. */
    readonly close: () => Promise<void>,
  ) {
    this.#project = project;
    this.#stack = stack;
    this.#env = env;
  }

  /** @internal */
  async initialize(config: Record<string, string>): Promise<void> {
    await this.#output(["stack", "init"], [this.#stack]);
    const values = Object.entries(config).map(([key, value]) => [key, { value }]);
    if (values.length > 0)
      await this.#output(["config", "set-all", "--json", JSON.stringify(Object.fromEntries(values))]);
  }

  /** What `up` would do. @throws {TestRunError} if it would refuse something */
  preview(): Promise<TestRun> {
    return this.#run("preview", []);
  }

  up(): Promise<TestRun> {
    return this.#run("up", ["--yes", "--skip-preview"]);
  }

  refresh(): Promise<TestRun> {
    return this.#run("refresh", ["--yes", "--skip-preview"]);
  }

  destroy(): Promise<TestRun> {
    return this.#run("destroy", ["--yes", "--skip-preview"]);
  }

  /** The outputs of the stack, secrets included. */
  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.#output(["stack", "output", "--json", "--show-secrets"])) as Record<string, unknown>;
  }

  async #run(command: string, args: string[]): Promise<TestRun> {
    // The log of requests may be full.
    const before = this.emulator.counts().total;
    const { code, stdout, stderr } = await this.#esign([command, ...args, "--json"]);
    const events = parseEvents(stdout);
    const requests = this.emulator.requests().filter(({ n }) => n > before);
    const run = { ...summarize(events), requests };
    if (code === 0) return run;
    const errors = messages(events, "error");
    throw new TestRunError(command, errors.length > 0 ? errors : [stderr.trim()], run);
  }

  async #output(args: readonly string[], operands: readonly string[] = []): Promise<string> {
    const { code, stdout, stderr } = await this.#esign(args, operands);
    if (code !== 0) throw new Error(`esign ${[...args, ...operands].join(" ")} failed:\n${stderr.trim()}`);
    return stdout;
  }

  /** @param operands - what the command is about: values of any form, also that of an option */
  #esign(args: readonly string[], operands: readonly string[] = []): Promise<Outcome> {
    const settings = {
      ESIGN_BASE_URL: this.emulator.url,
      ESIGN_API_KEY: this.emulator.keys.partner,
      PULUMI_BACKEND_URL: `file://${this.#project}`,
      PULUMI_STACK: this.#stack,
    };
    // The account of a test is not the one that the environment expects.
    const defaults = {
      PULUMI_CONFIG_PASSPHRASE: process.env.PULUMI_CONFIG_PASSPHRASE ?? "",
      ESIGN_EXPECT_ACCOUNT: undefined,
    };
    // The Pulumi CLI would bring its own settings along, such as a login.
    const command = [...args, "--engine", "embedded", "--", ...operands];
    return runEsign(command, this.#project, { ...process.env, ...defaults, ...this.#env, ...settings });
  }
}

export function summarize(events: readonly RunEvent[]): Omit<TestRun, "requests"> {
  const isPreview = events.some((event) => event.type === "end" && event.result?.preview);
  const status = isPreview ? "planned" : "done";
  const effects = events.flatMap((event) => (event.type === "step" && event.status === status ? toEffect(event) : []));
  return {
    effects,
    writes: writesOf(events.findLast((event) => event.type === "end")),
    warnings: messages(events, "warning"),
  };
}

/** A run that was not completed may have written anything; one without resources of an account reports none. */
function writesOf(end: RunEvent | undefined): number | undefined {
  if (end === undefined) return undefined;
  const { writes } = end.account ?? { writes: 0 };
  return typeof writes === "number" ? writes : writes.most;
}

function toEffect({ step }: RunEvent): TestEffect[] {
  if (step?.effect === undefined) return [];
  const kind = step.type.slice(step.type.lastIndexOf(":") + 1);
  return [{ kind, name: step.name, effect: step.effect, fields: (step.fields ?? []).map(({ field }) => field) }];
}

const messages = (events: readonly RunEvent[], severity: string): string[] =>
  events.flatMap((event) => (event.type === "diagnostic" && event.severity === severity ? [event.message ?? ""] : []));
