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

  /** Resolves when they have begun; also when they could not: the run starts its own, and says what is wrong. */
  readonly start = async (operation: Operation, options: RunOptions): Promise<void> => {
    const services = this.#begin(operation, options);
    this.#next = { env: environmentOf({ stack: this.#stack, options }), services };
    await services.catch(() => undefined);
  };

  /** Those that fit to a run, which ends them. */
  readonly take = async (env: NodeJS.ProcessEnv): Promise<RunServices | undefined> => {
    const next = this.#next;
    if (next === undefined || !isDeepStrictEqual(next.env, env)) return undefined;
    this.#next = undefined;
    return next.services.catch(() => undefined);
  };

  /** Ends what no run has taken. */
  readonly close = async (): Promise<void> => {
    const services = await this.#next?.services.catch(() => undefined);
    this.#next = undefined;
    await services?.close();
  };

  async #begin(operation: Operation, options: RunOptions): Promise<RunServices> {
    const stack = this.#stack;
    const checkpoint = await stack.backend.load(stack.name);
    const file = await stack.readSettingsFile();
    // A passphrase is asked for by who needs it: what comes before the run may fail.
    const openAhead = async () =>
      (await stack.passphrases.isKnown()) && openSecrets(stack.passphrases, checkpoint, file, false);
    openAhead().catch(() => undefined);
    const runsProgram = operation === "update" || operation === "preview" || options.runProgram === true;
    return startServices(stack, servicesOptions({ stack, options, runsProgram }, checkpoint));
  }
}
