/** What every account has exactly once cannot be deleted: deleting the resource restores the original values. */
import { type Fields, fieldsIn, isClearable } from "../../core/resource-definition";
import type { Effect } from "../../plan/effect";
import { writeMaxAge } from "../../session/account";
import type { Originals } from "../../state/metadata";
import { withCopies, withoutSamePictures } from "../compare-pictures";
import { readObject } from "../read-object";
import { logAbout, type ResourceContext } from "../resource-context";
import {
  emptyOriginal,
  noOriginal,
  perField,
  rejectConflicts,
  restoreRejected,
  unchangedFailure,
  warnKept,
  writeInParts,
} from "../write-fields";

export async function restoreSingleton(context: ResourceContext): Promise<Effect> {
  const { definition, session, account, key, state, metadata } = context;
  const release = (detail: string): Effect => ({ effect: "release", writes: 0, id: account.id(key), detail });
  const isKept = state.onDelete === "keep";
  const { hasAccount, item } = isKept ? { hasAccount: true, item: undefined } : await readObject(context, writeMaxAge);
  if (isKept || !hasAccount) {
    // It leaves the state: of another account than this one, it would be forgotten.
    await session.accountVerifier.verify(metadata);
    return release(isKept ? 'onDelete: "keep"' : "its account no longer exists");
  }
  const unconfirmed = await session.ledger.readUnconfirmed(context);
  const { originals } = unconfirmed.object.detector;
  const live: Fields = item === undefined ? {} : definition.fromApi(item).fields;
  const { detector } = await withCopies(context, live);
  const different = await withoutSamePictures(context, present(originals), live);

  const isRestored = (field: string) =>
    (originals[field] ?? "") === (live[field] ?? "") || (Boolean(originals[field]) && !(field in different));
  const conflicts = detector.managedFields.filter(
    (field) =>
      originals[field] !== undefined &&
      !isRestored(field) &&
      !detector.matchesState(field, live[field]) &&
      !unconfirmed.isOwn(field, live[field]),
  );
  rejectConflicts(context, conflicts, live);
  const groups = perField(fieldsToRestore(context, originals, isRestored));
  // Where there is nothing to write, this may be another account that never was changed.
  if (groups.length === 0) await session.accountVerifier.verify(metadata);
  else await session.accountVerifier.verifyBeforeWrite();
  const written = await writeInParts(context, {}, groups, { fields: live, outputs: {} }, () => true);
  const withOriginal = (fields: readonly string[]) => warnKept(context, fields, (field) => originals[field] ?? null);
  const [rejected, unchanged] = [withOriginal(written.rejected), withOriginal(written.unchanged)];
  if (rejected.length > 0) throw restoreRejected(rejected, written);
  if (unchanged.length > 0) throw unchangedFailure(unchanged);
  if (groups.length === 0) return release("left unchanged");
  const fields = groups.flatMap((group) => Object.keys(group)).map((field) => ({ field }));
  return { effect: "restore", writes: groups.length, id: account.id(key), fields };
}

const present = (originals: Originals): Fields =>
  Object.fromEntries(Object.entries(originals).filter((each): each is [string, string] => each[1] !== null));

/** The original values to write; logs what is left unchanged. */
function fieldsToRestore(
  context: ResourceContext,
  originals: Originals,
  isRestored: (field: string) => boolean,
): Fields {
  const { definition, detector, metadata, session, state } = context;
  const restoring: Fields = {};
  const unrecorded: string[] = [];
  // What the state does not declare was sent by an update with unknown outcome.
  const fields = fieldsIn(definition, state, detector.fieldStates, originals);
  for (const field of fields.filter((name) => detector.managedFields.includes(name) || name in originals)) {
    const original = originals[field];
    if (original === undefined) unrecorded.push(field);
    else if (isRestored(field)) continue;
    else if (original !== null || isClearable(definition, field, session.settings.edition))
      restoring[field] = original ?? "";
    else logAbout(context, `${field} left unchanged: ${emptyOriginal}`);
  }
  // What was adopted as declared is no news where the effect of the deletion is read.
  const isShown = metadata.instanceId !== undefined && session.reporter.hasReader;
  if (unrecorded.length > 0 && !isShown)
    logAbout(context, `${unrecorded.join(", ")} left unchanged: ${noOriginal(metadata)}`);
  return restoring;
}
