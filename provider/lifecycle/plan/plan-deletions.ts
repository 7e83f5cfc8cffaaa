/** What planned deletions do to the account. Engines ask no provider about them, so it follows from the state. */
import { kindNameOf } from "../../../account-folder/kinds/config-kind";
import { keyFingerprint } from "../../../sdk/auth/key-fingerprint";
import { isNone, type Loss, unknownLoss } from "../../core/amount";
import { Failure } from "../../core/failure";
import type { Properties } from "../../core/pulumi-values";
import { type Definition, flatten } from "../../core/resource-definition";
import { deletionEffect } from "../../plan/delete";
import type { Effect } from "../../plan/effect";
import { secretOutputs } from "../../plan/secret-outputs";
import { accountExists, company } from "../../resources/company";
import { definitionOfType } from "../../resources/index";
import { Session } from "../../session/session";
import { configuredEdition, resolveSettings } from "../../session/settings";
import { decodeMetadata } from "../../state/metadata";
import { verifyState } from "../verify-state";

/** A step of the plan that deletes a resource. */
export interface DeletingStep {
  urn: string;
  type: string;
  id?: string;
  op: string;
  /** True if the engine only forgets it. */
  retained?: boolean;
}

/** A resource of the state. */
export interface StateView {
  urn: string;
  type: string;
  id?: string;
  provider?: string;
  protect?: boolean;
  deletedWith?: string;
  outputs: Properties;
}

/** Companies that are asked about, at most: each takes a few requests. */
const mostCompanies = 20;

const notFound = "not found with the key of this stack";

export interface DeletionOptions {
  /** The state with its secrets, and without. */
  open: readonly StateView[];
  closed: readonly StateView[];
  configuration: { get(key: string): string | undefined };
  environment: NodeJS.ProcessEnv;
  /** Shows what is waited for; an empty text ends it. */
  logWait?: (notice: string) => void;
  /** Read nothing. */
  offline: boolean;
  /** True if the program's other resources are not asked about: with targets or exclusions. */
  isPartial?: boolean;
  /** True if another resource of the plan adopts the object of a deletion, in an account that is the same. */
  isAdoptedByOther?(step: DeletingStep, isSameAccount: (keyFingerprint: string | undefined) => boolean): boolean;
}

/** By step. Never fails: what cannot be read is in the detail. */
export async function deletionEffects<Step extends DeletingStep>(
  steps: readonly Step[],
  options: DeletionOptions,
): Promise<Map<Step, Effect>> {
  const edition = configuredEdition(options.configuration, options.environment);
  const { apiKey } = resolveSettings(options.configuration, options.environment).settings ?? {};
  const configuredKey = apiKey === undefined ? undefined : keyFingerprint(apiKey);
  const fingerprintIn = (definition: Definition, { outputs }: StateView) =>
    decodeMetadata(definition, flatten(definition, outputs)).keyFingerprint;
  const effects = new Map<Step, Effect>();
  // Of two with the same URN and ID the first one counts.
  const [openStates, closedStates] = [options.open, options.closed].map(
    (views) => new Map([...views].reverse().map((view) => [instanceOf(view), view])),
  );
  const deleted = new Set(steps.map(instanceOf));
  const add = (step: Step): Effect | undefined => {
    const definition = definitionOfType(step.type);
    const [open, closed] = [openStates, closedStates].map((states) => states?.get(instanceOf(step)));
    if (definition === undefined || open === undefined || effects.has(step)) return effects.get(step);
    const { id = "", outputs: state, protect, deletedWith, provider = "" } = open;
    const recordedKey = fingerprintIn(definition, open);
    const container = steps.find((other) => other.urn === deletedWith);
    // A rotated key is recorded with the next write.
    const isSameAccount = (account: string | undefined) =>
      account === recordedKey || (isOfStack(provider) && account === configuredKey);
    // A run that ended between a new name's create and the old one's deletion leaves two owners in the state.
    const isOwner = (other: StateView): boolean =>
      definitionOfType(other.type) === definition &&
      other.id === id &&
      !deleted.has(instanceOf(other)) &&
      (other.provider === open.provider || fingerprintIn(definition, other) === recordedKey);
    const effect = deletionEffect({
      ...{ definition, id, state, edition, secrets: secretOutputs(closed) },
      protect: protect && step.op === "delete",
      retainOnDelete: step.retained,
      container: container && add(container),
      isAdoptedByOther:
        (!options.isPartial && options.open.some(isOwner)) || options.isAdoptedByOther?.(step, isSameAccount),
    });
    effects.set(step, effect);
    return effect;
  };
  for (const step of steps) add(step);
  if (!options.offline) {
    await addGone(effects, (step) => isOfStack(openStates!.get(instanceOf(step))?.provider ?? ""), options);
    await addRefusals(effects, options);
    await addLosses(effects, options);
  }
  return effects;
}

/** A resource that waits for its deletion has the same URN as the one that has replaced it. */
const instanceOf = ({ urn, id }: Pick<StateView, "urn" | "id">) => `${urn} ${id}`;

type SessionOptions = Pick<DeletionOptions, "configuration" | "environment" | "logWait">;

function openSession({ configuration, environment, logWait }: SessionOptions) {
  const session = new Session({ environment, log: () => undefined, ...(logWait && { logWait }) });
  session.configure(configuration);
  return session;
}

/** True for a reference to the provider that uses the stack's configuration. */
const isOfStack = (provider: string) => provider.split("::")[3]?.startsWith("default") === true;

/**
 * Verifies the stack's account before anything is deleted. An explicit provider's key is in the state, where no other one can be meant.
 * @throws {Failure} if the key is another account's
 */
export async function verifyAccount(state: Promise<readonly StateView[]>, options: SessionOptions): Promise<void> {
  const recorded = (await state).flatMap(({ type, id, outputs, provider = "" }) => {
    const definition = definitionOfType(type);
    return definition === undefined || id === undefined || !isOfStack(provider) ? [] : [{ definition, id, outputs }];
  });
  if (recorded.length === 0) return;
  const session = openSession(options);
  if (session.isConfigured) await verifyState(session, recorded);
}

/** A company that was deleted outside Pulumi is gone with what was in it. Of an explicit provider's companies nothing is known. */
async function addGone(
  effects: Map<DeletingStep, Effect>,
  isKnown: (step: DeletingStep) => boolean,
  options: DeletionOptions,
) {
  const companyOf = ({ type, id = "" }: DeletingStep) =>
    id.includes("/") || kindNameOf(type) === "Company" ? id.split("/")[0] : undefined;
  const asked = [...effects].flatMap(([step, effect]) => {
    const companyId = companyOf(step);
    return !isNone(effect.writes) && companyId !== undefined && isKnown(step) ? [{ step, effect, companyId }] : [];
  });
  if (asked.length === 0) return;
  const session = openSession(options);
  for (const { step, effect, companyId } of asked) {
    // What cannot be read, the run may find.
    if (await accountExists(session.account(companyId)).catch(() => true)) continue;
    const { fields: _, loss: __, ...rest } = effect;
    const detail = kindNameOf(step.type) === "Company" ? notFound : "its account no longer exists";
    effects.set(step, { ...rest, ...(effect.effect === "restore" && { effect: "release" }), writes: 0, detail });
  }
}

/** What an account must not lose: the update would refuse it. */
async function addRefusals(effects: Map<DeletingStep, Effect>, options: DeletionOptions) {
  const guarded = [...effects].flatMap(([step, effect]) => {
    const { guard } = definitionOfType(step.type)!;
    return guard === undefined || effect.effect !== "delete" || isNone(effect.writes) ? [] : [{ step, effect, guard }];
  });
  if (guarded.length === 0) return;
  const session = openSession(options);
  for (const { step, effect, guard } of guarded) {
    const [key = "", companyId] = (step.id ?? "").split("/").reverse();
    try {
      await guard(session.account(companyId), { key, fields: undefined, isPlan: true });
    } catch (error) {
      const message = session.redact((error as Error).message);
      if (error instanceof Failure) effects.set(step, { ...effect, effect: "blocked", writes: 0, detail: message });
      else effects.set(step, { ...effect, detail: `whether it may be deleted cannot be read: ${message}` });
    }
  }
}

/** Companies go with their data: usage and open envelopes. */
async function addLosses(effects: Map<DeletingStep, Effect>, options: DeletionOptions) {
  const companies = [...effects].filter(
    ([{ type }, { effect, writes }]) => effect === "delete" && !isNone(writes) && kindNameOf(type) === "Company",
  );
  if (companies.length === 0) return;
  const session = openSession(options);
  const read = async (id: string): Promise<Loss> => {
    try {
      return (await company.collection!.readLoss!(session.account(), id)) ?? unknownLoss(notFound);
    } catch (error) {
      return unknownLoss(session.redact((error as Error).message));
    }
  };
  await Promise.all(
    companies.slice(0, mostCompanies).map(async ([step, effect]) => {
      effects.set(step, { ...effect, loss: await read(step.id ?? "") });
    }),
  );
}
