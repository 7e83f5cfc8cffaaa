/**
 * An endpoint is a value: everything that is known of one operation of the service, written once. The client's methods
 * and types, the local service's routes and body checks, the command line and the reference are derived from these values.
 */
import { z } from "zod";
import { count, positiveInteger } from "./scalars";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One operation of the service. */
export interface Endpoint<
  Params extends z.ZodObject = z.ZodObject,
  Form extends z.ZodType = z.ZodType,
  Response extends z.ZodObject = z.ZodObject,
  List extends ListShape | undefined = ListShape | undefined,
> {
  readonly method: Method;
  /** Path below the base address, parameters in braces: `/v1/webhooks/{webhook_id}`. */
  readonly path: `/v1/${string}`;
  /** What it does, one sentence. */
  readonly summary: string;
  /** Section of the specification. */
  readonly section: string;
  /** Path parameters. */
  readonly params: Params;
  /** Form fields of the body, with their rules. */
  readonly form: Form;
  /** Body of a successful answer. Members beyond it are tolerated and kept. */
  readonly response: Response;
  /** True for a reply that is more likely nobody's than the service's: it is believed when it comes twice. */
  readonly isSuspicious?: (response: Record<string, unknown>) => boolean;
  /** Status of success. */
  readonly success: 200 | 202;
  /** True when the same request may be sent again after an answer was lost: the second time changes nothing more. */
  readonly idempotent: boolean;
  /** True when the key must be partner-enabled. */
  readonly partner: boolean;
  /** Set for operations that answer a page of a list. */
  readonly list: List;
}

/** Where a list's items and total are in a page. */
export interface ListShape {
  readonly items: string;
  readonly total: string;
  /** Member that tells one item from another. */
  readonly id: string;
  /** Code of the error that some services answer for a list without items. */
  readonly emptyCode: number;
}

/** Query of every list: `offset` is the position of the first record, counted from 1; `limit` the most records per page. */
export const pageQuery = z.object({
  /** Position of the first record to return, counted from 1. Default: the first. */
  offset: positiveInteger.optional(),
  /** The most records to return in a page. Default: 10. */
  limit: positiveInteger.optional(),
});

type Optional<K extends keyof Endpoint> = Partial<Pick<Endpoint, K>>;
const noFields = z.object({});

/** Fills in what most endpoints share: no parameters, no form, status 200, repeatable unless it is a POST. */
export function endpoint<
  Response extends z.ZodObject,
  Params extends z.ZodObject = typeof noFields,
  Form extends z.ZodType = typeof noFields,
  const List extends ListShape | undefined = undefined,
>(
  definition: Pick<Endpoint, "method" | "path" | "summary" | "section"> &
    Optional<"success" | "idempotent" | "partner" | "isSuspicious"> & {
      params?: Params;
      form?: Form;
      response: Response;
      list?: List;
    },
): Endpoint<Params, Form, Response, List> {
  return {
    success: 200,
    idempotent: definition.method !== "POST",
    partner: false,
    ...definition,
    params: definition.params ?? (noFields as unknown as Params),
    form: definition.form ?? (noFields as unknown as Form),
    list: definition.list as List,
  };
}

/** A member that nothing depends on: in a notation that is not known, it is taken for absent. */
export const lenient = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined);

/** Members of every reply. `message` is what the service says of a write. */
export const responseBase = z.looseObject({
  /** The HTTP status, repeated in the body. */
  http: count.optional().catch(undefined),
  /** What the service says of a write, for people. */
  message: lenient(z.string()),
  /** Address of the object. Another path may come than the one that was asked: never read an id out of it. */
  href: lenient(z.string()),
  /** True when the account's key is a test key: the service answered as if it had written, and changed nothing. */
  test: z
    .unknown()
    .transform((said) => said === true || said === "true" || said === 1 || said === "1")
    .optional(),
});

/** Members of every page of a list. */
export const pageBase = responseBase.extend({
  /** Position of the page's first record, as this service counts. */
  offset: lenient(count),
  /** The most records that a page holds. */
  limit: lenient(count),
  /** Address of the following page. Not followed: it may lead to another host, or on for ever. */
  next: lenient(z.string()),
});

/** Fills the parameters of a path in, encoded. */
export function fillPath(endpoint: Endpoint, params: Record<string, unknown>): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** The form body of a checked request: absent members are left out, structured ones become JSON text. */
export function encodeForm(form: Record<string, unknown>): string {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    if (value === undefined) continue;
    body.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return body.toString();
}
