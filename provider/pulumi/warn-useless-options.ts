/**
 * Warns of options that have no effect: engines skip a path in `ignoreChanges` that matches nothing without a word, and the Pulumi CLI ends
 * an import by a dynamic provider with an internal error.
 */
import * as pulumi from "@pulumi/pulumi";
import { isSingleton, type ResourceDefinition } from "../core/resource-definition";
import { unknownArgument } from "../lifecycle/unknown-argument";

/** The argument of a path such as `other.setting_x`, `emails[0]` or `["subject"]`. */
const argumentOf = (path: string): string => /^(?:\["([^"]*)"\]|([^.[]*))/.exec(path)?.slice(1).join("") ?? "";

export function warnUselessOptions(
  { kind, args }: ResourceDefinition,
  resource: pulumi.Resource,
  name: string,
  { ignoreChanges = [], customTimeouts = {} }: pulumi.CustomResourceOptions,
): void {
  // The SDK's dynamic provider does not pass it on.
  if (Object.values(customTimeouts).some((time) => time !== undefined))
    void pulumi.log.warn(
      `${kind} "${name}": customTimeouts has no effect: set esign:timeout, the time for each request, or use the plugin.`,
      resource,
    );
  const names = Object.keys(args.shape);
  for (const path of ignoreChanges) {
    const argument = argumentOf(path);
    if (argument === "*" || names.includes(argument)) continue;
    const { message } = unknownArgument(kind, argument, names);
    void pulumi.log.warn(`${kind} "${name}": ignoreChanges "${path}" has no effect: ${argument} ${message}.`, resource);
  }
}

/** Not as a message of the resource, whose registration fails, except where it has that id already. */
export function warnImport(definition: ResourceDefinition, name: string): void {
  const adopt = isSingleton(definition) ? "what the account has" : "an identical object";
  void pulumi.log.warn(
    `${definition.kind} "${name}": the option import needs the plugin. Remove it: without it, \`up\` adopts ${adopt} and shows what it changes.`,
  );
}
