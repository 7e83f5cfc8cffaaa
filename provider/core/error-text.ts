/** A message as engines receive it: in a header, of which gRPC encodes no half of a surrogate pair, and for which connections have a limit. */
import { toWellFormed } from "../../sdk/text/well-formed";

/** Characters. Encoded, each may be nine bytes, of 65,536 in all. */
const longest = 7_000;

export const errorText = (message: string): string =>
  toWellFormed(message.length <= longest ? message : `${message.slice(0, longest)} …`);
