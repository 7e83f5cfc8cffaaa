/** A step of the life cycle failed of an object that exists: engines keep it, with these properties. */
import type { Properties } from "./pulumi-values";

/** Its members are those that the SDK's dynamic provider reads. */
export class InitFailure extends Error {
  constructor(
    message: string,
    readonly id: string,
    readonly properties: Properties,
    readonly reasons: readonly string[],
  ) {
    super(message);
  }
}
