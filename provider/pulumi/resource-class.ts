/**
 * The classes that programs use, derived from the definitions. The only file of the resources' that touches the Pulumi
 * SDK. A resource is a `CustomResource` of the SDK's dynamic provider whose code is one constant line that names a handler
 * in the installed package: nothing is serialised, and an upgrade changes no resource.
 */
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Properties } from "../core/pulumi-values";
import { type Definition, naturalKeyOf, stackNameArg } from "../core/resource-definition";
import { metadataKey } from "../state/metadata";
import { redactDebugLog } from "./redact-debug-log";

redactDebugLog(pulumi.log as { debug: typeof pulumi.log.debug });

/** The text in every state file. Its bytes never change: see decisions/provider-text.md. */
export function providerText(handler: string): string {
  return `exports.handler = () => require("pulumi-esign/hooks").${handler};`;
}

/** A sub account, as an argument: a `Company` of this program, or the id of a company. */
export type AccountArgument = CompanyResource | pulumi.Input<string>;

/** What the other resources need of a `Company`. */
export interface CompanyResource extends pulumi.CustomResource {
  readonly companyId: pulumi.Output<string>;
  readonly apiKey: pulumi.Output<string>;
}

type Argument<K, T> = K extends "account"
  ? AccountArgument
  : // It becomes the engine's `protect`, which the SDK takes as a plain value only.
    K extends "deletionProtection"
    ? T
    : pulumi.Input<T>;

type OptionalKeys<S> = { [K in keyof S]: S[K] extends z.ZodOptional ? K : never }[keyof S];
/** The shape of a schema with its optional members marked. Written with `Pick`, so that editors still find their comments. */
type WithOptionals<S> = Pick<S, Exclude<keyof S, OptionalKeys<S>>> & Partial<Pick<S, OptionalKeys<S>>>;
type InputOf<T> = T extends z.ZodOptional<infer Inner> ? z.input<Inner> : T extends z.ZodType ? z.input<T> : never;
type UndefinedIfOptional<T> = T extends z.ZodOptional ? undefined : never;

/** The arguments of a resource, from the shape of its schema. */
export type ArgsOf<S> = {
  [K in keyof WithOptionals<S>]:
    | Argument<K, InputOf<NonNullable<WithOptionals<S>[K]>>>
    | UndefinedIfOptional<NonNullable<WithOptionals<S>[K]>>;
};

/** A resource as programs see it: its arguments, and what comes back besides them. */
export type ResourceOf<A, O> = pulumi.CustomResource & {
  readonly [K in keyof A]: pulumi.Output<InputOf<A[K]> | UndefinedIfOptional<A[K]>>;
} & { readonly [K in keyof O]: pulumi.Output<InputOf<O[K]> | UndefinedIfOptional<O[K]>> };

/** A resource's class. */
export interface ResourceClass<A, O> {
  new (name: string, args: ArgsOf<A>, opts?: pulumi.CustomResourceOptions): ResourceOf<A, O>;
  /** Reads an object that this program does not manage, by its id (with a sub account: `<company>/<id>`). */
  get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ResourceOf<A, O>;
}

/** Companies whose protection is literally off: only then may the engine forget what is in them. */
const unprotected = new WeakSet<pulumi.Resource>();

/** What programs declare, to tell two resources of the same object apart from one. Per run of a program. */
const runs = new WeakMap<object, Map<string, string>>();
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Makes the class of a resource. */
export function resourceClass<A extends z.ZodRawShape, O extends z.ZodRawShape, W>(
  definition: Definition<z.ZodObject<A>, z.ZodObject<O>, W>,
): ResourceClass<A, O> {
  const type = `pulumi-nodejs:dynamic/esign:${definition.kind}`;
  const outputs = [...Object.keys(definition.args.shape), ...Object.keys(definition.outputs.shape)];

  class EsignResource extends pulumi.CustomResource {
    constructor(name: string, args: Properties, opts: pulumi.CustomResourceOptions = {}) {
      if (args === undefined || args === null)
        throw new pulumi.RunError(`${definition.kind} "${name}": arguments are missing`);
      const isRead = opts.id !== undefined;
      const options = isRead ? opts : optionsFor(definition as Definition, name, args, opts);
      if (!isRead) rejectDuplicates(definition as Definition, type, name, args, opts);
      const inputs: pulumi.Inputs = Object.fromEntries(outputs.map((key) => [key, undefined]));
      for (const [key, value] of Object.entries(args)) inputs[key] = key === "account" ? accountId(name, value) : value;
      const additionalSecretOutputs = [metadataKey, ...definition.secrets, ...(opts.additionalSecretOutputs ?? [])];
      super(
        type,
        name,
        {
          ...inputs,
          ...(args.onExisting !== undefined && { [stackNameArg]: pulumi.getStack() }),
          __provider: providerText(definition.handler),
        },
        { ...options, additionalSecretOutputs: [...new Set(additionalSecretOutputs)] },
      );
      if (args.deletionProtection === false) unprotected.add(this);
    }

    static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}) {
      // Without it the SDK makes one.
      if (id === undefined || id === null || id === "")
        throw new pulumi.RunError(`${definition.kind} "${name}": the id of the one to read is missing`);
      // Of the class that it is called on.
      return new this(name, {}, { ...opts, id });
    }
  }
  Object.defineProperty(EsignResource, "name", { value: definition.kind });
  return EsignResource as unknown as ResourceClass<A, O>;
}

/** What protects an object from the engine. */
function optionsFor(definition: Definition, name: string, args: Properties, opts: pulumi.CustomResourceOptions) {
  const options: pulumi.CustomResourceOptions = { ...opts };
  if ("deletionProtection" in definition.args.shape) {
    const protection = args.deletionProtection;
    if (protection !== undefined && typeof protection !== "boolean") {
      throw new pulumi.RunError(
        `${definition.kind} "${name}": deletionProtection must be true or false, not an output`,
      );
    }
    // Stops a deletion at the preview already; the hook refuses it once more. What it is in may be protected all the same.
    if (protection !== false) options.protect ??= true;
  }
  // Two of these cannot be there side by side.
  if (definition.collection === undefined) options.deleteBeforeReplace ??= true;
  if (isResource(args.account) && unprotected.has(args.account)) options.deletedWith ??= args.account;
  return options;
}

/** The engine's id of the company: unlike its outputs, an update does not make it unknown. */
export function accountId(name: string, account: unknown): unknown {
  // What turns out to be empty stays an argument, for `check` to refuse: the account of the key is not what was meant.
  if (!isResource(account))
    return isPlain(account) ? account : pulumi.output(account as pulumi.Input<string>).apply((id) => id ?? "");
  if (account.__pulumiType !== "pulumi-nodejs:dynamic/esign:Company") {
    throw new pulumi.RunError(`"${name}": account must be a Company or a company's id`);
  }
  return account.id;
}

const isPlain = (value: unknown) => value === null || typeof value !== "object";

function isResource(value: unknown): value is pulumi.CustomResource & { __pulumiType: string } {
  return pulumi.CustomResource.isInstance(value);
}

/** Refuses two resources of one program that are the same object: each would undo what the other does. */
function rejectDuplicates(
  definition: Definition,
  type: string,
  name: string,
  args: Properties,
  opts: pulumi.CustomResourceOptions,
): void {
  const run = pulumi.runtime.getStackResource();
  if (run === undefined || args.onExisting === "create") return;
  const declared = runs.get(run) ?? new Map<string, string>();
  runs.set(run, declared);
  const account = isResource(args.account) ? args.account.id : args.account;
  const compare = (known: Properties, place = identify(account)): void => {
    const key = JSON.stringify([type, identify(providerOf(type, opts)), place, naturalKeyOf(definition, known)]);
    const other = declared.get(key);
    if (other !== undefined) {
      const two = definition.collection === undefined ? "" : ', or say onExisting: "create" if there shall be two';
      const error = new pulumi.RunError(
        `${definition.kind} "${name}" is the same object as "${other}"; remove one of them${two}`,
      );
      // Of what fails after the program's end the SDK prints the stack.
      error.stack = "";
      throw error;
    }
    declared.set(key, name);
  };
  const values = Object.fromEntries(definition.naturalKey.map((field) => [field, args[field]]));
  const isKnown = Object.values(values).every((value) => value === undefined || typeof value === "string");
  if (isKnown) compare(values);
  else pulumi.output(values).apply((known) => compare(known));
  // The same account may be written as a company and as its id.
  if (!isPlain(account)) pulumi.all([values, account]).apply(([known, id]) => id && compare(known, String(id)));
}

function providerOf(type: string, opts: pulumi.CustomResourceOptions): unknown {
  if (opts.provider !== undefined) return opts.provider;
  const parent = opts.parent as { getProvider?(type: string): unknown } | undefined;
  return parent?.getProvider?.(type);
}

/** A text for a value that is the same for the same value only. */
function identify(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return String(value);
  if (!numbers.has(value)) numbers.set(value, ++lastNumber);
  return numbers.get(value)!;
}
