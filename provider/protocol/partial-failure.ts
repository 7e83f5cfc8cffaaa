import type { Properties } from "../core/pulumi-values";

/** What a step of the life cycle throws of an object that exists: the engine keeps it. */
export interface PartialObject {
  id: string;
  properties: Properties;
  reasons: string[];
}

export const isPartial = (error: unknown): error is Error & PartialObject =>
  error instanceof Error && "properties" in error && "reasons" in error;
