/**
 * Sessions for planned deletions, for which the engine does not call the provider. The state names each resource's provider: the stack's
 * default one, or an explicit one, whose settings are in the state.
 */
import type { Clock } from "../../core/clock";
import { type Properties, unwrapAll } from "../../core/pulumi-values";
import { type StateView, stackProviders } from "../../plan/deleting-steps";
import type { Configuration } from "../../session/provider-config";
import { Session } from "../../session/session";

/** For a session outside a run, which only reads the account of a stack. */
export interface StackSessionOptions {
  /** Of the stack. */
  configuration: Configuration;
  environment: NodeJS.ProcessEnv;
  /** Folder of the program. Default: the current one. */
  directory?: string;
  /** Shows what is waited for; an empty text ends it. */
  logWait?: (notice: string) => void;
  /** Default: the system's. */
  clock?: Clock;
}

export function openSession({ configuration, environment, directory, logWait, clock }: StackSessionOptions): Session {
  const session = new Session({
    ...{ environment, log: () => undefined },
    ...(directory && { directory }),
    ...(logWait && { logWait }),
    ...(clock && { clock }),
  });
  session.connection.configure(configuration);
  return session;
}

/** What goes with an explicit provider's key is not the stack's. */
const ownSettings: ReadonlySet<string> = new Set(["esign:apiKey", "esign:expectAccount"]);

export class AccountSessions {
  readonly #ofStack: ReadonlySet<string>;
  readonly #sessions = new Map<string, Session | undefined>();

  constructor(
    /** The state with its secrets. */
    readonly state: readonly StateView[],
    readonly options: StackSessionOptions,
  ) {
    this.#ofStack = stackProviders(state);
  }

  /** `provider`: a reference to it. Undefined while settings are missing, or where the state does not have them. */
  of(provider: string): Session | undefined {
    const name = provider === "" || this.#ofStack.has(provider) ? "" : provider;
    if (!this.#sessions.has(name)) {
      const configuration = name === "" ? this.options.configuration : this.#configurationOf(name);
      const session = configuration && openSession({ ...this.options, configuration });
      this.#sessions.set(name, session?.connection.isKnown ? session : undefined);
    }
    return this.#sessions.get(name);
  }

  #configurationOf(provider: string): Configuration | undefined {
    const view = this.state.find(({ urn, id }) => `${urn}::${id}` === provider);
    if (view === undefined) return undefined;
    const config: Properties = unwrapAll(view.outputs);
    // The SDK's dynamic provider has the names of the stack's configuration.
    const own = (key: string) => config[key] ?? config[key.replace(/^esign:/, "")];
    if (typeof own("esign:apiKey") !== "string") return undefined;
    const get = (key: string): string | undefined => {
      const value = own(key);
      if (value !== undefined && value !== null) return typeof value === "string" ? value : JSON.stringify(value);
      return ownSettings.has(key) ? undefined : this.options.configuration.get(key);
    };
    return { get };
  }
}
