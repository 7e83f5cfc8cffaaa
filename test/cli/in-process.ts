import { Readable } from "node:stream";
import { oncePerPassphrase, requireWarm } from "../../engine/test/warm-processes";
import { bareEnv, type Outcome } from "./esign";

/** Runs a command line, without the name of the command; resolves to the exit code. */
type Run = (args: string[]) => Promise<number>;

let command: Promise<Run> | undefined;

/** The command as it is built, with warm processes; in the fast tests, which need no build and start none, from the sources. */
async function load(): Promise<Run> {
  if (process.env.ESIGN_TESTS === "built") return requireWarm("cli/run").run;
  const [{ run }, { Crypter }] = [await import("../../cli/run.js"), await import("../../engine/secrets/crypter.js")];
  const { create } = Crypter;
  const createOnce = oncePerPassphrase(create);
  return async (args) => {
    Crypter.create = createOnce;
    try {
      return await run(args);
    } finally {
      // Other tests of this process try it.
      Crypter.create = create;
    }
  };
}

function loadEsign(): Promise<Run> {
  command ??= load();
  return command;
}

export interface Options {
  /** The folder that is HOME, and the current one unless there is a `cwd`. */
  home: string;
  cwd?: string;
  env?: Record<string, string>;
  /** Standard input; none by default. */
  input?: string;
}

let last: Promise<unknown> = Promise.resolve();

export const esign = (args: string[], options: Options): Promise<Outcome> => runInProcess(loadEsign, args, options);

/** One after the other: they share this process's environment and streams. */
export function runInProcess(loadRun: () => Promise<Run>, args: string[], options: Options): Promise<Outcome> {
  const outcome = last.then(() => runHere(loadRun, args, options));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runHere(
  loadRun: () => Promise<Run>,
  args: string[],
  { home, cwd = home, env = {}, input = "" }: Options,
): Promise<Outcome> {
  // Which of both it is, the environment says, which is another one then.
  const run = await loadRun();
  const printed = { stdout: "", stderr: "" };
  const release = [capture("stdout", printed), capture("stderr", printed)];
  const { argv } = process;
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin")!;
  const before = { env: { ...process.env }, cwd: process.cwd() };
  process.chdir(cwd);
  setEnv({ ...bareEnv(home), ...env });
  process.argv = [process.execPath, "esign", ...args];
  const chunks = input === "" ? [] : [Buffer.from(input)];
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from(chunks, { objectMode: false }) });
  try {
    return { code: await run(args), ...printed };
  } finally {
    setEnv(before.env);
    process.chdir(before.cwd);
    process.argv = argv;
    Object.defineProperty(process, "stdin", stdin);
    for (const end of release) end();
  }
}

/** Keeps what is written to a stream, until the function that it returns is called. */
function capture(name: "stdout" | "stderr", printed: Record<"stdout" | "stderr", string>): () => void {
  const stream = process[name];
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array, ...callbacks: unknown[]) => {
    printed[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    for (const callback of callbacks) if (typeof callback === "function") callback();
    return true;
  };
  return () => {
    stream.write = write;
  };
}

/** In place, since Node itself reads some of it. */
function setEnv(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

/** The same for many runs in a folder, whose output is one text. What `variables` has at the time is in the environment. */
export const inProcess =
  (home: string, variables: Record<string, string> = {}) =>
  async (...args: string[]): Promise<{ code: number | null; output: string }> => {
    const env = { PULUMI_CONFIG_PASSPHRASE: "correct-horse", PULUMI_BACKEND_URL: `file://${home}`, ...variables };
    const { code, stdout, stderr } = await esign(args, { home, env });
    return { code, output: stderr + stdout };
  };
