/** The embedded deployment engine: what the `esign` command and tests may use of it. */

export type * from "./api";
export { openProject } from "./backend/project";
export { EngineError, type EngineErrorCode } from "./errors";
export type * from "./events";
