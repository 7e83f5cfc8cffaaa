/** The arguments of a component, from an engine's message: what is secret, or depends on a resource, is an output. */
import * as pulumi from "@pulumi/pulumi";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { notPlainProblem, unknownNamesProblem } from "../../provider/components/component-arguments";
import {
  isOutput,
  isSecret,
  isUnknown,
  mapValues,
  type Properties,
  secret,
  unknownOutput,
} from "../../provider/core/pulumi-values";
import { isPlainArgument } from "../../provider/protocol/schema";
import { tokenPrefix } from "../../provider/protocol/tokens";
import { programError } from "../../provider/pulumi/program-error";
import { propertiesOf, structOf } from "../messages";
import { deserializeInputs } from "./sdk";

export async function argumentsOf(request: ConstructRequest): Promise<pulumi.Inputs> {
  const fail = (problem: string) =>
    programError("ESIGN1060", `${request.getType().replace(tokenPrefix, "")} "${request.getName()}"`, problem);
  const { values, ...others } = propertiesOf(request.getInputs());
  const dependencies = request.getInputdependenciesMap();
  const inputs = await deserializeInputs(structOf(others), dependencies);
  for (const [name, input] of Object.entries(inputs))
    if (pulumi.Output.isInstance(input) && isPlainArgument(request.getType(), name)) throw fail(notPlainProblem(name));
  if (values === undefined || values === null) return inputs;
  const members = membersOf(values);
  if (members === undefined) throw fail(unknownNamesProblem);
  // One by one: the SDK makes the whole map unknown, or secret, if one of them is.
  const all = await deserializeInputs(
    structOf(mapValues(members, (value) => (isUnknown(value) ? unknownOutput() : value))),
    {
      get: () => dependencies.get("values"),
    },
  );
  return { ...inputs, values: all };
}

/** The members of a map, secret if that is; undefined if it is not known yet. */
function membersOf(map: unknown): Properties | undefined {
  if (isSecret(map) || isOutput(map)) {
    const members = membersOf(map.value);
    return members && (isSecret(map) || map.secret === true) ? mapValues(members, secret) : members;
  }
  return map !== null && typeof map === "object" && !Array.isArray(map) ? (map as Properties) : undefined;
}
