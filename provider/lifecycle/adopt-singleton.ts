/**
 * What every account has exactly once: branding and e-mails. They cannot be created. A creation takes the text over and keeps
 * what was there before.
 */

import { WriteFailure } from "../core/failure";
import type { Fields } from "../core/resource-definition";
import { writeMaxAge } from "../session/account";
import { DriftDetector, isEquivalent } from "../state/drift";
import type { FieldState } from "../state/metadata";
import type { CreateContext, CreateOutcome } from "./context";
import { fingerprintsOf, isOwnWrite, journalName } from "./unconfirmed-writes";
import { unchangedFailure, writeWithJournal } from "./write-fields";

export async function adoptSingleton({
  definition,
  session,
  account,
  args,
  declared,
  metadata,
}: CreateContext): Promise<CreateOutcome> {
  const key = definition.key(undefined, args);
  const place = { definition, session, account, key, metadata };
  const item = await definition.read(account, key, writeMaxAge);
  const before = item === undefined ? { fields: {} as Fields, outputs: {} } : definition.fromApi(item);
  const sending = Object.fromEntries(
    Object.entries(declared).filter(([field, value]) => !isEquivalent(definition, field, value, before.fields[field])),
  );

  const object = await journalName(place);
  const entry = session.journal.read(object);
  const nothingYet = { definition, metadata, detector: new DriftDetector(definition, {}, {}) };
  // A run that was killed has changed the text already: what was there before its change is in the journal. But where somebody
  // has written since, or the text's former life has ended on another machine, it is what is there now.
  const isAnothers = (field: string) =>
    field in sending &&
    before.fields[field] !== undefined &&
    !definition.serverCopied?.includes(field) &&
    ![entry.originals[field] ?? undefined, entry.transferred?.[field]?.replacedValue].some((known) =>
      isEquivalent(definition, field, known, before.fields[field]),
    ) &&
    !isOwnWrite(nothingYet, entry.sentFingerprints, field, before.fields[field]);
  const remembered = Object.fromEntries(Object.entries(entry.originals).filter(([field]) => !isAnothers(field)));
  await session.journal.replace(object, { ...entry, originals: remembered });
  const originals = Object.fromEntries(
    Object.keys(declared).flatMap((field) => {
      if (field in remembered) return [[field, remembered[field]!]];
      return field in sending ? [[field, before.fields[field] ?? null]] : [];
    }),
  );
  let { fields: live, outputs } = before;
  let failure: unknown;
  if (Object.keys(sending).length > 0) {
    try {
      const written = await writeWithJournal(place, originals, sending, before.fields);
      live = { ...live, ...written.fields };
      outputs = written.outputs;
      const { unchanged } = written;
      if (unchanged.length > 0) {
        failure = unchangedFailure(unchanged);
        for (const field of Object.keys(sending)) if (!unchanged.includes(field)) delete sending[field];
      }
    } catch (error) {
      if (!(error instanceof WriteFailure) || error.isRejected) throw error;
      // Whether it is taken over is not known: if the program drops it now, its deletion looks.
      failure = error;
      metadata.unconfirmed = fingerprintsOf(place, sending, live);
    }
  } else {
    metadata.adopted = true;
  }
  const traces: Record<string, FieldState> = {};
  const displayed: Fields = {};
  for (const [field, value] of Object.entries(declared)) {
    const original = originals[field];
    const known: FieldState = original === undefined ? {} : { original };
    const isMissed = failure !== undefined && field in sending;
    displayed[field] = isMissed ? live[field] : value;
    const detector = new DriftDetector(definition, {}, { [field]: known });
    traces[field] = isMissed ? known : detector.stateAfterWrite(field, value!, live[field] ?? value!);
  }
  return { key, newState: { displayed, outputs, metadata: { ...metadata, fields: traces } }, failure };
}
