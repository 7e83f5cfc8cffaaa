/**
 * Adopts what every account has exactly once: branding, settings and email templates. They cannot be created. The original values
 * are kept before the first write.
 */
import { mayHaveSucceeded } from "../core/failure";
import { readMaxAge } from "../core/time-limits";
import { effectOfAdoption, missingValues } from "../plan/create-effect";
import { recordPictures, withoutSamePictures } from "./compare-pictures";
import { missingFailure } from "./gone-failures";
import type { CreateContext, CreateOutcome } from "./resource-context";
import { writeDeclared } from "./write-declared";
import { recordAndWrite } from "./write-fields";

export async function adoptSingleton(create: CreateContext): Promise<CreateOutcome> {
  const { definition, session, account, args, declared, metadata } = create;
  const key = definition.key(undefined, args);
  const item = await definition.read(account, key, readMaxAge.write);
  if (item === undefined) throw missingFailure(definition, account.id(key));
  const before = definition.fromApi(item);
  const sending = await withoutSamePictures(create, missingValues(definition, declared, before.fields), before.fields);
  const isIdentical = Object.keys(sending).length === 0;
  if (!isIdentical) await definition.guard?.(account, { key, fields: sending, isPreview: false });
  const context = { ...create, key, metadata: isIdentical ? { ...metadata, adopted: true } : metadata };
  const originals = await session.ledger.readOriginals(context, declared, sending, before.fields);
  const write = () => recordAndWrite(context, originals, sending, before.fields);
  // If the outcome is unknown, it may be adopted: if the program drops it now, its deletion reads it first.
  const written = await writeDeclared(context, before, sending, originals, write, mayHaveSucceeded);
  const effect = effectOfAdoption({ definition, id: account.id(key) }, sending, before.fields);
  if (written.failure !== undefined) return { key, effect, ...written };
  return { key, effect, newState: await recordPictures(context, declared, sending, written.newState) };
}
