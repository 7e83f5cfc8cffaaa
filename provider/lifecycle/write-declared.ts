/** Writes the declared values that a new object is missing, and records what the account has then. */
import { WriteFailure } from "../core/failure";
import { type Properties, withoutUndefined } from "../core/pulumi-values";
import type { Fields } from "../core/resource-definition";
import { fingerprintsOf } from "../recovery/fingerprints";
import { DriftDetector } from "../state/drift";
import type { FieldState, Fingerprints, Originals } from "../state/metadata";
import type { CreateContext, CreateOutcome, NewState } from "./resource-context";
import { ignoredValue, unchangedFailure } from "./unwritten-fields";
import type { Written } from "./write-fields";

/** `write` writes `sending`; a failure for which `isKept` is true is recorded with the object, others are thrown. */
export async function writeDeclared(
  create: CreateContext,
  before: { fields: Fields; outputs: Properties },
  sending: Fields,
  originals: Originals,
  write: () => Promise<Written>,
  isKept: (failure: unknown) => boolean,
): Promise<Omit<CreateOutcome, "key" | "effect">> {
  if (Object.keys(sending).length === 0) {
    return { newState: stateOf(create, before.fields, before.outputs, [], originals) };
  }
  let written: Written;
  try {
    written = await write();
  } catch (failure) {
    if (!isKept(failure)) throw failure;
    const isUnknown = failure instanceof WriteFailure && !failure.isRejected;
    const unconfirmed = isUnknown ? fingerprintsOf(create, sending) : undefined;
    const notApplied = Object.keys(sending);
    return {
      newState: stateOf(create, before.fields, before.outputs, notApplied, originals, { unconfirmed }),
      failure,
    };
  }
  const outputs = { ...before.outputs, ...withoutUndefined(written.outputs) };
  const { unchanged } = written;
  const live = { ...before.fields, ...written.fields };
  const newState = stateOf(create, live, outputs, unchanged, originals, { ignored: unchanged });
  return written.unchanged.length === 0 ? { newState } : { newState, failure: unchangedFailure(written.unchanged) };
}

/** A field that was not applied displays its live value, so that the next plan has it as a change. */
function stateOf(
  { definition, declared, metadata }: CreateContext,
  live: Fields,
  outputs: Properties,
  notApplied: readonly string[],
  originals: Originals,
  { unconfirmed, ignored = [] }: { unconfirmed?: Fingerprints | undefined; ignored?: readonly string[] } = {},
): NewState {
  const displayed: Fields = {};
  const fields: Record<string, FieldState> = {};
  for (const [field, value] of Object.entries(declared)) {
    const original = originals[field];
    const before: FieldState = original === undefined ? {} : { original };
    const isApplied = !notApplied.includes(field);
    displayed[field] = isApplied ? value : live[field];
    fields[field] = isApplied
      ? new DriftDetector(definition, {}, { [field]: before }).stateAfterWrite(field, value!, live[field] ?? value!)
      : { ...before, ...(ignored.includes(field) && ignoredValue(definition, field, value)) };
  }
  return { displayed, outputs, metadata: { ...metadata, fields, unconfirmed } };
}
