/** Hooks in this process, over real HTTP against the local service: each phase has a process of its own in the engine, here a session. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import type { Clock } from "../../provider/core/clock";
import type { Properties } from "../../provider/core/pulumi-values";
import { unwrap } from "../../provider/core/pulumi-values";
import { createHandlers, type Handler } from "../../provider/hooks";
import { providerText } from "../../provider/pulumi/resource-class";
import type { HandlerName } from "../../provider/resources/index";
import { Session } from "../../provider/session/session";
import { instanceIdIn, metadataKey } from "../../provider/state/metadata";
import { removePendingCreate } from "../../provider/state/pending-creates";
import { fastClock } from "./fast-clock";

export interface Phase extends Record<HandlerName, Handler> {
  session: Session;
  /** What people were told. */
  said: string[];
}

/** A service, and phases of an engine that work on it. */
export class Stage {
  directory = "";
  /** How long the hooks wait. */
  clock: Clock = fastClock;

  /** With the settings of the partner's account, unless there are others. */
  constructor(
    readonly service: Emulator,
    public settings: Record<string, string> = { apiKey: service.keys.partner, baseUrl: service.url },
  ) {
    this.forget();
  }

  /** Begins in an empty folder. */
  forget(): void {
    this.directory = mkdtempSync(join(tmpdir(), "esign-provider-"));
  }

  /** Begins anew: the service as it was at first, an empty folder, and the partner's settings with these. */
  async renew(more: Record<string, string> = {}): Promise<void> {
    await this.service.reset();
    this.forget();
    this.clock = fastClock;
    this.settings = { apiKey: this.service.keys.partner, baseUrl: this.service.url, ...more };
  }

  /** The engine has answered the program: what was created is in the state. */
  acknowledge({ outs }: { outs: Properties }): void {
    removePendingCreate(this.directory, instanceIdIn(unwrap(outs[metadataKey])));
  }

  /** The hooks of a new phase; those of the same `run` are as the processes of an engine's run. */
  phase(settings: Record<string, string> = {}, run = "", environment: NodeJS.ProcessEnv = {}): Phase {
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    const session = new Session({
      directory: this.directory,
      environment,
      log: say,
      clock: this.clock,
      ...(run !== "" && { run }),
    });
    const handlers = createHandlers(session);
    const config = { ...this.settings, ...settings };
    void handlers.webhook.configure({ config: { get: (key) => config[key.replace(/^esign:/, "")] } });
    return { ...handlers, session, said };
  }
}

export async function stage(options: Parameters<typeof start>[0] = {}): Promise<Stage> {
  return new Stage(await start(options));
}

/** Properties as the engine hands them on: with the provider's text, through the wire, without secret envelopes. */
export function wired(handler: HandlerName, properties: Properties): Properties {
  return unwrap(JSON.parse(JSON.stringify({ ...properties, __provider: providerText(handler) }))) as Properties;
}
