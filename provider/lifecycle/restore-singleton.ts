/** What every account has exactly once cannot be deleted: a deletion puts back what was there before. */

import type { Fields } from "../core/resource-definition";
import { accountExists } from "../resources/company";
import { writeAge } from "../session/account";
import type { Subject } from "./context";
import { isOurs, originalsOf, unrecorded } from "./unconfirmed-writes";
import { notTakenBack, oneByOne, refuseConflicts, sayWhatStays, unmovedFailure, writeInParts } from "./write-fields";

/** Puts back what was there before. */
export async function restore(subject: Subject): Promise<void> {
  const { definition, session, account, key, state, echo, book } = subject;
  const name = `${definition.kind} ${account.id(key)}`;
  if (state.onDelete === "keep") return;
  if (!(await accountExists(account))) {
    await session.assurance.accept(book.key);
    return;
  }
  const remembered = await unrecorded(subject);
  const known = { ...subject, echo: echo.withOriginals({}, remembered.handed) };
  const originals = { ...remembered.originals, ...originalsOf(known) };
  const item = await definition.read(account, key, writeAge);
  const live: Fields = item === undefined ? {} : definition.fromWire(item).fields;

  const sending: Fields = {};
  const conflicts = echo.managed.filter(
    (field) =>
      originals[field] !== undefined &&
      (originals[field] ?? "") !== (live[field] ?? "") &&
      !echo.shows(field, live[field]) &&
      !isOurs(subject, remembered.sent, field, live[field]),
  );
  refuseConflicts(subject, conflicts, live);
  // What the state does not declare was sent by an update whose outcome is not known.
  for (const field of definition.managed.filter((name) => echo.managed.includes(name) || name in originals)) {
    const original = originals[field];
    if (original === undefined) {
      session.say(`${name}: ${field} stays as it is, since what was there before is not known`);
    } else if ((original ?? "") !== (live[field] ?? "")) {
      if (original !== null || definition.emptiable?.includes(field)) sending[field] = original ?? "";
      else session.say(`${name}: ${field} stays as it is: there was nothing before, which cannot be put back`);
    }
  }
  const groups = oneByOne(sending);
  // Where there is nothing to write, this may be another account that never was changed.
  if (groups.length === 0) await session.assurance.accept(book.key);
  else await session.assurance.beforeWrite();
  const written = await writeInParts(subject, {}, groups, { fields: live, outputs: {} }, () => true);
  const stillThere = (fields: readonly string[]) => sayWhatStays(subject, fields, (field) => originals[field] ?? null);
  const [refused, unmoved] = [stillThere(written.refused), stillThere(written.unmoved)];
  if (refused.length > 0) throw notTakenBack(refused, written);
  if (unmoved.length > 0) throw unmovedFailure(unmoved);
}
