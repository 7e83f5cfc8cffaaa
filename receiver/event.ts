/** From a raw body to an event, typed by its action. */

import type { rawBodyOf } from "./body/raw-body";
import { ReceiverError } from "./errors";
import { type Action, type MemberName, type Members, members, readers } from "./event-members";
import { parseForm } from "./form-fields";
import { parseJson } from "./json";

interface EventBase {
  /** `classic`: form fields. `minimal`: JSON with little more than IDs. */
  form: "classic" | "minimal";
  /** When it happened. */
  action_date: Date;
  /** The same as the service wrote it. */
  action_date_text: string;
  /** All members as they were received, documented or not. Integers above 2^53 are strings: JavaScript would round them. */
  raw: Readonly<Record<string, unknown>>;
}

type Required<A extends Action> = Pick<Members, (typeof members)[A][0][number]>;
type Optional<A extends Action> = Partial<Pick<Members, (typeof members)[A][1][number]>>;

/** The event of one action. IDs are strings, whatever they were. */
export type EventOf<A extends Action> = EventBase & { action: A } & Optional<A> &
  (
    | ({
        /** Whether it has all members that the documentation requires of the classic form. */
        complete: true;
      } & Required<A>)
    | ({ complete: false } & Partial<Required<A>>)
  );

/** An event whose action this version does not know: its members are in `raw`. */
export interface UnknownEvent extends EventBase {
  action: "unknown";
  /** The action as the service wrote it. */
  unknown_action: string;
  complete: false;
  company_id?: string;
  envelope_fingerprint?: string;
}

/** An event. It narrows on `action`, and then on `complete`. */
export type NotificationEvent = { [A in Action]: EventOf<A> }[Action] | UnknownEvent;

type Raw = NonNullable<ReturnType<typeof rawBodyOf>>;

/** Reads the body of a notification, in either form. Throws `not-an-event`. */
export function parseEvent(body: Raw): NotificationEvent {
  const { form, raw } = parsePayload(decode(body));
  const { action, action_date } = raw;
  if (typeof action !== "string" || action === "") throw new ReceiverError("not-an-event", "it has no action");
  const date = typeof action_date === "string" ? parseDate(action_date) : undefined;
  if (!date) throw new ReceiverError("not-an-event", "its action_date is missing or not a time");
  const base = { form, action_date: date, action_date_text: action_date as string, raw };
  if (!Object.hasOwn(members, action)) {
    const ids = readMembers(raw, ["company_id", "envelope_fingerprint"]);
    return { ...base, action: "unknown", unknown_action: action, complete: false, ...ids };
  }
  const [required, optional]: readonly (readonly MemberName[])[] = members[action as Action];
  const found = readMembers(raw, [...required, ...optional]);
  const complete = required.every((name) => name in found);
  return { ...base, action, complete, ...found } as NotificationEvent;
}

/** The members that are there and can be read. */
function readMembers(raw: Record<string, unknown>, names: readonly MemberName[]): Partial<Members> {
  const entries = names.map((name) => [name, readers[name](raw[name])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function decode(body: Raw): string {
  if (typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new ReceiverError("not-an-event", "it is not UTF-8");
  }
}

/** The body tells its form: no name of a form field begins with a brace. */
function parsePayload(text: string): { form: "classic" | "minimal"; raw: Record<string, unknown> } {
  if (!/^\s*\{/.test(text)) return { form: "classic", raw: parseForm(text) };
  try {
    return { form: "minimal", raw: parseJson(text) as Record<string, unknown> };
  } catch {
    throw new ReceiverError("not-an-event", "it is not valid JSON, or nested too deep");
  }
}

/** ISO 8601 with an offset, with or without its colon. */
function parseDate(text: string): Date | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|([+-]\d\d):?(\d\d))$/.exec(text);
  if (!match) return undefined;
  const [, time, hours = "+00", minutes = "00"] = match;
  const date = new Date(`${time}${hours}:${minutes}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
