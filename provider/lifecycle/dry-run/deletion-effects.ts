/**
 * Plans what deletions do to the account. Engines do not call the provider for planned deletions. So the effects follow from the state,
 * from the other steps of the plan, and from the account, which is read in the same way as before a deletion.
 */

import { groupBy } from "../../../definitions/group-by";
import { kindNameOf } from "../../../definitions/kind";
import { isSubaccount } from "../../../definitions/model";
import { splitId } from "../../../definitions/object-id";
import { keyFingerprint } from "../../../sdk/auth/key-fingerprint";
import { isNone, unknownLoss } from "../../core/amount";
import { Failure } from "../../core/failure";
import { unwrapAll } from "../../core/pulumi-values";
import { type DeletingStep, type DeletionFacts, type DeletionOfStep, deletionsOf } from "../../plan/deleting-steps";
import { type DeletedObject, decidedEffect, deletionEffect, notFound } from "../../plan/deletion-effect";
import type { Effect } from "../../plan/effect";
import { company } from "../../resources/company";
import { refusalOfUnreadable } from "../../resources/company-loss";
import { definitionOfType } from "../../resources/index";
import { configuredEdition, resolveConfig } from "../../session/provider-config";
import type { Session } from "../../session/session";
import { AccountSessions, type StackSessionOptions } from "./account-sessions";
import { DeletedReader } from "./read-deleted";

export interface DeletionOptions
  extends StackSessionOptions,
    Pick<DeletionFacts, "open" | "closed" | "isPartial" | "adoptionOf"> {
  /** Read nothing. */
  offline: boolean;
  /** True if the run reads the account before it deletes. */
  isRefreshed?: boolean;
}

/** By step. Never fails: what cannot be read is in the detail. */
export async function deletionEffects<Step extends DeletingStep>(
  steps: readonly Step[],
  options: DeletionOptions,
): Promise<Map<Step, Effect>> {
  const { apiKey } = resolveConfig(options.configuration, options.environment).config ?? {};
  const deletions = deletionsOf(steps, {
    ...options,
    definitionOf: definitionOfType,
    edition: configuredEdition(options.configuration, options.environment),
    configuredKey: apiKey === undefined ? undefined : keyFingerprint(apiKey),
  });
  const plan = new DeletionPlan(deletions, options);
  const effects = new Map<Step, Effect>();
  const planned = await Promise.all(
    [...deletions.keys()].map(async (step) => ({ step, effect: await plan.effectOf(step) })),
  );
  for (const { step, effect } of planned) if (effect !== undefined) effects.set(step, effect);
  await plan.addRefusals(effects);
  await plan.addLosses(effects);
  return effects;
}

class DeletionPlan<Step extends DeletingStep> {
  readonly #effects = new Map<Step, Promise<Effect>>();
  readonly #sessions: AccountSessions;
  readonly #readers = new Map<Session, DeletedReader>();
  /** By step, the steps of what is deleted with it. */
  readonly #inside: ReadonlyMap<Step | undefined, readonly Step[]>;

  constructor(
    readonly deletions: ReadonlyMap<Step, DeletionOfStep<Step>>,
    readonly options: DeletionOptions,
  ) {
    this.#sessions = new AccountSessions(options.open, options);
    this.#inside = groupBy(deletions.keys(), (step) => deletions.get(step)!.container);
  }

  effectOf(step: Step | undefined): Promise<Effect> | undefined {
    const deletion = step && this.deletions.get(step);
    if (deletion === undefined) return undefined;
    const effect = this.#effects.get(step!) ?? this.#plan(deletion);
    this.#effects.set(step!, effect);
    return effect;
  }

  async #plan({ resource: of, container, provider }: DeletionOfStep<Step>): Promise<Effect> {
    const resource = { ...of, container: await this.effectOf(container) };
    const session = this.#sessionOf(provider);
    if (session === undefined || decidedEffect(resource) !== undefined) return deletionEffect(resource);
    let object: DeletedObject;
    try {
      object = await this.#readerIn(session).read({ ...resource, state: unwrapAll(resource.state) });
    } catch (error) {
      const effect = deletionEffect(resource);
      const reason = `not compared with the account: ${session.reporting.redact((error as Error).message)}`;
      return { ...effect, detail: effect.detail === undefined ? reason : `${effect.detail}; ${reason}` };
    }
    return deletionEffect(resource, object);
  }

  #sessionOf(provider: string): Session | undefined {
    return this.options.offline ? undefined : this.#sessions.of(provider);
  }

  #readerIn(session: Session): DeletedReader {
    const reader = this.#readers.get(session) ?? new DeletedReader(session, this.options.isRefreshed === true);
    this.#readers.set(session, reader);
    return reader;
  }

  /** What an account must not lose: the update would refuse it. One after the other: the first of two may go. */
  async addRefusals(effects: Map<Step, Effect>): Promise<void> {
    for (const [step, effect] of effects) {
      const { resource, provider } = this.deletions.get(step)!;
      const { guard } = resource.definition;
      const session = this.#sessionOf(provider);
      if (guard === undefined || session === undefined || effect.effect !== "delete" || isNone(effect.writes)) continue;
      const { key, companyId } = splitId(resource.id);
      try {
        await guard(session.accounts.of(companyId), { key, fields: undefined, isPreview: true });
      } catch (error) {
        const message = session.reporting.redact((error as Error).message);
        if (error instanceof Failure)
          this.#set(effects, step, { ...effect, effect: "blocked", writes: 0, detail: message });
        else effects.set(step, { ...effect, detail: `whether it may be deleted cannot be read: ${message}` });
      }
    }
  }

  /** Companies go with their data: usage and open envelopes. All are asked about; the client sends so many requests at a time, and announces its waits. */
  async addLosses(effects: Map<Step, Effect>): Promise<void> {
    const companies = [...effects].filter(
      ([{ type }, { effect, writes }]) => effect === "delete" && !isNone(writes) && isSubaccount(kindNameOf(type)),
    );
    await Promise.all(
      companies.map(async ([step, effect]) => {
        const { resource, provider } = this.deletions.get(step)!;
        const session = this.#sessionOf(provider);
        if (session !== undefined) this.#set(effects, step, { ...effect, ...(await readLoss(session, resource.id)) });
      }),
    );
  }

  /** What is deleted with it follows. */
  #set(effects: Map<Step, Effect>, step: Step, effect: Effect): void {
    effects.set(step, effect);
    for (const inside of this.#inside.get(step) ?? []) {
      const { resource } = this.deletions.get(inside)!;
      this.#set(effects, inside, deletionEffect({ ...resource, container: effect }));
    }
  }
}

async function readLoss(session: Session, id: string): Promise<Partial<Effect>> {
  try {
    return { loss: (await company.collection!.readLoss!(session.accounts.of(), id)) ?? unknownLoss(notFound) };
  } catch (error) {
    const problem = session.reporting.redact((error as Error).message);
    const refusal = refusalOfUnreadable(problem, session.connection.config.values.onUnreadable);
    if (refusal === undefined) return { loss: unknownLoss(problem) };
    return { effect: "blocked", writes: 0, detail: refusal.message };
  }
}
