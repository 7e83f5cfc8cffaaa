/** The effects of one deployment, for either engine: reported by the provider, or following from the state. */
import type { EngineEvent, ResourceView } from "../../engine/index";
import { isNone } from "../../provider/core/amount";
import { secretOutputs } from "../../provider/plan/secret-outputs";
import { endAfterLastWait } from "../../provider/reporting/wait-notices";
import { appendToLog } from "../../provider/reporting/write-log";
import { ExitError } from "../output/errors";
import { Exit } from "../output/exit-codes";
import { failExpectation } from "../output/fail-expectation";
import { EffectTracker } from "./effect-tracker";
import type { EffectsFile } from "./effects-file";
import { expectDeletions } from "./expect-deletions";
import type { DeployOptions, Verb } from "./run-options";

/** Gets what is waited for. */
interface WaitDisplay {
  event(event: Extract<EngineEvent, { type: "diagnostic" }>): void;
}

interface Configuration {
  get(key: string): string | undefined;
}

export class DeploymentEffects {
  readonly tracker: EffectTracker;
  /** The state without its secrets. */
  #closed: readonly ResourceView[] = [];
  readonly #logWait: (notice: string) => void;
  #secrets: Map<string, string[]> | undefined;

  readonly #configuration: Configuration;
  readonly #options: DeployOptions;
  readonly #env: NodeJS.ProcessEnv;

  /**
   * @param configuration of the stack, which says which account is meant
   * @param display that shows what is waited for
   */
  constructor(
    readonly file: EffectsFile,
    configuration: Configuration,
    display: WaitDisplay,
    options: DeployOptions,
    env: NodeJS.ProcessEnv,
  ) {
    this.#configuration = configuration;
    this.#options = options;
    this.#env = env;
    this.#logWait = endAfterLastWait((message) =>
      display.event({ type: "diagnostic", severity: "info", source: "engine", message, ephemeral: true }),
    );
    this.tracker = new EffectTracker(file, {
      secretsOf: (urn) => this.#secretsOf(urn),
      offline: file.isOffline,
    });
  }

  /** Takes the state before the run, without its secrets. */
  useState(closed: readonly ResourceView[]): void {
    this.#closed = closed;
    this.#secrets = undefined;
  }

  /**
   * Before a run whose resources do not verify the account themselves: engines remove what is inside a company without a call of the
   * provider, and ask it about nothing that is not a target.
   * @param isUnplanned whether the engine deletes what no plan has shown without verifying the account before
   */
  async verifyAccount(
    verb: Verb,
    openState: () => Promise<readonly ResourceView[]>,
    isPreview: boolean,
    isUnplanned = false,
  ): Promise<void> {
    if ((verb !== "destroy" && !this.#isPartial && !isUnplanned) || (this.file.isOffline && isPreview)) return;
    await this.#verify(verb === "destroy" ? "deleted" : "changed", openState());
  }

  /** Computes the effects of the planned deletions. `directory`: of the program. */
  expectDeletions(directory: string, openState: () => Promise<readonly ResourceView[]>): Promise<void> {
    return expectDeletions(this.tracker, async () => {
      const open = await openState();
      // With what a program no longer declares, nothing else may verify the account.
      if (!this.file.isOffline) await this.#verify("changed", Promise.resolve(open));
      const closed = this.#closed;
      const configuration = this.#configuration;
      const environment = this.#env;
      const logWait = this.#logWait;
      const isPartial = this.#isPartial;
      const isRefreshed = this.#options.refresh === true || this.tracker.hasRefreshed;
      const account = { configuration, environment, directory, logWait, offline: this.file.isOffline };
      return { open, closed, ...account, isPartial, isRefreshed };
    });
  }

  /** @throws {ExitError} if a plan will be refused, or if the account is written to against the options */
  exitUnlessAllowed(preview: boolean): void {
    if (preview && this.tracker.isRefused) throw new ExitError(Exit.failed);
    const { writes, unread } = this.tracker.summary;
    if (!this.#options.expectNoWrites) return;
    if (!isNone(writes)) failExpectation("No account writes were expected, but there are some.");
    if (unread > 0) failExpectation("No account writes were expected, but their number is unknown.");
  }

  /** Adds to the log of writes which resources the written objects belong to: the provider knows their ids only. */
  logUrns(programDirectory: string, stack: string): void {
    const urns = this.tracker.writtenUrns;
    if (Object.keys(urns).length > 0) appendToLog(programDirectory, { stack, urns });
  }

  get #isPartial(): boolean {
    const { target, targetReplace, exclude } = this.#options;
    return [target, targetReplace, exclude].some((urns = []) => urns.length > 0);
  }

  async #verify(outcome: "deleted" | "changed", open: Promise<readonly ResourceView[]>): Promise<void> {
    try {
      const configuration = this.#configuration;
      const environment = this.#env;
      const logWait = this.#logWait;
      const { verifyStackAccount } = await import("../../provider/lifecycle/verify-stack-account.js");
      await verifyStackAccount(open, { configuration, environment, logWait });
    } catch (error) {
      (error as Error).message = `Nothing was ${outcome}: ${(error as Error).message}`;
      throw error;
    }
  }

  #secretsOf(urn: string): readonly string[] {
    this.#secrets ??= new Map(this.#closed.map((resource) => [resource.urn, secretOutputs(resource)]));
    return this.#secrets.get(urn) ?? [];
  }
}
