/** The service of examples/sign-up as a process, with its database in another and the emulator in this one. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Pool } from "pg";
import { type Emulator, type SettingsInput, start } from "../../emulator";
import { bareEnv, root, sharedKeys } from "../cli/esign";
import { temporaryFolder } from "../files";

export const token = "a-token-of-sixteen-characters";

export const wanted = (id: string) => ({
  name: `${id} Ltd`,
  owner: { name: "Ann", email: `ann@${id}.example` },
  colour: `#${Buffer.from(id).toString("hex").toUpperCase().slice(-6).padStart(6, "0")}`,
  hooks: `https://${id}.example/hooks`,
});

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what the service sends
  body: any;
}

export class SignUp {
  url = "";
  /** What the service has printed, with its earlier lives. */
  output = "";
  #child: ChildProcess | undefined;

  readonly #env: NodeJS.ProcessEnv;
  readonly #release: () => Promise<void>;

  private constructor(
    readonly emulator: Emulator,
    readonly database: Pool,
    readonly folder: string,
    env: NodeJS.ProcessEnv,
    release: () => Promise<void>,
  ) {
    this.#env = env;
    this.#release = release;
  }

  static async open(settings: SettingsInput, env: Record<string, string> = {}): Promise<SignUp> {
    const home = temporaryFolder();
    const folder = join(home, "sign-up");
    cpSync(join(root, "examples/sign-up"), folder, {
      recursive: true,
      filter: (path) => !/[\\/](node_modules|data|stacks|\.pulumi|\.esign)$/.test(path),
    });
    symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
    const emulator = await start(settings);
    const postgres = spawn(process.execPath, [join(root, "test/examples/sign-up-database.mjs")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [url] = await once(postgres.stdout, "data");
    const connectionString = String(url).trim();
    const database = new Pool({ connectionString });
    const all = {
      ...bareEnv(home),
      ESIGN_BASE_URL: emulator.url,
      ESIGN_API_KEY: emulator.keys.partner,
      PULUMI_CONFIG_PASSPHRASE: "correct horse",
      NODE_OPTIONS: sharedKeys,
      DATABASE_URL: connectionString,
      // PGlite mixes the messages of several.
      DATABASE_CONNECTIONS: "1",
      SIGN_UP_TOKEN: token,
      PORT: "0",
      ...env,
    };
    return new SignUp(emulator, database, folder, all, async () => {
      await database.end();
      postgres.kill("SIGKILL");
      await emulator.close();
    });
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ["--import", "tsx", "service.ts"], {
      cwd: this.folder,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, with the engines that it starts.
      detached: true,
    });
    this.#child = child;
    const url = new Promise<string>((done, fail) => {
      let text = "";
      const read = (data: Buffer) => {
        text += data;
        this.output += data;
        const [, found] = /Server listening at (http:[^"]+)"/.exec(text) ?? [];
        if (found !== undefined) done(found);
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", (code) => fail(new Error(`exit code ${code}: ${text}`)));
    });
    this.url = await url;
  }

  /** @param group whether its engines get the signal, too */
  async stop(signal: NodeJS.Signals, group = false): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, "exit");
    process.kill(group ? -child.pid! : child.pid!, signal);
    const [code] = await ended;
    return code;
  }

  /** Until the log has it. */
  async waitFor(text: string): Promise<void> {
    while (!this.output.includes(`"${text}"`)) await setTimeout(50);
  }

  async ask(method: string, path: string, body?: unknown, authorization = `Bearer ${token}`): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  }

  async close(): Promise<void> {
    await this.stop("SIGKILL", true);
    await this.#release();
  }
}
