/** Starts services for the next run while the caller still waits for other things, such as the encryption key. */
import { isDeepStrictEqual } from "node:util";
import type { RunOptions } from "../../api";
import type { Operation } from "../../events";
import { openSecrets } from "../stack-secrets";
import { environmentOf, servicesOptions } from "../start-program";
import type { UpdateTarget } from "../update-context";
import { type RunServices, startServices } from "./run-services";

export class PreparedServices {
  #next: { env: NodeJS.ProcessEnv; services: Promise<RunServices> } | undefined;

  readonly #stack: UpdateTarget;

  constructor(stack: UpdateTarget) {
    this.#stack = stack;
  }

  /** Resolves when they have started or failed to start. After a failure, the run starts its own and reports the error. */
  readonly start = async (operation: Operation, options: RunOptions): Promise<void> => {
    const services = this.#begin(operation, options);
    this.#next = { env: environmentOf({ stack: this.#stack, options }), services };
    await services.catch(() => undefined);
  };

  /** Returns the services that suit a run; the run ends them. */
  readonly take = async (env: NodeJS.ProcessEnv): Promise<RunServices | undefined> => {
    const next = this.#next;
    if (next === undefined || !isDeepStrictEqual(next.env, env)) return undefined;
    this.#next = undefined;
    return next.services.catch(() => undefined);
  };

  /** Ends the services that no run has used. */
  readonly close = async (): Promise<void> => {
    const services = await this.#next?.services.catch(() => undefined);
    this.#next = undefined;
    await services?.close();
  };

  async #begin(operation: Operation, options: RunOptions): Promise<RunServices> {
    const stack = this.#stack;
    const checkpoint = await stack.backend.load(stack.name);
    const file = await stack.readSettingsFile();
    // Does not ask for a passphrase, since the command may fail before it needs one.
    const openAhead = async () =>
      (await stack.passphrases.isKnown()) && openSecrets(stack.passphrases, checkpoint, file, false);
    openAhead().catch(() => undefined);
    const runsProgram = operation === "update" || operation === "preview" || options.runProgram === true;
    return startServices(stack, servicesOptions({ stack, options, runsProgram }, checkpoint));
  }
}
