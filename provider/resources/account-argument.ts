/** The argument `account`, as the provider receives it. */
import { type Properties, unwrap, unwrapAll } from "../core/pulumi-values";

/** Arguments without envelopes and empty members. An account of null is an empty one: whoever passes it means a subaccount. */
export function plainArguments(args: Properties): Properties {
  return { ...unwrapAll(args), ...(unwrap(args.account) === null && { account: "" }) };
}
