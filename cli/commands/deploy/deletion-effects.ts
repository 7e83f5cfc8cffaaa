/** What planned deletions do to the account. Engines ask no provider about them, so it follows from the state. */
import { kindNameOf, type ResourceKind } from "../../../account-folder/kinds/config-kind";
import type { ResourceView, StepInfo } from "../../../engine/index";
import { nameOf } from "../../../engine/resource/urn";
import { hasLoss, isNone, type Loss, leastOf, unknownLoss } from "../../../provider/core/amount";
import { type Definition, flatten } from "../../../provider/core/resource-definition";
import type { Effect } from "../../../provider/plan/effect";
import { countObjects } from "../../../provider/plan/words";
import type { StepWithEffect } from "../../display/steps";
import type { EffectTracker } from "./effect-tracker";

/** Companies that are asked about, at most: each takes a few requests. */
const mostCompanies = 20;

const notFound = "not found with the key of this stack";

export interface DeletionOptions {
  /** The state with its secrets, and without. */
  open: readonly ResourceView[];
  closed: readonly ResourceView[];
  configuration: { get(key: string): string | undefined };
  environment: NodeJS.ProcessEnv;
  /** Shows what is waited for; an empty text ends it. */
  logWait?: (notice: string) => void;
  /** Read nothing. */
  offline: boolean;
  /** True if the program's other resources are not asked about: with targets or exclusions. */
  isPartial?: boolean;
  /** True if another resource of the plan adopts the object of a deletion, in an account that is the same. */
  isAdoptedByOther?(step: StepInfo, isSameAccount: (keyFingerprint: string | undefined) => boolean): boolean;
}

/** What the run after a plan is expected to delete, in the records of that plan. `read`: the state, if anything is to be deleted. */
export async function expectDeletions(
  tracker: EffectTracker,
  read: () => Promise<Omit<DeletionOptions, "isAdoptedByOther">>,
): Promise<void> {
  const { deletions } = tracker;
  if (deletions.length === 0) return;
  const isAdoptedByOther: DeletionOptions["isAdoptedByOther"] = (...args) => tracker.isAdoptedByOther(...args);
  const effects = await deletionEffects(deletions, { ...(await read()), isAdoptedByOther });
  for (const [step, effect] of effects) tracker.expectDeletion(step, effect);
}

/** By step. Never fails: what cannot be read is in the detail. */
export async function deletionEffects(
  steps: readonly StepInfo[],
  options: DeletionOptions,
): Promise<Map<StepInfo, Effect>> {
  const [{ deletionEffect }, { definitionOfType }, { configuredEdition, resolveSettings }, keys, metadata] =
    await Promise.all([
      import("../../../provider/plan/delete.js"),
      import("../../../provider/resources/index.js"),
      import("../../../provider/session/settings.js"),
      import("../../../sdk/auth/key-fingerprint.js"),
      import("../../../provider/state/metadata.js"),
    ]);
  const edition = configuredEdition(options.configuration, options.environment);
  const { apiKey } = resolveSettings(options.configuration, options.environment).settings ?? {};
  const configuredKey = apiKey === undefined ? undefined : keys.keyFingerprint(apiKey);
  const fingerprintIn = (definition: Definition, { outputs }: ResourceView) =>
    metadata.decodeMetadata(definition, flatten(definition, outputs)).keyFingerprint;
  const effects = new Map<StepInfo, Effect>();
  // Of two with the same URN and ID the first one counts.
  const [openStates, closedStates] = [options.open, options.closed].map(
    (views) => new Map([...views].reverse().map((view) => [instanceOf(view), view])),
  );
  const deleted = new Set(steps.map(instanceOf));
  const add = (step: StepInfo): Effect | undefined => {
    const definition = definitionOfType(step.type);
    const [open, closed] = [openStates, closedStates].map((states) => states?.get(instanceOf(step)));
    if (definition === undefined || open === undefined || effects.has(step)) return effects.get(step);
    const { id = "", outputs: state, protect, deletedWith, provider = "" } = open;
    const keyFingerprint = fingerprintIn(definition, open);
    const container = steps.find((other) => other.urn === deletedWith);
    // A rotated key is recorded with the next write.
    const isSameAccount = (account: string | undefined) =>
      account === keyFingerprint || (isOfStack(provider) && account === configuredKey);
    // A run that ended between a new name's create and the old one's deletion leaves two owners in the state.
    const isOwner = (other: ResourceView): boolean =>
      definitionOfType(other.type) === definition &&
      other.id === id &&
      !deleted.has(instanceOf(other)) &&
      (other.provider === open.provider || fingerprintIn(definition, other) === keyFingerprint);
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

/** Names of the outputs that a state, read without its secrets, has as secrets or with a secret in them. */
export const secretOutputs = (resource: ResourceView | undefined): string[] =>
  Object.entries(resource?.outputs ?? {}).flatMap(([name, value]) =>
    JSON.stringify(value)?.includes('"[secret]"') ? [name] : [],
  );

/** A resource that waits for its deletion has the same URN as the one that has replaced it. */
const instanceOf = ({ urn, id }: Pick<ResourceView, "urn" | "id">) => `${urn} ${id}`;

type SessionOptions = Pick<DeletionOptions, "configuration" | "environment" | "logWait">;

async function openSession({ configuration, environment, logWait }: SessionOptions) {
  const { Session } = await import("../../../provider/session/session.js");
  const session = new Session({ environment, log: () => undefined, ...(logWait && { logWait }) });
  session.configure(configuration);
  return session;
}

/** True for a reference to the provider that uses the stack's configuration. */
const isOfStack = (provider: string) => nameOf(provider.split("::").slice(0, 4).join("::")).startsWith("default");

/**
 * Verifies the stack's account before anything is deleted. An explicit provider's key is in the state, where no other one can be meant.
 * @throws {Failure} if the key is another account's
 */
export async function verifyAccount(state: Promise<readonly ResourceView[]>, options: SessionOptions): Promise<void> {
  const [open, { verifyState }, { definitionOfType }] = await Promise.all([
    state,
    import("../../../provider/lifecycle/verify-state.js"),
    import("../../../provider/resources/index.js"),
  ]);
  const recorded = open.flatMap(({ type, id, outputs, provider = "" }) => {
    const definition = definitionOfType(type);
    return definition === undefined || id === undefined || !isOfStack(provider) ? [] : [{ definition, id, outputs }];
  });
  if (recorded.length === 0) return;
  const session = await openSession(options);
  if (session.isConfigured) await verifyState(session, recorded);
}

/** A company that was deleted outside Pulumi is gone with what was in it. Of an explicit provider's companies nothing is known. */
async function addGone(effects: Map<StepInfo, Effect>, isKnown: (step: StepInfo) => boolean, options: DeletionOptions) {
  const companyOf = ({ type, id = "" }: StepInfo) =>
    id.includes("/") || kindNameOf(type) === "Company" ? id.split("/")[0] : undefined;
  const asked = [...effects].flatMap(([step, effect]) => {
    const companyId = companyOf(step);
    return !isNone(effect.writes) && companyId !== undefined && isKnown(step) ? [{ step, effect, companyId }] : [];
  });
  if (asked.length === 0) return;
  const { accountExists } = await import("../../../provider/resources/company.js");
  const session = await openSession(options);
  for (const { step, effect, companyId } of asked) {
    // What cannot be read, the run may find.
    if (await accountExists(session.account(companyId)).catch(() => true)) continue;
    const { fields: _, loss: __, ...rest } = effect;
    const detail = kindNameOf(step.type) === "Company" ? notFound : "its account no longer exists";
    effects.set(step, { ...rest, ...(effect.effect === "restore" && { effect: "release" }), writes: 0, detail });
  }
}

/** What an account must not lose: the update would refuse it. */
async function addRefusals(effects: Map<StepInfo, Effect>, options: DeletionOptions) {
  const [{ definitionOfType }, { Failure }] = await Promise.all([
    import("../../../provider/resources/index.js"),
    import("../../../provider/core/failure.js"),
  ]);
  const guarded = [...effects].flatMap(([step, effect]) => {
    const { guard } = definitionOfType(step.type)!;
    return guard === undefined || effect.effect !== "delete" || isNone(effect.writes) ? [] : [{ step, effect, guard }];
  });
  if (guarded.length === 0) return;
  const session = await openSession(options);
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
async function addLosses(effects: Map<StepInfo, Effect>, options: DeletionOptions) {
  const companies = [...effects].filter(
    ([{ type }, { effect, writes }]) => effect === "delete" && !isNone(writes) && kindNameOf(type) === "Company",
  );
  if (companies.length === 0) return;
  const { company } = await import("../../../provider/resources/company.js");
  const session = await openSession(options);
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

/** True for a deletion that a person may regret: of what existed before the stack, or with data. */
export const isIrreplaceable = (effect: Partial<Effect>): boolean => whyIrreplaceable(effect) !== undefined;

function whyIrreplaceable({ effect, adopted, loss }: Partial<Effect>): "adopted" | "filled" | "unknown" | undefined {
  if (effect !== "delete") return undefined;
  if (adopted) return "adopted";
  if (loss === undefined || !hasLoss(loss)) return undefined;
  return leastOf(loss.sent) + leastOf(loss.open) > 0 ? "filled" : "unknown";
}

/** `1 webhook existed before it. Type the stack's name to confirm:` */
export function describeIrreplaceable(deletions: readonly StepWithEffect[]): string {
  const list = (reason: ReturnType<typeof whyIrreplaceable>) => {
    const kinds = deletions.flatMap((step) => (whyIrreplaceable(step) === reason ? (kindNameOf(step.type) ?? []) : []));
    const count = (kind: ResourceKind) => kinds.filter((other) => other === kind).length;
    const phrases = [...new Set(kinds)].map((kind) => countObjects(kind, count(kind)));
    return phrases.join(phrases.length > 2 ? ", " : " and ");
  };
  const [adopted, filled, unknown] = [list("adopted"), list("filled"), list("unknown")];
  return [
    ...(adopted === "" ? [] : [`${adopted} existed before it.`]),
    ...(filled === "" ? [] : [`${filled} would be deleted with data.`]),
    ...(unknown === "" ? [] : [`${unknown} would be deleted with what cannot be read.`]),
    "Type the stack's name to confirm:",
  ].join(" ");
}
