/** The entry of the deployment engine: opens a project. api.ts and events.ts declare what callers may rely on. */

export type * from "./api";
export { openEventStream } from "./backend/event-stream";
export { describeLock } from "./backend/lock";
export { openProject } from "./backend/project";
export { EngineError, type EngineErrorCode, type MissingValues } from "./errors";
export type * from "./events";
export { changesOf, hasChanges } from "./events";
