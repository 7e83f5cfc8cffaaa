/**
 * What a response is expected to contain, by edition: members and types from the table of response members, formats of strings from the
 * endpoint's schema, values from the documented ones. The client reads more than that; a report is strict.
 */
import { z } from "zod";
import { errorMembers, type Member, type OperationName, responseMembers } from "../emulator/response-members";
import type { Endpoint } from "../sdk/api/endpoint";
import * as scalars from "../sdk/api/scalars";
import { type Edition, editions } from "../sdk/edition";
import * as values from "../sdk/known-values";
import { missing, type TextFormat } from "./value-formats";

/** A member of a response in both editions. */
export interface ExpectedMember {
  readonly byEdition: Readonly<Record<Edition, Member | undefined>>;
  /** Format of the string, if the API has one for it. */
  readonly format: TextFormat | undefined;
  /** Of the object, or of each object in the list. */
  readonly members: ExpectedMembers;
}

/** By name. */
export type ExpectedMembers = ReadonlyMap<string, ExpectedMember>;

/** What an edition's documents say, and whether what was seen fits. */
export interface Expectation {
  /** Undefined: nothing. Then anything fits. */
  readonly text: string | undefined;
  readonly fits: boolean;
}

export const expectedResponse = (operation: OperationName, { response }: Endpoint): ExpectedMembers =>
  merge(
    (edition) => responseMembers(operation, edition),
    (name) => response.shape[name],
  );

export const expectedError = (): ExpectedMembers => merge(errorMembers, () => undefined);

function merge(
  membersOf: (edition: Edition) => ReadonlyMap<string, Member>,
  schemaOf: (name: string) => z.core.$ZodType | undefined,
): ExpectedMembers {
  const lists = editions.map((edition) => [edition, membersOf(edition)] as const);
  const names = new Set(lists.flatMap(([, members]) => [...members.keys()]));
  return new Map(
    [...names].map((name) => {
      const byEdition = Object.fromEntries(lists.map(([edition, members]) => [edition, members.get(name)])) as Record<
        Edition,
        Member | undefined
      >;
      const { format, shape } = describe(schemaOf(name));
      const members = merge(
        (edition) => byEdition[edition]?.members ?? new Map(),
        (inner) => shape[inner],
      );
      return [name, { byEdition, format, members }];
    }),
  );
}

const formats = new Map<z.core.$ZodType, TextFormat>([
  [scalars.id, "digits"],
  [scalars.count, "digits"],
  [scalars.timestamp, "timestamp"],
]);

/** The format of a schema's strings, and the members of its object or of the objects in its list: whatever it is wrapped in. */
function describe(schema: z.core.$ZodType | undefined): { format: TextFormat | undefined; shape: z.core.$ZodShape } {
  if (schema === undefined) return { format: undefined, shape: {} };
  const format = formats.get(schema);
  if (format !== undefined) return { format, shape: {} };
  if (schema instanceof z.ZodObject) return { format: undefined, shape: schema.shape };
  if (schema instanceof z.ZodArray) return describe(schema.element);
  if (schema instanceof z.ZodPipe) return describe(schema.in);
  if (schema instanceof z.ZodUnion) return describe(schema.options.find((one) => describe(one).format !== undefined));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch)
    return describe(schema.unwrap());
  return { format: undefined, shape: {} };
}

/** What an edition says of a member of which these formats were seen. */
export function judgeMember(expected: ExpectedMember, edition: Edition, seen: readonly string[]): Expectation {
  const member = expected.byEdition[edition];
  if (member === undefined) return { text: "no such member", fits: seen.every((format) => format === missing) };
  if (member.source.kind === "invented") return { text: undefined, fits: true };
  const { types, isOptional } = member;
  const allowed = types.map((type) => (type === "string" ? (expected.format ?? "string") : type));
  const fits = (format: string) =>
    format === missing ? isOptional : types.includes("any") || allowed.some((one) => one === format);
  return { text: `${allowed.join(" or ")}${isOptional ? ", or missing" : ""}`, fits: seen.every(fits) };
}

/** Whether a string may be anything, so that its format would say what it is about. */
export const isFreeText = ({ format, byEdition }: ExpectedMember): boolean =>
  format === undefined && editions.some((edition) => byEdition[edition]?.types.includes("string"));

/** Documented values, by member: all, and those that the specification lacks. */
const enums: Record<string, readonly [all: readonly string[], unspecified: readonly string[]]> = {
  webhook_type: [values.webhookTypes, values.unspecifiedWebhookTypes],
  branding_email_type: [values.brandingEmailTypes, values.unspecifiedEmailTypes],
  envelope_status: [values.envelopeStatuses, values.unspecifiedEnvelopeStatuses],
  role_id: [values.roleIds, []],
};

export const hasValues = (name: string): boolean => Object.hasOwn(enums, name);

/** Whether an edition's documents have a value of a member. */
export function isDocumented(name: string, value: string, edition: Edition): boolean {
  const [all, unspecified] = enums[name]!;
  return all.includes(value) && !(edition === "specification" && unspecified.includes(value));
}
