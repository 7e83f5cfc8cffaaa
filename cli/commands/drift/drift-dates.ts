/** How old drift is, by what the looks at the account have seen. */
import { plural } from "../../../definitions/text/display";

/** Times in ISO 8601. */
export interface Dates {
  firstSeen: string;
  lastChanged: string;
}

/** When a look was, and the one before it. */
interface Look {
  lookedAt: string;
  /** Absent for the first look. */
  previousLook?: string;
}

/** `2026-01-31 09:12Z` */
export const minute = (time: string) => `${time.slice(0, 16).replace("T", " ")}Z`;

function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return plural(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? plural(hours, "hour") : plural(Math.floor(hours / 24), "day");
}

export const isNew = ({ lookedAt, previousLook }: Look, { firstSeen }: Dates) =>
  previousLook !== undefined && firstSeen === lookedAt;
export const isChangedAgain = ({ lookedAt }: Look, { firstSeen, lastChanged }: Dates) =>
  firstSeen !== lookedAt && lastChanged === lookedAt;

/** What is said of a difference: nothing at the first look, when all of it is new to the record. */
export function ageOf(report: Look, dates: Dates | undefined): string | undefined {
  if (dates === undefined || report.previousLook === undefined) return undefined;
  if (isNew(report, dates)) return "new";
  const { firstSeen, lastChanged } = dates;
  const since = `since ${minute(firstSeen)}, ${age(Date.parse(report.lookedAt) - Date.parse(firstSeen))}`;
  if (isChangedAgain(report, dates)) return `${since}; changed again`;
  return lastChanged === firstSeen ? since : `${since}; last changed ${minute(lastChanged)}`;
}
