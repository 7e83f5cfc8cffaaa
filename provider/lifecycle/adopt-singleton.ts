/**
 * Adopts what every account has exactly once: branding and email templates. They cannot be created. The original values
 * are kept before the first write.
 */
import { mayHaveSucceeded } from "../core/failure";
import { type Fields, isCopied } from "../core/resource-definition";
import { writeMaxAge } from "../session/account";
import { isEquivalent } from "../state/drift";
import type { Originals } from "../state/metadata";
import { withoutSamePictures, withPictureHashes } from "./compare-pictures";
import { effectOfAdoption } from "./plan/effect-of-create";
import type { CreateContext, CreateOutcome, WriteContext } from "./resource-context";
import { isOwnWrite, journalName } from "./unconfirmed-writes";
import { missingValues, writeDeclared } from "./write-declared";
import { writeWithJournal } from "./write-fields";

export async function adoptSingleton(create: CreateContext): Promise<CreateOutcome> {
  const { definition, account, args, declared, metadata } = create;
  const key = definition.key(undefined, args);
  const item = await definition.read(account, key, writeMaxAge);
  const before = item === undefined ? { fields: {} as Fields, outputs: {} } : definition.fromApi(item);
  const sending = await withoutSamePictures(create, missingValues(definition, declared, before.fields), before.fields);
  const isIdentical = Object.keys(sending).length === 0;
  if (!isIdentical) await definition.guard?.(account, { key, fields: sending, isPlan: false });
  const context = { ...create, key, metadata: isIdentical ? { ...metadata, adopted: true } : metadata };
  const originals = await findOriginals(context, declared, sending, before.fields);
  const write = () => writeWithJournal(context, originals, sending, before.fields);
  // If the outcome is unknown, it may be adopted: if the program drops it now, its deletion reads it first.
  const written = await writeDeclared(context, before, sending, originals, write, mayHaveSucceeded);
  const effect = effectOfAdoption(context, sending, before.fields);
  if (written.failure !== undefined) return { key, effect, ...written };
  return { key, effect, newState: await withPictureHashes(context, declared, written.newState) };
}

/**
 * The original values of the declared fields, as far as they are known. A killed run may have changed a field already:
 * then the journal has the original. But if the field was changed outside Pulumi since, or the object was managed on
 * another machine meanwhile, the current value is the original.
 */
async function findOriginals(
  context: WriteContext,
  declared: Fields,
  sending: Fields,
  live: Fields,
): Promise<Originals> {
  const { definition, session, metadata } = context;
  const object = await journalName(context);
  const entry = session.journal.read(object);
  if (entry.isSealed) session.journal.rejectSealed(object);
  const isForeign = (field: string) =>
    field in sending &&
    live[field] !== undefined &&
    !isCopied(definition, field) &&
    ![entry.originals[field] ?? undefined, entry.transferred?.[field]?.replacedValue].some((value) =>
      isEquivalent(definition, field, value, live[field]),
    ) &&
    !isOwnWrite({ definition, metadata }, entry.sentFingerprints, field, live[field]);
  const recorded = Object.fromEntries(Object.entries(entry.originals).filter(([field]) => !isForeign(field)));
  await session.journal.replace(object, { ...entry, originals: recorded });
  return Object.fromEntries(
    Object.keys(declared).flatMap((field) => {
      if (field in recorded) return [[field, recorded[field]!]];
      return field in sending ? [[field, live[field] ?? null]] : [];
    }),
  );
}
