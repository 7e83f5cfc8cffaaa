/** What a handler is: an endpoint's rejection rules and its action. Typed by the endpoint values, so none can be missing. */
import type { z } from "zod";
import type { Endpoint, ListShape } from "../../sdk/api/endpoint";
import type { Api, GroupName } from "../../sdk/api/index";
import type { Context } from "../domain/context";
import type { Code } from "../domain/errors";
import type { Account } from "../domain/schema";

/** A checked request. */
export interface HandlerRequest<P = Record<string, unknown>, F = Record<string, unknown>> {
  readonly context: Context;
  /** Whose key was given. */
  readonly account: Account;
  readonly params: P;
  readonly form: F;
  /** Address of the service as the client called it. */
  readonly origin: string;
  /** The identifier in the notation of this answer. */
  id(value: string): string | number;
  /** Where the request came from, for the history of envelopes. */
  readonly actor: { ip: string; userAgent: string };
}

/**
 * Codes for a field or path parameter: when it is missing (or empty), and when it is not valid. `""` is the form as a
 * whole. A member inside of a structured field may have a code of its own.
 */
export type FieldErrorCodes = Record<string, Code | readonly [missing: Code, invalid: Code]>;

/** A page of a list is cut by the router; the handler gives all records. */
export interface ListResult<Item> {
  records: readonly unknown[];
  /** The answer's item for a record of the page. */
  item: (record: never) => Item;
  /** Members beside the list. */
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
  /**
   * What comes before the rules of the single fields: a rule of the whole form, and notations that mean the same. Default:
   * empty fields are left out.
   */
  readonly normalize?: (form: Record<string, string>) => Record<string, string>;
  run(
    request: E extends Endpoint<infer P, infer F> ? HandlerRequest<z.output<P>, z.output<F>> : never,
  ): E extends { list: ListShape } ? ListResult<ItemOf<E>> : ResponseOf<E>;
}

/** One handler for each operation of a group. */
export type GroupHandlers<A extends GroupName> = { readonly [O in keyof Api[A]]: Handler<Api[A][O]> };
export type Handlers = { readonly [A in GroupName]: GroupHandlers<A> };
