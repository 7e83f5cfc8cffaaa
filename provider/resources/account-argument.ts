/** The argument `account`, and what goes with it in several resources. */
import { z } from "zod";
import { idInput } from "../../sdk/api/scalars";
import { type Properties, unwrap, unwrapAll } from "../core/pulumi-values";

export interface InAccount {
  /** The subaccount that it belongs to: a Company or its id. Default: the key's own account. */
  account?: string | number | undefined;
}

export interface Restorable extends InAccount {
  /** What deleting the resource, or removing an argument, does: `restore` restores the original value, `keep` leaves the current one. Default: restore. */
  onDelete?: "restore" | "keep" | undefined;
}

/**
 * As hooks receive it: the id of a company. An empty one is an output without a value. It never falls back to the key's own account, which is the default.
 * @internal
 */
export const accountArgument = z
  .union([z.string(), z.number()], "must be a positive integer")
  .refine((id) => id !== "", {
    message: "is empty; omit it for the key's own account",
    abort: true,
  })
  .pipe(idInput);

/** Arguments without envelopes and empty members. An account of null is an empty one: whoever passes it means a subaccount. */
export function plainArguments(args: Properties): Properties {
  return { ...unwrapAll(args), ...(unwrap(args.account) === null && { account: "" }) };
}
