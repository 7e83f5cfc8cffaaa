/**
 * Makes an error message safe for engines. They receive it in a gRPC header, which cannot contain half of a surrogate pair and has a
 * maximum size.
 */
import { toWellFormed } from "../../sdk/text/well-formed";

/** Characters. Encoded, each may be nine bytes, of 65,536 in all. */
const longest = 7_000;

export const errorText = (message: string): string =>
  toWellFormed(message.length <= longest ? message : `${message.slice(0, longest)} …`);
