/** The shapes in which states and configurations are printed as JSON: those of the Pulumi CLI, for programs that read them. */
import type { ConfigValue, HistoryEntry, StackSummary } from "../../engine/index";
import { print } from "./terminal";

export const printJson = (value: unknown): boolean => print(JSON.stringify(value, undefined, 2));

export const formatStacks = (stacks: readonly StackSummary[]) =>
  stacks.map(({ name, current, lastUpdate, resourceCount }) => ({ name, current, lastUpdate, resourceCount }));

/** Values by their keys. Of a secret that is not to be shown there is no value. */
export const formatConfig = (values: Iterable<[string, ConfigValue]>, showSecrets: boolean) =>
  Object.fromEntries(
    [...values].map(([key, { secret, ...value }]) => [key, { ...((!secret || showSecrets) && value), secret }]),
  );

export const formatHistory = (entries: readonly HistoryEntry[], showSecrets: boolean) =>
  entries.map(({ version, kind, startTime, message, environment, config, result, endTime, resourceChanges }) => ({
    version,
    kind,
    startTime,
    message,
    environment,
    config: formatConfig(Object.entries(config), showSecrets),
    result,
    endTime,
    resourceChanges,
  }));
