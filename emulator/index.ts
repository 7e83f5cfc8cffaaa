/** The emulator: the e-signature API on this machine, to develop and test against. */

import { EmulatorServer } from "./server";
import { type Emulator, type Options, validateServerOptions } from "./start-options";

export { keyFingerprint } from "../sdk/auth/key-fingerprint";
export type { Edition } from "../sdk/edition";
export { type Code, codes } from "./domain/api-errors";
export type { Data } from "./domain/data-schema";
export type { SentEmail } from "./domain/emails/sent-emails";
export type { Settings, SettingsInput } from "./domain/emulator-settings";
export type { EventAction } from "./domain/enums-by-edition";
export type { PartyAction } from "./domain/envelope-lifecycle";
export type { Fault } from "./domain/fault";
export type { Keys } from "./domain/new-account";
export type { Delivery } from "./domain/notifications/delivery";
export type { Seed } from "./domain/seed/seed-schema";
export type { Counts, LogEntry } from "./http/request-log";
export type { Emulator, Options } from "./start-options";

/** Starts an emulator in this process. */
export async function start(options: Options = {}): Promise<Emulator> {
  validateServerOptions(options);
  const server = new EmulatorServer(options);
  await server.listen();
  return server;
}
