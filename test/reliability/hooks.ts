/** Hooks of one run of an engine: in this process, or in one of their own that can be killed. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Handler } from "../../provider/hooks";
import type { HandlerName } from "../../provider/resources/index";
import type { Stage } from "../provider/handlers";

export type HookName = Exclude<keyof Handler, "configure">;

/** What a hook fails with: the members that an engine looks at. */
export class HookFailure extends Error {
  constructor(
    message: string,
    /** The object that exists although the hook failed. */
    readonly id?: string,
    readonly properties?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** One run's hooks. */
export interface Hooks {
  call(handler: HandlerName, hook: HookName, args: unknown[]): Promise<unknown>;
}

/** In this process. `said`: the messages that were shown. */
export function hooksHere(stage: Stage, settings: Record<string, string> = {}): Hooks & { said: string[] } {
  const { said, session: _, ...handlers } = stage.phase(settings);
  return {
    said,
    async call(handler, hook, args) {
      try {
        return await (handlers[handler][hook] as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        const { message, id, properties } = error as HookFailure;
        throw new HookFailure(message, id, properties);
      }
    },
  };
}

interface Answer {
  n?: number;
  result?: unknown;
  failure?: HookFailure;
}

/** In a process of their own. `kill` ends it at once: calls in progress are never answered. */
export async function hooksApart(stage: Stage): Promise<Hooks & { kill(): void; end(): Promise<void> }> {
  const child = fork(join(__dirname, "hooks-process.cjs"), {
    env: {
      PATH: process.env.PATH,
      HOOKS: JSON.stringify({ directory: stage.directory, settings: stage.settings }),
    },
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const waiting = new Map<number, { resolve(result: unknown): void; reject(failure: Error): void }>();
  let calls = 0;
  child.on("error", () => undefined);
  child.on("message", ({ n, result, failure }: Answer) => {
    if (n === undefined) return;
    const { resolve, reject } = waiting.get(n)!;
    waiting.delete(n);
    if (failure === undefined) resolve(result);
    else reject(new HookFailure(failure.message, failure.id, failure.properties));
  });
  await once(child, "message");
  return {
    call: (handler, hook, args) =>
      new Promise((resolve, reject) => {
        const n = ++calls;
        waiting.set(n, { resolve, reject });
        child.send({ n, handler, hook, args }, () => undefined);
      }),
    kill: () => child.kill("SIGKILL"),
    async end() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
    },
  };
}
