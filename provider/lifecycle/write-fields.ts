/** Writes fields of an object, and reads back what the response lacks. */

import { longestLag } from "../../sdk/http/read-lag";
import { WriteFailure } from "../core/failure";
import { type Properties, withoutUndefined } from "../core/pulumi-values";
import { readUntil } from "../core/read-until";
import { type Fields, isCopied } from "../core/resource-definition";
import { isEquivalent, valueHash } from "../state/drift";
import type { Originals } from "../state/metadata";
import type { WriteContext } from "./resource-context";
import { isRewritten, sendUpdate } from "./send-update";
import { warnTruncated } from "./truncated-values";

export interface Written {
  fields: Fields;
  outputs: Properties;
  /** Fields that still have their previous value, although the API reported success. */
  unchanged: string[];
}

/** As {@link writeFields}, after the original values are recorded. */
export function recordAndWrite(
  context: WriteContext,
  originals: Originals,
  sending: Fields,
  previous: Fields,
): Promise<Written> {
  return context.session.ledger.write(context, { originals, sending }, () => writeFields(context, sending, previous));
}

/**
 * Writes the fields, and reads back what the response lacks.
 * @throws {WriteFailure}
 */
export async function writeFields(context: WriteContext, sending: Fields, previous: Fields): Promise<Written> {
  const { definition, account, key } = context;
  const sent = Object.keys(sending);
  const response = definition.fromApi(await sendUpdate(context, sending, previous));
  const returned = withoutUndefined(response.fields);
  // Some services answer an update with the record from before it. A copy may have the previous address.
  const isPrevious = (field: string, now: string | undefined) =>
    isCopied(definition, field)
      ? valueHash(definition, field, now ?? "") !== valueHash(definition, field, sending[field] ?? "")
      : now === previous[field] && !isEquivalent(definition, field, sending[field], now);
  const suspicious = sent.filter((field) => field in returned && isPrevious(field, returned[field]));
  let { fields, outputs } = response;
  if (suspicious.length > 0 || sent.some((field) => !(field in returned))) {
    const isShown = (item: unknown) => {
      const { fields: now } = definition.fromApi(item);
      return sent.every((field) => isCopied(definition, field) || !isPrevious(field, now[field]));
    };
    const lagging = {
      clock: context.session.run.clock,
      left: longestLag,
      what: "the account, which does not show yet what was just written",
      read: (age: number) => definition.read(account, key, age),
      isShown: (item: unknown) => item === undefined || isShown(item),
    };
    const item = await readUntil(lagging, 0).catch((error) => {
      throw new WriteFailure(sending, previous, error, true);
    });
    const read = item === undefined ? { fields: {} as Fields, outputs: {} } : definition.fromApi(item);
    const trusted = Object.entries(returned).filter(
      ([field]) => !suspicious.includes(field) || read.fields[field] === undefined,
    );
    fields = { ...read.fields, ...Object.fromEntries(trusted) };
    outputs =
      suspicious.length > 0 ? { ...response.outputs, ...read.outputs } : { ...read.outputs, ...response.outputs };
  }
  const isUnchanged = (field: string) =>
    !(fields[field] === undefined && definition.sometimesReturned.includes(field)) &&
    isPrevious(field, fields[field]) &&
    !isRewritten(definition, field, sending[field]!, fields[field]);
  warnTruncated(context, sending, fields);
  return { fields, outputs, unchanged: sent.filter(isUnchanged) };
}
