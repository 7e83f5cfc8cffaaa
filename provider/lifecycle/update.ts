/** An update: only fields that are managed and changed are sent, and never over a change that the plan did not show. */

import { Failure, WriteFailure } from "../core/failure";
import type { Properties } from "../core/pulumi-values";
import type { Fields } from "../core/resource-definition";
import { accountExists } from "../resources/company";
import { writeAge } from "../session/account";
import type { Trace } from "../state/bookkeeping";
import { Echo, same } from "../state/drift";
import { type Entry, type Originals, together } from "../state/originals-journal";
import type { Change, Subject } from "./context";
import { isOurs, marksOf, settle } from "./unconfirmed-writes";
import {
  notTakenBack,
  oneByOne,
  refuseConflicts,
  sayWhatStays,
  unmovedFailure,
  type WrittenInParts,
  writeInParts,
} from "./write-fields";

/** What an update sends. */
interface Plan {
  /** What is declared. */
  sending: Fields;
  /** What was there before, for what is not declared any more; nothing is an empty text. */
  restoring: Fields;
  /** What is there before the first change of a field. */
  originals: Originals;
  /** What is remembered of the fields that nothing is sent of. */
  traces: Record<string, Trace>;
}

/** Brings an object to what is wanted. `live` is filled with what it was like before, for messages. */
export async function changeObject(
  subject: Subject,
  args: Properties,
  wanted: Fields,
  live: Fields,
): Promise<{ change: Change; failure?: Failure }> {
  const { definition, session, account, key } = subject;
  await session.assurance.beforeWrite();
  if (!(await accountExists(account))) {
    throw new Failure(
      "the company that it is in is gone; run `refresh`, then `up` makes anew what the program declares",
    );
  }
  const item = await definition.read(account, key, writeAge);
  if (item === undefined) throw new Failure("it is gone from the account; run `refresh`, then `up` makes it anew");
  const before = definition.fromWire(item);
  Object.assign(live, before.fields);
  // What was sent by a run that was killed, or whose answer was lost, and what was there before.
  const remembered = await settle(subject);
  const known = { ...subject, echo: subject.echo.withOriginals(remembered.originals, remembered.handed) };
  const plan = planOf(known, remembered, wanted, live, args.onDelete === "keep");
  const groups = [plan.sending, ...oneByOne(plan.restoring)].filter((fields) => Object.keys(fields).length > 0);
  try {
    const written = await writeInParts(known, plan.originals, groups, before, (fields) => fields !== plan.sending);
    return await outcomeOf(known, plan, wanted, live, written);
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.isRefused) throw error;
    return { change: inDoubt(known, plan, remembered, live), failure: error };
  }
}

function planOf(subject: Subject, { sent }: Entry, wanted: Fields, live: Fields, isKept: boolean): Plan {
  const { definition, echo, state } = subject;
  const isSingleton = definition.life === undefined;
  const plan: Plan = { sending: {}, restoring: {}, originals: {}, traces: { ...echo.traces } };
  const conflicts: string[] = [];
  for (const field of definition.managed) {
    const declared = echo.declared(field);
    const original = echo.traces[field]?.original;
    const isInDoubt = field in sent;
    // Of what is not declared yet nothing is shown, and what is there is kept as the original. One copy of a logo cannot be told from another.
    const isRecognised = isSingleton && isInDoubt && !definition.rehosted?.includes(field);
    const isNew = declared === undefined && !isRecognised;
    const isShown =
      isNew || (declared === undefined ? (original ?? "") === (live[field] ?? "") : echo.shows(field, live[field]));
    const value = wanted[field];
    if (value === undefined) {
      if (declared === undefined && !isInDoubt) continue;
      delete plan.traces[field];
      const former = isSingleton && !isKept ? originalOf(subject, field, live[field]) : undefined;
      if (former === undefined || former === (live[field] ?? "")) continue;
      plan.restoring[field] = former;
    } else if (same(definition, field, value, live[field])) {
      // Already so: written by a run whose answer was lost, or by hand.
      const isChanged = isSingleton && declared !== undefined && !same(definition, field, value, declared);
      plan.traces[field] = {
        // What was taken over as it was declared was there before.
        ...(isChanged && { original: declared }),
        ...echo.trace(field, value, live[field]!),
      };
      continue;
    } else if (
      declared !== undefined &&
      same(definition, field, value, state[field] as string | undefined) &&
      (isShown || !isInDoubt)
    ) {
      // The plan shows no change of this field: whatever it is now, the next refresh will say so.
      continue;
    } else {
      plan.sending[field] = value;
      if (isSingleton && original === undefined) {
        // What was taken over as it was declared is changed for the first time: that was there before.
        const present = declared === undefined || echo.holds(field, live[field]) ? live[field] : declared;
        plan.originals[field] = present ?? null;
      }
    }
    if (!isShown && !isOurs(subject, sent, field, live[field])) conflicts.push(field);
  }
  refuseConflicts(subject, conflicts, live);
  return plan;
}

/** What is recorded of an update that was answered. */
async function outcomeOf(
  subject: Subject,
  plan: Plan,
  wanted: Fields,
  live: Fields,
  written: WrittenInParts,
): Promise<{ change: Change; failure?: Failure }> {
  const { definition, state, echo, book, session } = subject;
  const { originals } = plan;
  const traces = { ...plan.traces };
  const { perhaps: _, ...known } = book;
  for (const [field, value] of Object.entries(plan.sending)) {
    const former = field in originals ? { ...traces[field], original: originals[field]! } : traces[field];
    const next = new Echo(definition, state, { ...traces, ...(former !== undefined && { [field]: former }) });
    traces[field] = next.trace(field, value!, written.fields[field] ?? value!);
  }
  const change: Change = {
    shown: { ...wanted },
    outputs: written.outputs,
    book: { ...known, key: await session.fingerprint(), fields: traces },
  };
  const isDeclared = (field: string) => field in plan.sending;
  const stillThere = (fields: readonly string[]) =>
    sayWhatStays(subject, fields, (field) => echo.traces[field]?.original ?? null);
  const refused = stillThere(written.refused);
  const unmoved = [
    ...written.unmoved.filter(isDeclared),
    ...stillThere(written.unmoved.filter((field) => !isDeclared(field))),
  ];
  for (const field of [...unmoved, ...refused]) {
    // What is there is shown, so that the next plan has it as a change; what was there at first stays known.
    change.shown[field] = written.fields[field] ?? live[field];
    const original = echo.traces[field]?.original ?? originals[field];
    traces[field] = original === undefined ? {} : { original };
  }
  if (refused.length > 0) {
    const failure = notTakenBack(refused, written);
    if (!written.isBegun) throw failure;
    return { change, failure };
  }
  return { change, ...(unmoved.length > 0 && { failure: unmovedFailure(unmoved) }) };
}

/** What is recorded of an update whose outcome is not known: all is as it was, and besides what the account may have now. */
function inDoubt(subject: Subject, { sending, restoring, originals }: Plan, remembered: Entry, live: Fields): Change {
  const { definition, echo, book, state } = subject;
  const fields: Record<string, Trace> = { ...echo.traces };
  for (const [field, original] of Object.entries(originals)) fields[field] = { ...fields[field], original };
  const sent = marksOf(subject, { ...sending, ...restoring }, live);
  return {
    shown: Object.fromEntries(definition.managed.map((field) => [field, state[field] as string | undefined])),
    outputs: {},
    book: { ...book, fields, perhaps: together([remembered, { originals: {}, sent }]).sent },
  };
}

/** What to put back for a field that is no longer declared. */
function originalOf({ definition, session, account, key, echo }: Subject, field: string, live: string | undefined) {
  const { original } = echo.traces[field] ?? {};
  if (typeof original === "string") return original;
  if (original === null && definition.emptiable?.includes(field)) return "";
  if (live !== undefined) {
    const why =
      original === null ? "there was nothing before, which cannot be put back" : "what was there before is not known";
    session.say(`${definition.kind} ${account.id(key)}: ${field} is no longer declared and stays as it is (${why})`);
  }
  return undefined;
}
