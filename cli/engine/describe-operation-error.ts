/** The Pulumi CLI's errors of an operation as the built-in engine words them, and with what to do next. */
import { missingPassphrase, wrongPassphrase } from "../../engine/secrets/passphrase-problems";
import type { OperationError } from "./operation-error";

/** The built-in engine, which ran while there was no CLI here, leaves the same locks, and the CLI does not know which processes have ended. */
const removeLock = "If no run is in progress, a killed run of either engine has left the lock. Remove it: esign cancel";

export function describeOperationError({ message, isLocked }: OperationError, stack: string): string {
  if (isLocked) return `${message}\n${removeLock}`;
  return message
    .replace(/^.*\bpassphrase must be set with PULUMI_CONFIG_PASSPHRASE\b.*$/m, () => missingPassphrase(stack))
    .replace(/^(?:.*: )?incorrect passphrase$/m, wrongPassphrase);
}
