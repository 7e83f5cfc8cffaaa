/** The deployment engine: what a caller may rely on, with api.ts and events.ts. */

export type * from "./api";
export { openEventStream } from "./backend/event-stream";
export { describeLock } from "./backend/lock";
export { openProject } from "./backend/project";
export { EngineError, type EngineErrorCode } from "./errors";
export type * from "./events";
