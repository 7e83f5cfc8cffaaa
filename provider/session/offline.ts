/** Previews without the account. */

/** Environment variable that keeps previews from reading the account. */
export const offlineVariable = "ESIGN_OFFLINE";

/** True if previews read nothing. */
export const isOffline = (environment: NodeJS.ProcessEnv): boolean =>
  ["1", "true"].includes(environment[offlineVariable] ?? "");
