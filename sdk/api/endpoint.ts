/**
 * The type of an endpoint: a value that describes one operation of the API. The client's methods and types, the emulator's routes and
 * validation, the CLI's commands and the reference derive from these values.
 */
import { z } from "zod";
import type { Edition } from "../edition";
import { count, positiveInteger } from "./scalars";

export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof httpMethods)[number];

/** Whether requests of this method have a body. */
export const hasBody = (method: Method): boolean => method !== "GET" && method !== "DELETE";

/** One operation of the API. */
export interface Endpoint<
  Params extends z.ZodObject = z.ZodObject,
  Form extends z.ZodType = z.ZodType,
  Response extends z.ZodObject = z.ZodObject,
  List extends ListShape | undefined = ListShape | undefined,
> {
  readonly method: Method;
  /** Path below the base URL, parameters in braces: `/v1/webhooks/{webhook_id}`. */
  readonly path: `/v1/${string}`;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** Section of the specification; or `current 1.6`, a section of the documentation of the edition `current`. */
  readonly section: string;
  /** Path parameters. */
  readonly params: Params;
  /** Form fields of the body, with their rules. */
  readonly form: Form;
  /** Members of a successful response. Members that are not listed are accepted and kept. */
  readonly response: Response;
  /**
   * True for a response that probably comes from a proxy instead of the service. The request is sent again; the same response counts the
   * second time.
   */
  readonly isSuspicious?: (response: Record<string, unknown>) => boolean;
  /** HTTP status of a success. */
  readonly success: 200 | 202;
  /** True if the request may be sent again after a lost response, because sending it twice has the same effect as sending it once. */
  readonly idempotent: boolean;
  /** True if the operation needs a partner key. */
  readonly partner: boolean;
  /** Set if the operation returns one page of a list. */
  readonly list: List;
  /** Name of the feature, such as `users`, without which this path does not exist. Not every account's interface has it. */
  readonly optional?: string;
  /** Set if only this edition has the operation. */
  readonly edition?: Edition;
  /** Pattern of further form fields that this version does not know by name. */
  readonly otherFields?: RegExp;
  /** Documented error code for an object that does not exist. */
  readonly missingCode?: number;
}

/** Where a page has the items of the list and their total. */
export interface ListShape {
  readonly items: string;
  readonly total: string;
  /** Name of the member that identifies an item. */
  readonly id: string;
  /** Documented error code that the API may return instead of an empty list. */
  readonly emptyCode?: number;
  /** Further query parameters, which select items. */
  readonly filters?: z.ZodObject;
}

/**
 * Query parameters of every list. `offset`: position of the first record, counted from 1. `limit`: maximum number of records on the page.
 */
export const pageQuery = z.object({
  /** Position of the first record to return, counted from 1. Default: the first. */
  offset: positiveInteger.optional(),
  /** The most records to return in a page. Default: 10. */
  limit: positiveInteger.optional(),
});

type Optional<K extends keyof Endpoint> = Partial<Pick<Endpoint, K>>;
const noFields = z.object({});

/** Creates an endpoint. Defaults: no parameters, no form, status 200, idempotent unless it is a POST or PATCH. */
export function endpoint<
  Response extends z.ZodObject,
  Params extends z.ZodObject = typeof noFields,
  Form extends z.ZodType = typeof noFields,
  const List extends ListShape | undefined = undefined,
>(
  definition: Pick<Endpoint, "method" | "path" | "summary" | "section"> &
    Optional<
      "success" | "idempotent" | "partner" | "isSuspicious" | "optional" | "edition" | "otherFields" | "missingCode"
    > & {
      params?: Params;
      form?: Form;
      response: Response;
      list?: List;
    },
): Endpoint<Params, Form, Response, List> {
  return {
    success: 200,
    idempotent: definition.method !== "POST" && definition.method !== "PATCH",
    partner: false,
    ...definition,
    params: definition.params ?? (noFields as unknown as Params),
    form: definition.form ?? (noFields as unknown as Form),
    list: definition.list as List,
  };
}

/** A member that no code depends on. A value in an unknown format becomes undefined instead of an error. */
export const lenient = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined);

/** Members of every response. */
export const responseBase = z.looseObject({
  /** The HTTP status, repeated in the body. */
  http: count.optional().catch(undefined),
  /** Message about a write, to show to people. */
  message: lenient(z.string()),
  /** URL of the object. It may differ from the requested one: never read an ID from it. */
  href: lenient(z.string()),
  /** True if the key is a test key: the API reports success and changes nothing. */
  test: z
    .unknown()
    .transform((value) => value === true || value === "true" || value === 1 || value === "1")
    .optional(),
});

/** Members of every page of a list. */
export const pageBase = responseBase.extend({
  /** Position of the page's first record. Whether it is counted from 0 or 1 depends on the service. */
  offset: lenient(count),
  /** Maximum number of records per page. */
  limit: lenient(count),
  /** URL of the next page. Never followed: it may lead to another host or be endless. */
  next: lenient(z.string()),
});

/** The path with its parameters, encoded. */
export function fillPath(endpoint: Endpoint, params: Record<string, unknown>): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** Encodes a request body: as JSON in the edition `current`, where a request without fields has no body; otherwise as a form. */
export function encodeBody(
  fields: Record<string, unknown>,
  edition: Edition,
): { type: string; text: string } | undefined {
  if (edition === "specification") return { type: "application/x-www-form-urlencoded", text: encodeForm(fields) };
  const text = JSON.stringify(fields);
  return text === "{}" ? undefined : { type: "application/json", text };
}

/** Encodes a form. Undefined members are omitted; structured members become JSON text. */
export function encodeForm(form: Record<string, unknown>): string {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    if (value === undefined) continue;
    body.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return body.toString();
}
