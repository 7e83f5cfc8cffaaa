/** Arguments that a resource or component does not have. */
import { didYouMean } from "../../sdk/text/did-you-mean";
import type { Issue } from "../core/resource-definition";

/** The issue of one, with the nearest name. */
export function unknownArgument(kind: string, field: string, names: readonly string[]): Issue {
  const message = `is not an argument of ${kind}${didYouMean(field, names)} (arguments: ${names.join(", ")})`;
  return { field, message };
}
