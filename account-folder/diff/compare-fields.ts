/** Compares the fields of one resource: what differs, what differs only because environments do, and what is not managed. */
import { parseUrl } from "../../sdk/text/url";
import { normalizeColour, normalizeLogo, normalizeName, normalizeText, normalizeUrl } from "../text/normalize";
import {
  type ComparisonContext,
  type FieldChange,
  type FieldPlace,
  isOtherEnvironment,
  type ResourceChange,
} from "./comparison";

export type Fields = Record<string, string | undefined>;
export type ResourceRef = Pick<ResourceChange, "kind" | "name" | "id">;

export function compareFields(context: ComparisonContext, place: ResourceRef, before: Fields, after: Fields): void {
  const changed: FieldChange[] = [];
  for (const field of FIELD_ORDER.filter((name) => before[name] !== undefined || after[name] !== undefined)) {
    const [a, b] = [before[field], after[field]];
    if (a !== undefined && b !== undefined && isSame(field, a, b)) continue;
    const change: FieldChange = {
      field,
      ...(a !== undefined && { before: a }),
      ...(b !== undefined && { after: b }),
    };
    const one = { ...place, ...owner(context), action: "change" as const, fields: [change] };
    const reason = environmentReason(context, { ...place, ...owner(context), field }, a, b);
    if (reason) context.result.environment.push({ ...one, reason });
    else if (isUnmanaged(context, a, b)) context.result.unmanaged.push({ ...one, reason: unmanagedReason(context) });
    else changed.push(change);
  }
  if (changed.length > 0) {
    context.result.changes.push({ ...place, ...owner(context), action: "change", fields: changed });
  }
}

/** The order in which people read the fields, and the only fields there are. */
const FIELD_ORDER = ["name", "email", "logoUrl", "colour", "subject", "content", "contentPlain", "type", "url"];

/** True when two values of a field mean the same: the service answers a value in a form of its own. */
export function isSame(field: string, a: string, b: string): boolean {
  if (a === b) return true;
  const canonical = CANONICAL[field];
  return canonical !== undefined && canonical(a) === canonical(b);
}

const CANONICAL: Record<string, (value: string) => string> = {
  name: normalizeName,
  email: (address) => address.toLowerCase(),
  colour: normalizeColour,
  logoUrl: normalizeLogo,
  subject: normalizeText,
  content: normalizeText,
  contentPlain: normalizeText,
  url: normalizeUrl,
};

export function isUnmanaged({ before, after }: ComparisonContext, a: unknown, b: unknown): boolean {
  return (
    (a === undefined && !before.isAuthoritative && after.isAuthoritative) ||
    (b === undefined && !after.isAuthoritative && before.isAuthoritative)
  );
}

export const unmanagedReason = ({ before, after }: ComparisonContext) =>
  `not managed by ${before.isAuthoritative ? after.label : before.label}`;

export const owner = ({ company, companyId }: ComparisonContext) => ({
  ...(company !== undefined && { company }),
  ...(companyId !== undefined && { companyId }),
});

export const differentEnvironments = ({ before, after }: ComparisonContext) => isOtherEnvironment(before, after);

function environmentReason(
  context: ComparisonContext,
  place: FieldPlace,
  a: string | undefined,
  b: string | undefined,
): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (otherValues(context, place, a, b)) return "the same text with other values of the environment";
  if (place.field === "logoUrl") {
    const { before, after } = context;
    const twoAccounts = before.isAuthoritative && after.isAuthoritative && differentEnvironments(context);
    if (twoAccounts || (before.isAuthoritative !== after.isAuthoritative && host(a) !== host(b))) {
      return "the service keeps its own copy of a logo, under an address of its own in each account";
    }
  }
  return undefined;
}

/** Whether one side's template gives the other's text with the values of another environment. */
export function otherValues(
  context: ComparisonContext,
  place: FieldPlace,
  a: string,
  b: string,
  placeAfter = place,
): boolean {
  const { before, after } = context;
  if (!before.isUnresolved && !after.isUnresolved && !differentEnvironments(context)) return false;
  return before.matchesTemplate?.(place, b, after) === true || after.matchesTemplate?.(placeAfter, a, before) === true;
}

export const host = (address: string) => parseUrl(address)?.host ?? "";
