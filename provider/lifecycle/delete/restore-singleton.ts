/** What every account has exactly once cannot be deleted: deleting the resource restores the original values. */
import type { Fields } from "../../core/resource-definition";
import { readMaxAge } from "../../core/time-limits";
import { accountGone, keptByArgument } from "../../plan/deletion-effect";
import type { Effect } from "../../plan/effect";
import { emptyOriginal, noOriginal, planRestore, type RestorePlan } from "../../plan/restore-effect";
import { withCopies, withoutSamePictures } from "../compare-pictures";
import { readObject } from "../read-object";
import { rejectConflicts } from "../reject-conflicts";
import { logAbout, type ResourceContext } from "../resource-context";
import { restoreRejected, unchangedFailure, warnKept } from "../unwritten-fields";
import { perField, writeInParts } from "../write-in-parts";

/** `adopted`: the fields that another resource has adopted. */
export async function restoreSingleton(context: ResourceContext, adopted: readonly string[] = []): Promise<Effect> {
  const { definition, session, account, key, state, metadata } = context;
  const release = (detail: string): Effect => ({ effect: "release", writes: 0, id: account.id(key), detail });
  const isKept = state.onDelete === "keep";
  const { hasAccount, item } = isKept
    ? { hasAccount: true, item: undefined }
    : await readObject(context, readMaxAge.write);
  if (isKept || !hasAccount) {
    // It leaves the state: of another account than this one, it would be forgotten.
    await session.accounts.verifier.verify(metadata);
    return release(isKept ? keptByArgument : accountGone);
  }
  const live: Fields = item === undefined ? {} : definition.fromApi(item).fields;
  const { unconfirmed, isSamePicture } = await readRestored(context, live);
  const plan = planRestore(unconfirmed.object, {
    live,
    adopted,
    edition: session.connection.config.edition,
    isOwn: (...value) => unconfirmed.isOwn(...value),
    isSamePicture,
  });
  rejectConflicts(context, plan.conflicts, live);
  logKept(context, plan);
  const groups = perField(plan.restoring);
  const { originals } = unconfirmed.object.detector;
  // Where there is nothing to write, this may be another account that never was changed.
  if (groups.length === 0) await session.accounts.verifier.verify(metadata);
  else await session.accounts.verifier.verifyBeforeWrite();
  const written = await writeInParts(context, {}, groups, { fields: live, outputs: {} }, () => true);
  const withOriginal = (fields: readonly string[]) => warnKept(context, fields, (field) => originals[field] ?? null);
  const [rejected, unchanged] = [withOriginal(written.rejected), withOriginal(written.unchanged)];
  if (rejected.length > 0) throw restoreRejected(rejected, written);
  if (unchanged.length > 0) throw unchangedFailure(unchanged);
  if (groups.length === 0) return release("left unchanged");
  const fields = groups.flatMap((group) => Object.keys(group)).map((field) => ({ field }));
  return { effect: "restore", writes: groups.length, id: account.id(key), fields };
}

/** What only the journal and the pictures tell of it. */
export async function readRestored(context: ResourceContext, live: Fields) {
  const unconfirmed = await context.session.ledger.readUnconfirmed(await withCopies(context, live));
  const originals = Object.entries(unconfirmed.object.detector.originals);
  const present = Object.fromEntries(originals.filter((each): each is [string, string] => each[1] !== null));
  const different = await withoutSamePictures(context, present, live);
  return { unconfirmed, isSamePicture: (field: string) => !(field in different) };
}

function logKept(context: ResourceContext, { uncleared, unrecorded }: RestorePlan): void {
  const { metadata, session } = context;
  for (const field of uncleared) logAbout(context, `${field} left unchanged: ${emptyOriginal}`);
  // What was adopted as declared is no news where the effect of the deletion is read.
  const isShown = metadata.instanceId !== undefined && session.reporting.effects.hasReader;
  if (unrecorded.length > 0 && !isShown)
    logAbout(context, `${unrecorded.join(", ")} left unchanged: ${noOriginal(metadata)}`);
}
