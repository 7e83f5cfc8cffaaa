/** The outputs that the state records for an object. */
import { isDeepStrictEqual } from "node:util";
import { type Properties, secret, toJson, unwrapAll, withoutUndefined } from "../core/pulumi-values";
import { fieldsIn, nest, type ResourceDefinition } from "../core/resource-definition";
import { encodeMetadata, metadataKey } from "../state/metadata";
import { logProblems, type NewState, type WriteContext } from "./resource-context";

/** The outputs: arguments, fields, what the API adds, and the hidden metadata. Nothing undeclared. `state`: what was recorded before. */
export async function outputsOf(
  context: WriteContext,
  args: Properties,
  { displayed, outputs, metadata }: NewState,
  state: Properties,
): Promise<Properties> {
  const { definition } = context;
  const previous = Object.fromEntries(Object.keys(definition.outputs).map((name) => [name, state[name]]));
  const fields = fieldsIn(definition, args);
  const otherArgs = Object.fromEntries(Object.entries(args).filter(([name]) => !fields.includes(name)));
  const flat = unwrapAll({ ...otherArgs, ...displayed, ...previous, ...withoutUndefined(outputs) });
  logProblems(context, outputs);
  const outs = markSecrets(definition, nest(definition, flat));
  const recorded = await context.session.ledger.includeWrites(context, metadata);
  return toJson({ ...outs, [metadataKey]: encodeMetadata(recorded) });
}

/** Outputs with envelopes around those that are secret by their definition. */
function markSecrets({ secrets }: ResourceDefinition, outs: Properties): Properties {
  const marked = secrets.filter((name) => outs[name] !== undefined).map((name) => [name, secret(outs[name])]);
  return { ...outs, ...Object.fromEntries(marked) };
}

/**
 * Outputs of an update that has failed. A displayed value may date from a time when the argument was declared as secret, and
 * the engine marks by today's.
 */
export function hideUnplanned(definition: ResourceDefinition, outs: Properties, args: Properties): Properties {
  const planned = nest(definition, args);
  const hidden = Object.keys(definition.args.shape)
    .filter((name) => outs[name] !== undefined && !isDeepStrictEqual(outs[name], planned[name]))
    .map((name) => [name, secret(outs[name])]);
  return { ...outs, ...Object.fromEntries(hidden) };
}
