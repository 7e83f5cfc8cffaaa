/**
 * The type of a handler: an endpoint's error codes and its operation. It derives from the endpoint values, so that the compiler finds a
 * missing handler.
 */
import type { z } from "zod";
import type { Endpoint, ListShape } from "../../sdk/api/endpoint";
import type { Api, GroupName } from "../../sdk/api/index";
import type { Code } from "../domain/api-errors";
import type { Account } from "../domain/data-schema";
import type { Context } from "../domain/request-context";
import type { Fields } from "./body-fields";

/** A validated request. */
export interface HandlerRequest<P = Record<string, unknown>, F = Record<string, unknown>> {
  readonly context: Context;
  /** The account that the key belongs to. */
  readonly account: Account;
  readonly params: P;
  readonly form: F;
  /** Query of the URL. */
  readonly query: Record<string, string>;
  /** The base URL that the client called. */
  readonly origin: string;
  /** The client, for the history of envelopes. */
  readonly actor: { ip: string; userAgent: string };
}

/**
 * Error codes of a field: if it is missing (or an empty text), if it is not valid, if it is an empty list, if an item of it is not valid.
 */
export type FieldCodeList = readonly [missing: Code, invalid: Code, empty?: Code, item?: Code];

/** Error codes by field or path parameter. `""` is the form as a whole. A member of a structured field may have its own. */
export type FieldErrorCodes = Record<string, Code | FieldCodeList>;

/** All records of a list. The caller of the handler selects the page. */
export interface ListResult<Item> {
  records: readonly unknown[];
  /** Converts a record to an item of the response. */
  item: (record: never) => Item;
  /** True if an empty list is answered with an error. */
  failsIfEmpty?: boolean;
  /** Other members of the response. */
  members?: Record<string, unknown>;
}

type ResponseOf<E> = E extends Endpoint<infer _P, infer _F, infer R> ? z.input<R> : never;
type ItemOf<E> = E extends { list: { items: infer K extends string } }
  ? ResponseOf<E> extends { [k in K]: readonly (infer T)[] }
    ? T
    : never
  : never;

export interface Handler<E> {
  readonly errorCodes?: FieldErrorCodes;
  /** Called before validation. Rejects invalid combinations, and converts equivalent formats to one. Default: drops empty fields. */
  readonly normalize?: (form: Fields) => Fields;
  run(
    request: E extends Endpoint<infer P, infer F> ? HandlerRequest<z.output<P>, z.output<F>> : never,
  ): E extends { list: ListShape } ? ListResult<ItemOf<E>> : ResponseOf<E>;
}

/** One handler for each operation of a group. */
export type GroupHandlers<A extends GroupName> = { readonly [O in keyof Api[A]]: Handler<Api[A][O]> };
export type Handlers = { readonly [A in GroupName]: GroupHandlers<A> };
