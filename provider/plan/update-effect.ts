/** Plans an update: what is sent, and what is in conflict. Only fields that are managed and changed are written. */
import type { Edition } from "../../sdk/edition";
import { type Fields, fieldsIn, isClearable, isCopied, isSingleton } from "../core/resource-definition";
import type { StateObject, UnconfirmedWrites } from "../recovery/unconfirmed-writes";
import { type DriftDetector, isEquivalent } from "../state/drift";
import type { FieldState, Originals } from "../state/metadata";
import { classifyField } from "./classify-field";
import type { Effect } from "./effect";
import { fieldEffects, recordedValue } from "./field-effects";

/** What an update sends. */
export interface UpdatePlan {
  /** Declared values. */
  sending: Fields;
  /** Original values of what is not declared any more; an empty string clears the field. */
  restoring: Fields;
  /** The values before the first change of a field. */
  originals: Originals;
  /** What is recorded of the other fields. */
  fieldStates: Record<string, FieldState>;
  /** Fields that are managed no more, and whose original value is not known or cannot be written. */
  released: string[];
  /** Fields that are written over a change that no plan has shown. */
  conflicts: string[];
}

/** What is declared, and what the account has. */
interface UpdateFacts {
  declared: Fields;
  live: Fields;
  /** Fields that are sent although the plan shows no change of them. */
  changedPictures: readonly string[];
  keepsOriginals: boolean;
  edition: Edition;
}

export function planUpdate(
  unconfirmed: Pick<UnconfirmedWrites<StateObject>, "object" | "sent" | "isOwn">,
  { declared, live, changedPictures, keepsOriginals, edition }: UpdateFacts,
): UpdatePlan {
  const { object, sent } = unconfirmed;
  const { detector } = object;
  const { definition, state } = detector;
  const fieldStates = { ...detector.fieldStates };
  const plan: UpdatePlan = { sending: {}, restoring: {}, originals: {}, fieldStates, released: [], conflicts: [] };
  for (const field of fieldsIn(definition, state, fieldStates, declared, sent)) {
    const value = declared[field];
    const before = detector.declared(field);
    const isUnconfirmed = field in sent;
    const isExpected = isLiveValueExpected(detector, field, live[field], isUnconfirmed);
    const original =
      isSingleton(definition) && !keepsOriginals ? originalToRestore(detector, field, edition) : undefined;
    const action = classifyField({
      isDeclared: value !== undefined,
      wasDeclared: before !== undefined,
      isUnconfirmed,
      isLive: isEquivalent(definition, field, value, live[field]) && !changedPictures.includes(field),
      isDisplayed:
        isEquivalent(definition, field, value, state[field] as string | undefined) && !changedPictures.includes(field),
      isExpected,
      needsRestore: original !== undefined && original !== (live[field] ?? ""),
    });
    if (action === "release" || action === "restore") delete plan.fieldStates[field];
    if (action === "release" && !keepsOriginals && original === undefined) plan.released.push(field);
    if (action === "restore") plan.restoring[field] = original;
    if (action === "record") plan.fieldStates[field] = recordLive(detector, field, value!, live[field] ?? "");
    if (action === "write") {
      plan.sending[field] = value;
      if (isSingleton(definition) && detector.fieldStates[field]?.original === undefined) {
        // What was adopted as declared changes for the first time: that value is the original.
        const isCurrent = before === undefined || detector.matchesApplied(field, live[field]);
        plan.originals[field] = (isCurrent ? live[field] : before) ?? null;
      }
    }
    const isOverwritten = action === "write" || action === "restore";
    if (isOverwritten && !isExpected && !unconfirmed.isOwn(field, live[field])) plan.conflicts.push(field);
  }
  return plan;
}

/** True if the plan has shown the live value. Of a field that is not declared yet nothing is shown, and its value is kept as the original. */
function isLiveValueExpected(
  detector: DriftDetector,
  field: string,
  live: string | undefined,
  isUnconfirmed: boolean,
): boolean {
  const { definition } = detector;
  // Whether the account has the copy of what was sent last cannot be seen: it is sent again.
  if (isUnconfirmed && isCopied(definition, field)) return false;
  if (detector.declared(field) !== undefined) return detector.matchesState(field, live);
  return !(isSingleton(definition) && isUnconfirmed) || (detector.fieldStates[field]?.original ?? "") === (live ?? "");
}

function recordLive(detector: DriftDetector, field: string, value: string, live: string): FieldState {
  const { definition } = detector;
  const before = detector.declared(field);
  const isChanged = isSingleton(definition) && before !== undefined && !isEquivalent(definition, field, value, before);
  // What was adopted as declared is the original.
  return { ...(isChanged && { original: before }), ...detector.stateAfterWrite(field, value, live) };
}

/** The value to write for a field that is not declared any more. */
function originalToRestore(detector: DriftDetector, field: string, edition: Edition): string | undefined {
  const { original } = detector.fieldStates[field] ?? {};
  if (original === null) return isClearable(detector.definition, field, edition) ? "" : undefined;
  return original;
}

/** What it does to the account. `secrets`: the arguments without values; undefined for all. */
export function effectOfUpdate(
  detector: DriftDetector,
  { sending, restoring, conflicts, released }: UpdatePlan,
  {
    id,
    live,
    onConflict,
    secrets,
  }: {
    id: string;
    live: Fields;
    onConflict: "fail" | "overwrite" | undefined;
    secrets?: readonly string[] | undefined;
  },
): Effect {
  const written = { ...sending, ...restoring };
  const isWritten = Object.keys(written).length > 0;
  const overwritten = onConflict === "overwrite" ? "overwrite" : "conflict";
  const change = Object.keys(sending).length > 0 ? "update" : isWritten ? "restore" : "none";
  const effect = conflicts.length > 0 ? overwritten : change;
  const fields = [...Object.keys(written), ...released].map((field) => ({
    field,
    ...(conflicts.includes(field) && { recorded: recordedValue(detector, field) }),
    live: live[field],
    declared: written[field],
  }));
  return {
    effect,
    writes: isWritten && effect !== "conflict" ? 1 : 0,
    id,
    ...(isSingleton(detector.definition) &&
      released.length > 0 && { detail: `left unchanged: ${released.join(", ")}` }),
    ...(fields.length > 0 && { fields: fieldEffects(fields, secrets) }),
  };
}
