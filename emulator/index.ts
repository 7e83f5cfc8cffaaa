/** A local e-signature service to develop and test against. */

import { LocalService } from "./server";
import type { Options, Service } from "./types";

export { keyFingerprint } from "../sdk/fingerprint";
export { type Code, codes } from "./codes";
export type { Data } from "./data";
export type { Deed } from "./lifecycle";
export type { Counts, LogEntry } from "./log";
export type { Letter } from "./mail";
export type { Delivery } from "./notify";
export type { Seed } from "./seed";
export type { Fault, Settings, SettingsInput } from "./settings";
export type { Keys, Options, Service } from "./types";

/** Starts a service of its own in this process. */
export async function start(options: Options = {}): Promise<Service> {
  const { port, host, tls, file, seed, clock, logSize, log, ...settings } = options;
  const service = new LocalService({ host, tls, file, seed, clock, logSize, log }, settings);
  await service.listen(port);
  return service;
}
