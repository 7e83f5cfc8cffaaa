/** Rejects two resources of one program, and one provider, that declare the same object: before either is registered. */
import * as pulumi from "@pulumi/pulumi";
import { naturalKeyOf } from "../../definitions/kind";
import { duplicateOf } from "../core/duplicate-error";
import type { Properties } from "../core/pulumi-values";
import { isSingleton, type ResourceDefinition } from "../core/resource-definition";
import { runError } from "./program-error";

/** The declared objects with the names of their resources, by run of a program. */
const runs = new WeakMap<object, Map<string, string>>();

/** @throws {pulumi.RunError} at once for plain values, else when they are known */
export function rejectDuplicates(
  definition: ResourceDefinition,
  type: string,
  name: string,
  args: Properties,
  opts: pulumi.CustomResourceOptions,
): void {
  const run = pulumi.runtime.getStackResource();
  if (run === undefined || args.onExisting === "create") return;
  const declared = runs.get(run) ?? new Map<string, string>();
  runs.set(run, declared);
  const account = pulumi.CustomResource.isInstance(args.account) ? args.account.id : args.account;
  const declare = (values: Properties, place = identify(account)): void => {
    const key = JSON.stringify([type, identify(providerOf(type, opts)), place, naturalKeyOf(definition, values)]);
    const other = declared.get(key);
    if (other === undefined) {
      declared.set(key, name);
      return;
    }
    const error = runError(duplicateOf(definition.kind, [other, name], !isSingleton(definition)).message);
    // Of what fails after the program's end the SDK prints the stack, and the message where there is none.
    error.stack = "";
    throw error;
  };
  const values = Object.fromEntries(definition.naturalKey.map((field) => [field, args[field]]));
  const isPlain = Object.values(values).every((value) => value === undefined || typeof value === "string");
  if (isPlain) declare(values);
  else pulumi.output(values).apply((resolved) => declare(resolved));
  // The same account may be passed as a company and as its id.
  if (account !== null && typeof account === "object") {
    pulumi.all([values, account]).apply(([resolved, id]) => id && declare(resolved, String(id)));
  }
}

/** The explicit provider of a resource, its own or its parent's. */
export function providerOf(type: string, opts: pulumi.CustomResourceOptions): unknown {
  if (opts.provider !== undefined) return opts.provider;
  const parent = opts.parent as { getProvider?(type: string): unknown } | undefined;
  return parent?.getProvider?.(type);
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** The same string or number for the same value only. */
function identify(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return String(value);
  if (!numbers.has(value)) numbers.set(value, ++lastNumber);
  return numbers.get(value)!;
}
