/** Runs one operation on one stack, and sums up its events. */
import { createColors } from "picocolors";
import { hasChanges } from "../../../engine/events";
import type { EngineEvent, Operation } from "../../../engine/index";
import { Diagnostics, textOf } from "../../display/diagnostics";
import { OperationError } from "../../engine/pulumi-command";
import type { FleetStack } from "../engine/fleet-engine";
import type { Changes, Outcome } from "../run-fleet";
import { StackEffects, type States } from "./stack-effects";

/** What a stack waits for; undefined when something else happens. */
export type OnWait = (message: string | undefined) => void;
export type Result = Pick<Outcome, "changes" | "account" | "isStateChanged">;

export class StackOperation {
  readonly #effects = new StackEffects();
  readonly #diagnostics = new Diagnostics(createColors(false), false);
  #changes: Changes = {};

  readonly #stack: FleetStack;
  readonly #message: string | undefined;
  readonly #onWait: OnWait;

  constructor(stack: FleetStack, message: string | undefined, onWait: OnWait) {
    this.#stack = stack;
    this.#message = message;
    this.#onWait = onWait;
  }

  async up(): Promise<void> {
    await this.#run("update", false);
  }

  async preview(): Promise<void> {
    await this.#plan("preview", async () => {
      const open = await this.#stack.resources({ showSecrets: true });
      return { open, closed: await this.#stack.resources() };
    });
  }

  /** What is destroyed is counted when it is done: the state of each stack would take another process. */
  async destroy(): Promise<void> {
    await this.#plan("destroy");
    await this.#run("destroy", false);
  }

  async refresh(): Promise<void> {
    await this.#run("refresh", false);
  }

  async drift(): Promise<void> {
    await this.#run("refresh", true);
  }

  /** What a `refresh` has found in the account. */
  get found(): Result {
    return { changes: this.#changes };
  }

  /** What was done to the account, or would be. */
  get done(): Result {
    return { ...this.#effects.count(), isStateChanged: hasChanges(this.#changes) };
  }

  close(): void {
    this.#effects.close();
  }

  async #plan(operation: Operation, readState?: () => Promise<States>): Promise<void> {
    await this.#run(operation, true);
    const refusals = await this.#effects.plan(readState);
    if (refusals.length > 0) throw new OperationError(refusals.join("\n"), false);
  }

  async #run(operation: Operation, preview: boolean): Promise<void> {
    this.#effects.begin();
    const { ok } = await this.#stack.run(operation, {
      preview,
      env: this.#effects.env,
      // Of a deletion that the provider would refuse, they have the reason.
      ...(operation === "destroy" && preview && { withStates: true }),
      ...(this.#message && { message: this.#message }),
      onEvent: (event) => this.#add(event),
    });
    if (ok) return;
    throw new OperationError(this.#diagnostics.messages().map(textOf).join("\n").trim() || undefined, false);
  }

  #add(event: EngineEvent): void {
    this.#onWait(event.type === "diagnostic" && event.ephemeral ? event.message : undefined);
    if (event.type === "step") this.#effects.add(event);
    if (event.type === "end") this.#changes = event.result.changes;
    if (event.type === "diagnostic" && event.severity === "error") this.#diagnostics.add(event);
  }
}
