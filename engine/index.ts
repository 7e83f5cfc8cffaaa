/** The entry of the deployment engine: opens a project. What callers may rely on is declared in api.ts and events.ts. */

export type * from "./api";
export { openEventStream } from "./backend/event-stream";
export { describeLock } from "./backend/lock";
export { openProject } from "./backend/project";
export { EngineError, type EngineErrorCode } from "./errors";
export type * from "./events";
