/** The embedded deployment engine: what the `esign` command and tests may use of it. */
export type * from "./events";
