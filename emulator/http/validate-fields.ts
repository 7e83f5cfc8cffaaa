/** Validates the fields of a request, and finds the error code of the first mistake. */

import type { z } from "zod";
import type { Endpoint } from "../../sdk/api/endpoint";
import { namesBeyond } from "../../sdk/edition";
import { type Mistake, parseWith } from "../../sdk/parse-rules";
import { type Code, throwApiError } from "../domain/api-errors";
import type { Settings } from "../domain/emulator-settings";
import { hasCurrentValues, unlistedValuesOf } from "../domain/enums-by-edition";
import { mostDescribedMistakes } from "../domain/limits";
import { refuses, switchOf } from "../domain/strictness";
import { type Fields, omitEmptyFields } from "../handlers/body-fields";
import type { FieldCodeList, FieldErrorCodes } from "../handlers/handler";
import type { OperationName } from "../response-members/index";
import type { Route } from "./router";

/** The ID of what is created, in a body, has the code that it has in the path. */
const ownIds: Partial<Record<OperationName, readonly [field: string, code: Code]>> = {
  "envelopes.createFromTemplate": ["envelope_fingerprint", 10250],
  "envelopes.createFromFiles": ["envelope_fingerprint", 10250],
  "webhooks.create": ["webhook_id", 10303],
  "companies.create": ["company_id", 10356],
  "contacts.create": ["contact_id", 10055],
};

/** Validates path parameters and form with the endpoint's schemas; throws the error with the field's code. */
export function validate(
  route: Route,
  params: Record<string, string>,
  rawForm: Fields,
  settings: Pick<Settings, "edition" | "unlistedValues" | "strictness">,
) {
  const form = (route.normalize ?? omitEmptyFields)(rawForm);
  const ownId = ownIds[route.name];
  if (ownId !== undefined && (form[ownId[0]] ?? "") !== "") throwApiError(ownId[1]);
  // What an edition does not have is ignored, like any unknown field.
  for (const name of namesBeyond(settings.edition, (route.endpoint.form as z.ZodObject).shape)) delete form[name];
  const parse = () => ({
    params: parseOrThrow(route, route.endpoint.params, params),
    form: parseOrThrow(route, route.endpoint.form, form),
  });
  const unlistedValues = unlistedValuesOf(settings, route.group);
  const rules = {
    edition: settings.edition,
    allowsValue: (value: string) => unlistedValues.includes(value),
    allowsNewValues: false,
    allowsMistake: (mistake: Mistake) =>
      !refuses(settings, mistake) || (mistake === "unknownMembers" && hasCurrentValues(settings)),
    remedyOf: (mistake: Mistake) => ` (${switchOf(mistake)})`,
  };
  return parseWith(rules, parse);
}

function parseOrThrow(route: Route, schema: Endpoint["form"], input: Fields): Record<string, unknown> {
  const result = schema.safeParse(input);
  if (result.success) return result.data as Record<string, unknown>;
  // Missing fields are reported first, in the order of the error codes.
  const order = Object.keys(route.errorCodes);
  const issues = result.error.issues.toSorted((a, b) => rank(a.path[0]) - rank(b.path[0]));
  const issue = issues[0]!;
  const code = codeOf(issue, route.errorCodes, input, schema as z.ZodObject);
  const shown = issues
    .slice(0, mostDescribedMistakes)
    .map((i) => [formatPath(i.path), i.message].filter(Boolean).join(" "));
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`);
  const detail = shown.join("; ");
  return throwApiError(code, detail);

  function rank(name: PropertyKey | undefined): number {
    const at = order.indexOf(String(name ?? ""));
    return at < 0 ? order.length : at;
  }
}

/** The code of what is wrong with a field, with an item of a list, or with a member of an item. */
function codeOf(
  { path, code: kind }: z.core.$ZodIssue,
  codes: FieldErrorCodes,
  input: Fields,
  schema: z.ZodObject,
): Code {
  const [field = "", ...inner] = path;
  const last = inner.at(-1);
  // A member of a structured field may have the name of a field by mistake.
  const isMember = typeof last === "string" && !Object.hasOwn(schema.shape, last);
  // Of the table's own: a request may name a field `constructor`.
  const codesNamed = (name: string) => (Object.hasOwn(codes, name) ? codes[name] : undefined);
  // A name that several structured fields have is written with its field.
  const codesOfIt = isMember
    ? (codesNamed(`${String(field)}.${last}`) ?? codesNamed(last))
    : typeof last === "string"
      ? undefined
      : codesNamed(String(field));
  const [missing, invalid, empty = invalid, item = invalid] = codeList(codesOfIt ?? 10010);
  if (typeof last === "number") return item;
  if ((valueAt(input, path) ?? null) === null) return missing;
  return kind === "too_small" ? empty : invalid;
}

const codeList = (codes: Code | FieldCodeList): FieldCodeList => (typeof codes === "object" ? codes : [codes, codes]);

function valueAt(input: Fields, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const part of path) {
    if (typeof value === "string") value = JSON.parse(value);
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[part];
  }
  return value;
}

/** `envelope_parties[1].party_email` */
function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    "",
  );
}
