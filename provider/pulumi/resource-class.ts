/**
 * The classes that programs use, derived from the definitions. A resource is a `CustomResource` of the SDK's dynamic
 * provider whose code is one constant line that names a handler in the installed package: nothing is serialized, and an
 * upgrade changes no resource.
 */
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Properties } from "../core/pulumi-values";
import {
  type Definition,
  isDeletedBeforeReplaced,
  isSingleton,
  otherIssuesArg,
  previewArg,
  secretsArg,
  stackNameArg,
} from "../core/resource-definition";
import { instanceIdIn, metadataKey } from "../state/metadata";
import { removePendingCreate } from "../state/pending-creates";
import { collectIssues } from "./collect-issues";
import { describePreview, describeSecrets } from "./describe-preview";
import { programError } from "./program-error";
import { redactDebugLog } from "./redact-debug-log";
import { rejectDuplicates } from "./reject-duplicates";
import { rejectUnknownSettings } from "./reject-unknown-settings";

/** Where the provider records its creates, whatever the program makes its current folder. */
const programDirectory = process.cwd();

redactDebugLog(pulumi.log as { debug: typeof pulumi.log.debug });

/** The text in every state file. Its bytes never change: see decisions/provider-text.md. */
export function providerText(handler: string): string {
  return `exports.handler = () => require("pulumi-esign/hooks").${handler};`;
}

/** A subaccount, as an argument: a `Company` of this program, or the id of a company. */
export type AccountArgument = CompanyResource | pulumi.Input<string>;

/** What the other resources need of a `Company`. */
export interface CompanyResource extends pulumi.CustomResource {
  readonly companyId: pulumi.Output<string>;
  readonly apiKey: pulumi.Output<string>;
}

type Argument<K, T> = K extends "account"
  ? AccountArgument
  : // It becomes the engine's `protect`, which the SDK accepts as a plain value only.
    K extends "deletionProtection"
    ? T
    : pulumi.Input<WithInputs<T>>;

/** Lists and objects whose members may be outputs. */
type WithInputs<T> = T extends readonly (infer V)[]
  ? pulumi.Input<V>[]
  : T extends Record<string, infer V>
    ? Record<string, pulumi.Input<V>>
    : T;

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

/** A resource as programs see it: its arguments and its other outputs. */
export type ResourceOf<A, O> = pulumi.CustomResource & {
  readonly [K in keyof A]: pulumi.Output<Exclude<InputOf<A[K]>, null> | UndefinedIfOptional<A[K]>>;
} & { readonly [K in keyof O]: pulumi.Output<InputOf<O[K]> | UndefinedIfOptional<O[K]>> };

/** A resource's class. */
export interface ResourceClass<A, O> {
  new (name: string, args: ArgsOf<A>, opts?: pulumi.CustomResourceOptions): ResourceOf<A, O>;
  /** Reads an object that this program does not manage, by its id (within a subaccount: `<company>/<id>`). */
  get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ResourceOf<A, O>;
}

/** Companies whose protection is literally off: only then may the engine drop their contents from the state. */
const unprotected = new WeakSet<pulumi.Resource>();

/** Creates the class of a resource. */
export function resourceClass<A extends z.ZodRawShape, O extends z.ZodRawShape, Item>(
  resource: Definition<z.ZodObject<A>, z.ZodObject<O>, Item>,
): ResourceClass<A, O> {
  const definition = resource as unknown as Definition;
  const { kind } = definition;
  const type = `pulumi-nodejs:dynamic/esign:${kind}`;
  // One more would be a change of every state: what the handlers return is secret by itself.
  const secretOutputs = definition.secrets.filter((name) => !definition.returnedOnce?.includes(name));
  const outputs = [...Object.keys(definition.args.shape), ...Object.keys(definition.outputs.shape)];

  class EsignResource extends pulumi.CustomResource {
    constructor(name: string, args: Properties, opts: pulumi.CustomResourceOptions = {}) {
      if (args === undefined || args === null) {
        throw programError("ESIGN1060", `${kind} "${name}"`, "arguments are missing");
      }
      rejectUnknownSettings();
      const isRead = opts.id !== undefined;
      const options = isRead ? opts : optionsFor(definition, name, args, opts);
      if (!isRead) rejectDuplicates(definition, type, name, args, opts);
      const others = isRead ? undefined : collectIssues(definition, name, args);
      const inputs: pulumi.Inputs = Object.fromEntries(outputs.map((key) => [key, undefined]));
      for (const [key, value] of Object.entries(args)) inputs[key] = key === "account" ? accountId(name, value) : value;
      const additionalSecretOutputs = [metadataKey, ...secretOutputs, ...(opts.additionalSecretOutputs ?? [])];
      super(
        type,
        name,
        {
          ...inputs,
          [metadataKey]: undefined,
          ...(!isRead && !isSingleton(definition) && { [stackNameArg]: pulumi.getStack() }),
          ...(!isRead &&
            (pulumi.runtime.isDryRun()
              ? { [previewArg]: describePreview(type, name, args, opts) }
              : { [secretsArg]: describeSecrets(args) })),
          ...(others && { [otherIssuesArg]: others }),
          __provider: providerText(definition.handler),
        },
        { ...options, additionalSecretOutputs: [...new Set(additionalSecretOutputs)] },
      );
      const { keyOutput } = definition;
      // The engine makes every output of an update unknown in its preview, except the id.
      if (keyOutput !== undefined) Object.assign(this, { [keyOutput]: this.id.apply(keyIn) });
      if (args.deletionProtection === false) unprotected.add(this);
      endPendingCreate(this);
    }

    static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}) {
      // Without an id the SDK creates one.
      if (id === undefined || id === null || id === "") {
        throw programError("ESIGN1060", `${kind} "${name}"`, "the id of the object to read is missing");
      }
      // Of the class that it is called on.
      return new this(name, {}, { ...opts, id });
    }
  }
  Object.defineProperty(EsignResource, "name", { value: kind });
  return EsignResource as unknown as ResourceClass<A, O>;
}

/**
 * The engine answers a registration when the state has its result: then the next run need not look for what it has
 * created. The hidden output is for the provider alone.
 */
function endPendingCreate(resource: pulumi.CustomResource): void {
  const { [metadataKey]: metadata } = resource as unknown as Record<string, pulumi.Output<Properties | undefined>>;
  Reflect.deleteProperty(resource, metadataKey);
  if (pulumi.runtime.isDryRun()) return;
  metadata?.apply((value) => removePendingCreate(programDirectory, instanceIdIn(value)));
}

/** The key of an object in its account, from the engine's id, which begins with that of its subaccount. */
const keyIn = (id: string | undefined): string | undefined => id?.slice(id.lastIndexOf("/") + 1);

/** The options that protect an object from the engine. */
function optionsFor(definition: Definition, name: string, args: Properties, opts: pulumi.CustomResourceOptions) {
  const options: pulumi.CustomResourceOptions = { ...opts };
  if ("deletionProtection" in definition.args.shape) {
    const protection = args.deletionProtection;
    if (protection !== undefined && typeof protection !== "boolean") {
      const problem = "deletionProtection must be true or false, not an output";
      throw programError("ESIGN1060", `${definition.kind} "${name}"`, problem);
    }
    // Stops a deletion at the preview already; the delete handler rejects it once more.
    if (protection !== false) options.protect ??= true;
  }
  // An option, since the engine asks for no difference before a forced replacement.
  if (isDeletedBeforeReplaced(definition)) options.deleteBeforeReplace ??= true;
  if (pulumi.CustomResource.isInstance(args.account) && unprotected.has(args.account)) {
    options.deletedWith ??= args.account;
  }
  return options;
}

/** The engine's id of the company: unlike its outputs, an update does not make it unknown. */
export function accountId(name: string, account: unknown): unknown {
  if (pulumi.CustomResource.isInstance(account)) {
    const { __pulumiType: type } = account as unknown as { __pulumiType: string };
    if (type === "pulumi-nodejs:dynamic/esign:Company") return account.id;
    throw programError("ESIGN1060", `"${name}"`, "account must be a Company or a company's id");
  }
  if (account === null || typeof account !== "object") return account;
  // An output without a value stays an argument, for `check` to reject: the key's own account is not what was meant.
  return pulumi.output(account as pulumi.Input<string>).apply((id) => id ?? "");
}
