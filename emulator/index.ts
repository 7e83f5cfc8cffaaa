/** A local e-signature service to develop and test against. */

export { keyFingerprint } from "../sdk/fingerprint";
export { type Code, codes } from "./codes";
export type { Data } from "./data";
export type { Deed } from "./lifecycle";
export type { Counts, LogEntry } from "./log";
export type { Letter } from "./mail";
export type { Delivery } from "./notify";
export type { Seed } from "./seed";
export { type Keys, type Options, type Service, start } from "./service";
export type { Fault, Settings, SettingsInput } from "./settings";
