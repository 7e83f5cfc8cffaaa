/** What every account has exactly once cannot be deleted: a deletion puts back what was there before. */

import type { Fields } from "../core/resource-definition";
import { accountExists } from "../resources/company";
import { writeMaxAge } from "../session/account";
import type { ResourceContext } from "./context";
import { isOwnWrite, originalsOf, unconfirmedWrites } from "./unconfirmed-writes";
import { perField, rejectConflicts, restoreRejected, unchangedFailure, warnKept, writeInParts } from "./write-fields";

/** Puts back what was there before. */
export async function restoreSingleton(context: ResourceContext): Promise<void> {
  const { definition, session, account, key, state, detector, metadata } = context;
  const name = `${definition.kind} ${account.id(key)}`;
  if (state.onDelete === "keep") return;
  if (!(await accountExists(account))) {
    await session.accountVerifier.verify(metadata.keyFingerprint);
    return;
  }
  const remembered = await unconfirmedWrites(context);
  const known = { ...context, detector: detector.withOriginals({}, remembered.transferred) };
  const originals = { ...remembered.originals, ...originalsOf(known) };
  const item = await definition.read(account, key, writeMaxAge);
  const live: Fields = item === undefined ? {} : definition.fromApi(item).fields;

  const sending: Fields = {};
  const conflicts = detector.managedFields.filter(
    (field) =>
      originals[field] !== undefined &&
      (originals[field] ?? "") !== (live[field] ?? "") &&
      !detector.matchesState(field, live[field]) &&
      !isOwnWrite(context, remembered.sentFingerprints, field, live[field]),
  );
  rejectConflicts(context, conflicts, live);
  // What the state does not declare was sent by an update whose outcome is not known.
  for (const field of definition.fields.filter((name) => detector.managedFields.includes(name) || name in originals)) {
    const original = originals[field];
    if (original === undefined) {
      session.log(`${name}: ${field} stays as it is, since what was there before is not known`);
    } else if ((original ?? "") !== (live[field] ?? "")) {
      if (original !== null || definition.clearable?.includes(field)) sending[field] = original ?? "";
      else session.log(`${name}: ${field} stays as it is: there was nothing before, which cannot be put back`);
    }
  }
  const groups = perField(sending);
  // Where there is nothing to write, this may be another account that never was changed.
  if (groups.length === 0) await session.accountVerifier.verify(metadata.keyFingerprint);
  else await session.accountVerifier.verifyBeforeWrite();
  const written = await writeInParts(context, {}, groups, { fields: live, outputs: {} }, () => true);
  const stillThere = (fields: readonly string[]) => warnKept(context, fields, (field) => originals[field] ?? null);
  const [refused, unmoved] = [stillThere(written.rejected), stillThere(written.unchanged)];
  if (refused.length > 0) throw restoreRejected(refused, written);
  if (unmoved.length > 0) throw unchangedFailure(unmoved);
}
