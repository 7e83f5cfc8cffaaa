/** Warns of `ignoreChanges` that has no effect: engines skip a path that matches nothing without a word. */
import * as pulumi from "@pulumi/pulumi";
import type { Definition } from "../core/resource-definition";
import { unknownArgument } from "../lifecycle/check";

/** The argument of a path such as `other.setting_x`, `emails[0]` or `["subject"]`. */
const argumentOf = (path: string): string => /^(?:\["([^"]*)"\]|([^.[]*))/.exec(path)?.slice(1).join("") ?? "";

export function warnIgnored(
  { kind, args }: Definition,
  resource: pulumi.Resource,
  name: string,
  { ignoreChanges = [] }: pulumi.CustomResourceOptions,
): void {
  const names = Object.keys(args.shape);
  for (const path of ignoreChanges) {
    const argument = argumentOf(path);
    if (argument === "*" || names.includes(argument)) continue;
    const { message } = unknownArgument(kind, argument, names);
    void pulumi.log.warn(`${kind} "${name}": ignoreChanges "${path}" has no effect: ${argument} ${message}.`, resource);
  }
}
