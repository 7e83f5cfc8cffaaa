/** Components in a program: with Pulumi's SDK. */
import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "../../definitions/model";
import { programError } from "../pulumi/program-error";
import * as resources from "../pulumi/resources";
import type { Declarer, Surroundings } from "./declarer";

/** Each kind has a class of its name. */
const classes: Readonly<Record<ResourceKind, unknown>> = resources;

export const sdkSurroundings = (): Surroundings => ({
  project: pulumi.getProject(),
  stack: pulumi.getStack(),
  directory: process.cwd(),
  rootDirectory: pulumi.getRootDirectory() || process.cwd(),
  config: (key) => pulumi.runtime.getConfig(key),
  isSecretConfig(key) {
    const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
    return isConfigSecret?.(key) ?? true;
  },
  warn: (message) => void pulumi.log.warn(message),
  fail(...problem) {
    throw programError(...problem);
  },
  secret: (text) => pulumi.secret(text),
  combine: (values, make) => pulumi.all(values as Record<string, pulumi.Input<unknown>>).apply(make),
});

/** Declares what is in a component. */
export const sdkDeclarer = (parent: pulumi.Resource, surroundings: Surroundings): Declarer<pulumi.CustomResource> => ({
  ...surroundings,
  resource(kind, name, args) {
    const { [kind]: Class } = classes as unknown as Record<string, new (...args: unknown[]) => pulumi.CustomResource>;
    return new Class!(name, args, { parent });
  },
});
