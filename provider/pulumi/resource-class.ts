/**
 * The classes that programs use, derived from the definitions. A resource is a `CustomResource` of the SDK's dynamic
 * provider whose code is one constant line that names a handler in the installed package: nothing is serialized, and an
 * upgrade changes no resource.
 */

import * as pulumi from "@pulumi/pulumi";
import { keyOfId } from "../../definitions/object-id";
import { type RegistrationArgument, resourceArg } from "../core/hidden-argument";
import { providerText } from "../core/provider-text";
import type { Properties } from "../core/pulumi-values";
import {
  hasDeletionProtection,
  isDeletedBeforeReplaced,
  type ResourceDefinition,
  secretOutputsOf,
} from "../core/resource-definition";
import { endPendingCreate } from "../recovery/pending-create-file";
import { instanceIdIn, metadataKey } from "../state/metadata";
import { accountId } from "./account-id";
import { collectIssues } from "./collect-issues";
import { otherTypeOfKind, pluginVersion, typeOfKind } from "./dynamic-or-plugin";
import { programError, rejectMissing } from "./program-error";
import { redactDebugLog } from "./redact-debug-log";
import { registrationArgument } from "./registration-argument";
import { rejectDuplicates } from "./reject-duplicates";
import { rejectUnknownSettings } from "./reject-unknown-config";
import type { ResourceClass } from "./resource-types";
import { warnImport, warnUselessOptions } from "./warn-useless-options";

/** Where the provider records its creates, whatever the program makes its current folder. */
const programDirectory = process.cwd();

redactDebugLog(pulumi.log as { debug: typeof pulumi.log.debug });

/** What only the dynamic provider needs: its text, and which resource it is. `registration`: undefined for what is only read. */
function dynamicArguments(
  definition: ResourceDefinition,
  name: string,
  args: Properties,
  registration: Promise<RegistrationArgument> | undefined,
): pulumi.Inputs {
  const others = registration && collectIssues(definition, name, args);
  const described = async () => {
    const otherIssues = await others;
    return { ...(await registration), ...(otherIssues && { otherIssues }) };
  };
  return {
    ...(registration && { [resourceArg]: described() }),
    __provider: providerText(definition.handler),
  };
}

/** Companies whose protection is literally off: only then may the engine drop their contents from the state. */
const unprotected = new WeakSet<pulumi.Resource>();

/** Creates the class of a resource. */
export function resourceClass<V, O, A>(definition: ResourceDefinition): ResourceClass<V, O, A> {
  const { kind } = definition;
  // One more would be a change of every state: what the handlers return is secret by itself.
  const secretOutputs = secretOutputsOf(definition);
  const outputs = [...Object.keys(definition.args.shape), ...Object.keys(definition.outputs)];

  class EsignResource extends pulumi.CustomResource {
    constructor(name: string, args: Properties, opts: pulumi.CustomResourceOptions = {}) {
      rejectMissing(kind, name, args);
      rejectUnknownSettings();
      const isRead = opts.id !== undefined;
      const type = typeOfKind(kind);
      const options = isRead ? opts : optionsFor(definition, name, args, opts);
      if (!isRead) rejectDuplicates(definition, type, name, args, opts);
      const inputs: pulumi.Inputs = Object.fromEntries(outputs.map((key) => [key, undefined]));
      for (const [key, value] of Object.entries(args)) inputs[key] = key === "account" ? accountId(name, value) : value;
      const additionalSecretOutputs = [metadataKey, ...secretOutputs, ...(opts.additionalSecretOutputs ?? [])];
      const isDynamic = pluginVersion() === undefined;
      const registration = isRead || !isDynamic ? undefined : registrationArgument(type, name, args, opts);
      super(
        type,
        name,
        {
          ...inputs,
          [metadataKey]: undefined,
          ...(isDynamic && dynamicArguments(definition, name, args, registration)),
        },
        { ...options, additionalSecretOutputs: [...new Set(additionalSecretOutputs)] },
      );
      warnUselessOptions(definition, this, name, opts);
      if (isDynamic && opts.import !== undefined) warnImport(definition, name);
      const { keyOutput } = definition;
      // The engine makes every output of an update unknown in its preview, except the id.
      if (keyOutput !== undefined)
        Object.assign(this, { [keyOutput]: this.id.apply((id?: string) => id && keyOfId(id)) });
      if (args.deletionProtection === false) unprotected.add(this);
      endCreateOf(this);
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
  return EsignResource as unknown as ResourceClass<V, O, A>;
}

/**
 * The engine answers a registration when the state has its result: then the next run need not look for what it has
 * created. The hidden output is for the provider alone.
 */
function endCreateOf(resource: pulumi.CustomResource): void {
  const { [metadataKey]: metadata } = resource as unknown as Record<string, pulumi.Output<Properties | undefined>>;
  Reflect.deleteProperty(resource, metadataKey);
  if (pulumi.runtime.isDryRun()) return;
  metadata?.apply((value) => endPendingCreate(programDirectory, instanceIdIn(value)));
}

/** The options that protect an object from the engine. */
function optionsFor(
  definition: ResourceDefinition,
  name: string,
  args: Properties,
  opts: pulumi.CustomResourceOptions,
) {
  const version = pluginVersion();
  const options: pulumi.CustomResourceOptions = {
    ...opts,
    aliases: [...(opts.aliases ?? []), { type: otherTypeOfKind(definition.kind) }],
    ...(version !== undefined && { version }),
  };
  if (hasDeletionProtection(definition)) {
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
