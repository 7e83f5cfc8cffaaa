/** From method and path to the endpoint value and its handler. */
import type { z } from "zod";
import type { Endpoint } from "../../sdk/api/endpoint";
import { allEndpoints, type GroupName } from "../../sdk/api/index";
import type { Edition } from "../../sdk/edition";
import type { Code } from "../domain/api-errors";
import type { Settings } from "../domain/emulator-settings";
import type { Fields } from "../handlers/body-fields";
import { branding } from "../handlers/branding";
import { companies } from "../handlers/companies";
import { contacts } from "../handlers/contacts";
import { embedSessions } from "../handlers/embed-sessions";
import { chooseCreate } from "../handlers/envelope-form";
import { envelopes } from "../handlers/envelopes";
import type { FieldErrorCodes, HandlerRequest, Handlers, ListResult } from "../handlers/handler";
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
    const params = Object.fromEntries(names.map((name, i) => [name, decodePart(match[i + 1]!)]));
    return { kind: "route", routes: candidates, params };
  }
  const [, , misuse] = misuses.find(([m, pattern]) => m === method && pattern.test(path)) ?? [];
  const [[other] = []] = paths.find(({ pattern }) => pattern.test(path))?.routes.values() ?? [];
  if (misuse === undefined && other === undefined) return { kind: "unknown" };
  return { kind: "rejected", code: misuse ?? 10001, optional: other?.endpoint.optional };
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

/** A part of a path; one that is not percent-encoded UTF-8 is what it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
