import { Failure } from "./failure";

/** `what` has a format that this version does not know. It is not damaged: another version of this package needs it. */
export const laterVersion = (what: string): Failure =>
  new Failure("ESIGN1055", `${what} was written by a later version of this package; nothing was changed`);
