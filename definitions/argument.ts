/**
 * Arguments and outputs of resources. Each is one member of an object in its resource's file: the sentence above it is what editors
 * and the docs show, and its type is derived. No type here names zod, so that a program's compiler does not read it.
 */
import { z } from "zod";
import { idInput } from "../sdk/api/scalars";
import { openEnum } from "../sdk/enum-schemas";
import type { Field } from "./field";

interface Typed<T> {
  /** For the compiler alone: the type of the values. */
  readonly values?: (value: T) => T;
}

export interface Argument<T> extends Typed<T> {
  /**
   * What a program may pass.
   * @internal
   */
  readonly schema: z.ZodType<unknown, T>;
  /**
   * How the account has it; undefined for what is only an argument.
   * @internal
   */
  readonly field?: Field | undefined;
  /**
   * True if only the create request contains it: another value replaces the object.
   * @internal
   */
  readonly isCreateOnly?: true;
  /**
   * What its absence means.
   * @internal
   */
  readonly default?: T;
}

/** An output besides the arguments. All are texts. */
export interface Output<T> extends Typed<T> {
  /** The API's name in responses. */
  readonly apiName: string;
  /** May be absent. */
  readonly isOptional: boolean;
  /** A returned value. `null`: the output is empty now; undefined: the response does not have it. Default: the value, if it is not empty. */
  readonly read?: (value: string | null | undefined) => string | null | undefined;
  /** The object's key. It follows from the id, so that the preview of an update knows it. */
  readonly isKey?: true;
  readonly isSecret?: true;
  /**
   * Only the response to the creating request has it, and a resource is of no use without it: a replacement deletes the old object first, so
   * that none is adopted that cannot return it.
   */
  readonly isReturnedOnce?: true;
  /** It changes in the account without any update: `up` compares it in the list of all objects. */
  readonly isRotated?: true;
  /** Only the response to the creating request has it, and it can be missed: an adopted object goes without. */
  readonly isOfNewObjects?: true;
  /** An update changes it, or may change it. */
  readonly isChangedByUpdate?: true;
  /** It is set only while the object does not work as declared: what that means. */
  readonly problem?: (value: string) => string;
}

type OutputOptions = Omit<Output<string>, "apiName" | "isOptional" | "values">;

/** @internal */
export const argument = <T>(
  schema: z.ZodType<unknown, T>,
  field?: Field,
  options: Pick<Argument<T>, "isCreateOnly" | "default"> = {},
): Argument<T> => ({ schema, field, ...options });

/** @internal */
export const output = (apiName: string, options: OutputOptions = {}): Output<string> => ({
  apiName,
  isOptional: false,
  ...options,
});

/** @internal */
export const optionalOutput = (apiName: string, options: OutputOptions = {}): Output<string | undefined> => ({
  apiName,
  isOptional: true,
  ...options,
});

type ValueOf<A> = A extends Typed<infer T> ? T : never;
type OptionalNames<A> = { [K in keyof A]: undefined extends ValueOf<A[K]> ? K : never }[keyof A];
// Without an `as`, which would lose the sentences.
type Present<A, K extends keyof A> = { [P in K]: ValueOf<A[P]> };
type Absentable<A, K extends keyof A> = { [P in K]?: ValueOf<A[P]> };

/** The values of arguments or outputs, by name. */
export type ValuesOf<A> = Present<A, Exclude<keyof A, OptionalNames<A>>> & Absentable<A, OptionalNames<A>>;

/** What a function returns of an object. `A`: its arguments and outputs; `Certain`: those that each object has. */
export type RecordOf<A, Certain extends keyof A, Uncertain extends keyof A> = Present<A, Certain> & {
  [P in Uncertain]: ValueOf<A[P]> | undefined;
};

/**
 * The id of a company, as the provider receives it. An empty one is an error: a program passes it by mistake, from an output without a value,
 * and must not write to the key's own account for that.
 * @internal
 */
export const accountId = z
  .union([z.string(), z.number()], "must be a positive integer")
  .refine((id) => id !== "", {
    message: "is empty; omit it for the key's own account",
    abort: true,
  })
  .pipe(idInput);

export const inAccount = {
  /** The subaccount that it belongs to: a Company or its id. Default: the key's own account. */
  account: argument<string | number | undefined>(accountId.optional(), undefined, { isCreateOnly: true }),
};

/** What is in an account. */
export interface InAccount extends ValuesOf<typeof inAccount> {}

export const restorable = {
  ...inAccount,
  /** What deleting the resource, or removing an argument, does: `restore` restores the original value, `keep` leaves the current one. Default: restore. */
  onDelete: argument<"restore" | "keep" | undefined>(openEnum(["restore", "keep"]).optional(), undefined, {
    default: "restore",
  }),
};

/** What every account has. */
export interface Restorable extends ValuesOf<typeof restorable> {}

/**
 * What to do if an equal object exists. Each resource has a sentence of its own, which says what makes two equal.
 * @internal
 */
export const onExisting = (): Argument<"adopt" | "fail" | "create" | undefined> =>
  argument<"adopt" | "fail" | "create" | undefined>(openEnum(["adopt", "fail", "create"]).optional(), undefined, {
    default: "adopt",
  });

/** @internal */
export const deletionProtection = (field?: Field): Argument<boolean | undefined> =>
  argument(z.boolean("must be true or false").optional(), field, { default: true });

/**
 * The outputs in a response. `null`: the output is empty now; undefined: the response does not have it.
 * @internal
 */
export const readOutputs = (outputs: Outputs, response: object): Record<string, string | null | undefined> =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, { apiName, read }]) => {
      const value = (response as Record<string, string | null | undefined>)[apiName];
      return [name, read ? read(value) : value || undefined];
    }),
  );

/**
 * The fields among arguments, in their order.
 * @internal
 */
export const fieldsOf = (args: Arguments): Record<string, Field> =>
  Object.fromEntries(Object.entries(args).flatMap(([name, { field }]) => (field ? [[name, field]] : [])));

// biome-ignore lint/suspicious/noExplicitAny: a table of arguments with all kinds of values.
export type Arguments = Readonly<Record<string, Argument<any>>>;
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type Outputs = Readonly<Record<string, Output<any>>>;
