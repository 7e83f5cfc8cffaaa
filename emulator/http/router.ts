/** From method and path to the endpoint value and its handler. */
import type { z } from "zod";
import type { Endpoint } from "../../sdk/api/endpoint";
import { allEndpoints, type GroupName } from "../../sdk/api/index";
import { type Edition, namesBeyond } from "../../sdk/edition";
import { type Mistake, parseWith } from "../../sdk/parse-rules";
import { type Code, throwApiError } from "../domain/api-errors";
import type { Settings } from "../domain/emulator-settings";
import { hasCurrentValues, unlistedValuesOf } from "../domain/enums-by-edition";
import { refuses, switchOf } from "../domain/strictness";
import { type Fields, omitEmptyFields } from "../handlers/body-fields";
import { branding } from "../handlers/branding";
import { companies } from "../handlers/companies";
import { contacts } from "../handlers/contacts";
import { embedSessions } from "../handlers/embed-sessions";
import { chooseCreate } from "../handlers/envelope-form";
import { envelopes } from "../handlers/envelopes";
import type { FieldCodeList, FieldErrorCodes, HandlerRequest, Handlers, ListResult } from "../handlers/handler";
import { settings } from "../handlers/settings";
import { templates } from "../handlers/templates";
import { usage } from "../handlers/usage";
import { users } from "../handlers/users";
import { webhooks } from "../handlers/webhooks";
import type { OperationName } from "../response-members/index";

const handlers: Handlers = {
  branding,
  webhooks,
  companies,
  usage,
  envelopes,
  embedSessions,
  users,
  contacts,
  templates,
  settings,
};

export interface Route {
  readonly group: GroupName;
  readonly name: OperationName;
  readonly endpoint: Endpoint;
  readonly errorCodes: FieldErrorCodes;
  readonly normalize: ((form: Fields) => Fields) | undefined;
  run(call: HandlerRequest): Record<string, unknown> | ListResult<unknown>;
}

interface PathRoutes {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** By method; two if one path serves two request forms. */
  readonly routes: Map<string, Route[]>;
}

const paths: PathRoutes[] = [];
const byPath = new Map<string, PathRoutes>();
for (const { group, operation, endpoint } of allEndpoints) {
  const handler = (handlers[group] as Record<string, Pick<Route, "errorCodes" | "normalize" | "run">>)[operation]!;
  let address = byPath.get(endpoint.path);
  if (!address) {
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);
    address = { pattern: patternOf(endpoint), names, routes: new Map() };
    byPath.set(endpoint.path, address);
    paths.push(address);
  }
  const route: Route = {
    group,
    name: `${group}.${operation}` as OperationName,
    endpoint,
    errorCodes: handler.errorCodes ?? {},
    normalize: handler.normalize,
    run: handler.run as Route["run"],
  };
  address.routes.set(endpoint.method, [...(address.routes.get(endpoint.method) ?? []), route]);
}
/** Other IDs of users and contacts than numbers are no path of the service. */
function patternOf({ path, optional }: Endpoint): RegExp {
  const isNumber = (parameter: string) => optional !== undefined && parameter.endsWith("_id}");
  return new RegExp(`^${path.replace(/\{\w+\}/g, (parameter) => (isNumber(parameter) ? "(\\d+)" : "([^/]+)"))}$`);
}
// A path without parameters has precedence over one whose parameter would match its last part.
paths.sort((a, b) => a.names.length - b.names.length);

/** Paths that are not endpoints but have their own error codes. */
const misuses: readonly [method: string, path: RegExp, code: Code][] = [
  ["POST", /^\/v1\/branding(\/.*)?$/, 10551],
  ["DELETE", /^\/v1\/branding(\/.*)?$/, 10552],
  ["PUT", /^\/v1\/branding\/emails$/, 10553],
  ["GET", /^\/v1\/branding\/.+$/, 10550],
  ["POST", /^\/v1\/envelopes\/[^/]+$/, 10250],
  ["PUT", /^\/v1\/envelopes\/[^/]+$/, 10251],
  ["DELETE", /^\/v1\/envelopes\/?$/, 10252],
  ["POST", /^\/v1\/webhooks\/[^/]+$/, 10303],
  ["PUT", /^\/v1\/webhooks$/, 10304],
  ["DELETE", /^\/v1\/webhooks$/, 10305],
  ["DELETE", /^\/v1\/companies$/, 10354],
  ["POST", /^\/v1\/companies\/[^/]+$/, 10356],
  ["PUT", /^\/v1\/companies$/, 10359],
  ["POST", /^\/v1\/contacts\/\d+$/, 10055],
  ["PUT", /^\/v1\/contacts$/, 10056],
  ["DELETE", /^\/v1\/contacts$/, 10057],
  ["POST", /^\/v1\/templates\/[^/]+$/, 10155],
  ["PUT", /^\/v1\/templates$/, 10156],
  ["DELETE", /^\/v1\/templates$/, 10157],
  ["PUT", /^\/v1\/templates\/[^/]+$/, 10159],
];

/** The ID of what is created, in a body, has the code that it has in the path. */
const ownIds: Partial<Record<OperationName, readonly [field: string, code: Code]>> = {
  "envelopes.createFromTemplate": ["envelope_fingerprint", 10250],
  "envelopes.createFromFiles": ["envelope_fingerprint", 10250],
  "webhooks.create": ["webhook_id", 10303],
  "companies.create": ["company_id", 10356],
  "contacts.create": ["contact_id", 10055],
};

/** What a path means with a method. */
export type Match =
  | { kind: "route"; routes: readonly Route[]; params: Record<string, string> }
  | { kind: "rejected"; code: Code; optional?: string | undefined }
  | { kind: "unknown" };

export function matchRoute(method: string, path: string, edition: Edition): Match {
  // A slash at the end changes nothing.
  return matchExactly(method, path.replace(/(?<=.)\/+$/, ""), edition);
}

function matchExactly(method: string, path: string, edition: Edition): Match {
  for (const { pattern, names, routes } of paths) {
    const match = pattern.exec(path);
    const candidates = (match && routes.get(method))?.filter(
      ({ endpoint }) => (endpoint.edition ?? edition) === edition,
    );
    if (!match || !candidates?.length) continue;
    const params = Object.fromEntries(names.map((name, i) => [name, decode(match[i + 1]!)]));
    return { kind: "route", routes: candidates, params };
  }
  const misuse = misuses.find(([m, pattern]) => m === method && pattern.test(path));
  if (misuse) return { kind: "rejected", code: misuse[2] };
  const other = paths.find(({ pattern }) => pattern.test(path));
  if (!other) return { kind: "unknown" };
  const [[{ endpoint }]] = [...other.routes.values()] as [[Route]];
  return { kind: "rejected", code: 10001, optional: endpoint.optional };
}

/** Whether the account's interface lacks the path. */
export function isMissing({ missing }: Pick<Settings, "missing">, match: Match): boolean {
  const optional =
    match.kind === "route"
      ? match.routes[0]?.endpoint.optional
      : match.kind === "rejected"
        ? match.optional
        : undefined;
  return optional !== undefined && missing.includes(optional);
}

/** Chooses between the endpoints that share a path, by the form. */
export function chooseRoute(routes: readonly Route[], form: Fields): Route {
  if (routes.length === 1) return routes[0]!;
  const operation = chooseCreate(form);
  return routes.find((route) => route.name === `envelopes.${operation}`)!;
}

/** What a client sends to an operation without fields, such as `[]`, does not matter. */
export const takesFields = ({ endpoint }: Route): boolean =>
  Object.keys((endpoint.form as z.ZodObject).shape).length > 0;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

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

/** Issues in the detail of an error; a request may have a million. */
const MAX_ISSUES = 10;

function parseOrThrow(route: Route, schema: Endpoint["form"], input: Fields): Record<string, unknown> {
  const result = schema.safeParse(input);
  if (result.success) return result.data as Record<string, unknown>;
  // Missing fields are reported first, in the order of the error codes.
  const order = Object.keys(route.errorCodes);
  const issues = result.error.issues.toSorted((a, b) => rank(a.path[0]) - rank(b.path[0]));
  const issue = issues[0]!;
  const code = codeOf(issue, route.errorCodes, input, schema as z.ZodObject);
  const shown = issues.slice(0, MAX_ISSUES).map((i) => [formatPath(i.path), i.message].filter(Boolean).join(" "));
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
  const isMember = typeof last === "string" && !(last in schema.shape);
  // A name that several structured fields have is written with its field.
  const codesOfIt = isMember
    ? (codes[`${String(field)}.${last}`] ?? codes[last])
    : typeof last === "string"
      ? undefined
      : codes[String(field)];
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
