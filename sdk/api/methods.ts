/** The methods that endpoints become, with their types derived. */
import type { z } from "zod";
import type { CallOptions, PagedList, PageOptions } from "../options";
import type { Endpoint, ListShape } from "./endpoint";
import type { Api } from "./index";

type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** zod infers an index signature for an object without members, which would reject every member when intersected. */
type Members<T> = string extends keyof T ? unknown : T;
/** Input of a call: path parameters and form fields in one object. */
export type Input<E> = E extends Endpoint<infer P, infer F> ? Members<z.input<P>> & Members<z.input<F>> : never;
/** What a call resolves to. */
export type ResponseBody<E> = E extends Endpoint<infer _P, infer _F, infer R> ? z.output<R> : never;
/** One item of a list endpoint. */
export type Item<E> = E extends { list: { items: infer K extends string } }
  ? ResponseBody<E> extends { [k in K]: readonly (infer T)[] }
    ? T
    : never
  : never;

/** What selects the items of a list endpoint. */
export type Filters<E> = E extends { list: { filters: infer F extends z.ZodType } } ? z.input<F> : unknown;

/** The method that an endpoint becomes. */
export type EndpointMethod<E> = E extends { list: ListShape }
  ? [RequiredKeys<Input<E>>] extends [never]
    ? (options?: PageOptions & Filters<E>) => PagedList<Item<E>, ResponseBody<E>>
    : (input: Input<E>, options?: PageOptions & Filters<E>) => PagedList<Item<E>, ResponseBody<E>>
  : [RequiredKeys<Input<E>>] extends [never]
    ? (input?: Input<E>, options?: CallOptions) => Promise<ResponseBody<E>>
    : (input: Input<E>, options?: CallOptions) => Promise<ResponseBody<E>>;

/** A method for each endpoint of a group. */
export type Methods<A extends keyof Api> = { readonly [O in keyof Api[A]]: EndpointMethod<Api[A][O]> };
