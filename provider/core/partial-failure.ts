import type { Properties } from "./pulumi-values";

/** The object exists, but a later part of the operation failed. The engine keeps its ID and properties. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly properties: Properties,
    override readonly cause: unknown,
  ) {
    super();
  }
}

/**
 * Maximum size of the properties in a failure, in bytes. They travel as base64 in one gRPC header, and Node accepts headers of at most 64
 * KiB.
 */
const maxPartialBytes = 45_000;

/** A failure that keeps the properties, unless they are too large. Not for creates: there only the failure has the ID. */
export function withProperties(id: string, properties: Properties, failure: unknown): unknown {
  const length = Buffer.byteLength(JSON.stringify(properties));
  return length > maxPartialBytes ? failure : new PartialFailure(id, properties, failure);
}
