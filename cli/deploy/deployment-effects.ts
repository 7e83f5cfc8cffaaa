/** The effects of one deployment, for either engine: reported by the provider, or following from the state. */
import { kindNameOf } from "../../definitions/kind";
import type { EngineEvent, ResourceView } from "../../engine/index";
import { isNone } from "../../provider/core/amount";
import { endAfterLastWait } from "../../provider/reporting/wait-notices";
import { appendToLog } from "../../provider/reporting/write-log";
import type { DeployableStack } from "../engine/deployable-stack";
import type { DeploymentAccount } from "./deployment-account";
import { EffectTracker } from "./effect-tracker";
import type { EffectsFile } from "./effects-file";
import { notePlannedDeletions } from "./note-planned-deletions";
import type { DeployOptions, DeployVerb } from "./run-options";

/** Gets what is waited for. */
interface WaitDisplay {
  event(event: Extract<EngineEvent, { type: "diagnostic" }>): void;
}

/** What is to be done. */
interface Request {
  verb: DeployVerb;
  options: DeployOptions;
  env: Record<string, string>;
}

export class DeploymentEffects {
  readonly tracker: EffectTracker;
  /** The state before the run, without its secrets, where values are shown. */
  #closed: readonly ResourceView[] | undefined;
  readonly #logWait: (notice: string) => void;
  #secrets: Map<string, readonly string[]> | undefined;

  readonly #stack: DeployableStack;
  readonly #account: DeploymentAccount;
  readonly #verb: DeployVerb;
  readonly #options: DeployOptions;
  readonly #env: NodeJS.ProcessEnv;

  /** @param display that shows what is waited for */
  constructor(
    readonly file: EffectsFile,
    stack: DeployableStack,
    account: DeploymentAccount,
    display: WaitDisplay,
    { verb, options, env }: Request,
  ) {
    this.#stack = stack;
    this.#account = account;
    this.#verb = verb;
    this.#options = options;
    this.#env = { ...process.env, ...env };
    this.#logWait = endAfterLastWait((message) =>
      display.event({ type: "diagnostic", severity: "info", source: "engine", message, ephemeral: true }),
    );
    this.tracker = new EffectTracker(file, {
      secretsOf: (urn) => this.#secretsOf(urn),
      offline: file.isOffline,
    });
  }

  /** Reads which values the state has as secrets: those are hidden. */
  async readSecrets(): Promise<void> {
    this.#closed = await this.#stack.resources();
    this.#secrets = undefined;
  }

  /**
   * Before a run whose resources do not verify the account themselves: engines remove what is inside a company without a call of the
   * provider, and ask it about nothing that is not a target.
   */
  async verifyAccount(isPreview: boolean): Promise<void> {
    const verb = this.#verb;
    // What is refreshed is verified by the provider; of what no plan has shown, not every engine asks it before it deletes.
    const deletes = verb !== "refresh" && !this.#stack.verifiesDeletions;
    const isUnplanned = !isPreview && this.#options.skipPreview === true && deletes;
    if ((verb !== "destroy" && !this.#isPartial && !isUnplanned) || (this.file.isOffline && isPreview)) return;
    await this.#verify(verb === "destroy" ? "deleted" : "changed", this.#openState());
  }

  /** Computes the effects of the planned deletions. */
  notePlannedDeletions(): Promise<void> {
    return notePlannedDeletions(this.tracker, async () => {
      const open = await this.#openState();
      // With what a program no longer declares, nothing else may verify the account.
      if (!this.file.isOffline) await this.#verify("changed", Promise.resolve(open));
      const closed = this.#closed ?? (await this.#stack.resources());
      const configuration = await this.#account.configuration();
      const environment = this.#env;
      const logWait = this.#logWait;
      const isPartial = this.#isPartial;
      const isRefreshed = this.#options.refresh === true || this.tracker.hasRefreshed;
      const { programDirectory: directory } = this.#stack;
      const account = { configuration, environment, directory, logWait, offline: this.file.isOffline };
      return { open, closed, ...account, isPartial, isRefreshed };
    });
  }

  /** That the account is written to against the options, as a sentence; undefined if it is not. */
  unexpectedWrites(): string | undefined {
    if (!this.#options.expectNoWrites) return undefined;
    const { writes, unread } = this.tracker.summary;
    if (!isNone(writes)) return "No account writes were expected, but there are some.";
    return unread > 0 ? "No account writes were expected, but their number is unknown." : undefined;
  }

  /** Adds to the log of writes which resources the written objects belong to: the provider knows their ids only. */
  logUrns(): void {
    const { name: stack, programDirectory } = this.#stack;
    const urns = this.tracker.writtenUrns;
    if (Object.keys(urns).length > 0) appendToLog(programDirectory, { stack, urns });
  }

  get #isPartial(): boolean {
    const { target, targetReplace, exclude } = this.#options;
    return [target, targetReplace, exclude].some((urns = []) => urns.length > 0);
  }

  #openState(): Promise<readonly ResourceView[]> {
    return this.#stack.resources({ showSecrets: true });
  }

  async #verify(outcome: "deleted" | "changed", open: Promise<readonly ResourceView[]>): Promise<void> {
    // To read the configuration may take a key.
    if (!(await open).some(({ type }) => kindNameOf(type) !== undefined)) return;
    try {
      const configuration = await this.#account.configuration();
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
    this.#secrets ??= new Map((this.#closed ?? []).map((resource) => [resource.urn, resource.secretOutputs ?? []]));
    return this.#secrets.get(urn) ?? [];
  }
}
