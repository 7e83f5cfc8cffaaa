/** The arguments of a component, from an engine's message. */
import * as pulumi from "@pulumi/pulumi";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { programError } from "../../provider/pulumi/program-error";
import { isPlainArgument } from "../schema";
import { tokenPrefix } from "../tokens";
import { deserializeInputs, promiseOf } from "./sdk";

/** Arguments as the classes take them: what is secret, or depends on a resource, has become an output, and the whole map of values with one of them. */
export async function argumentsOf(request: ConstructRequest): Promise<pulumi.Inputs> {
  const { values, ...inputs } = await deserializeInputs(
    request.getInputs() ?? new Struct(),
    request.getInputdependenciesMap(),
  );
  const fail = (problem: string) =>
    programError("ESIGN1060", `${request.getType().replace(tokenPrefix, "")} "${request.getName()}"`, problem);
  const isOutput = pulumi.Output.isInstance<Record<string, string> | undefined>;
  for (const [name, input] of Object.entries(inputs))
    if (isOutput(input) && isPlainArgument(request.getType(), name))
      throw fail(`${name} must be a plain value: neither secret nor an output of a resource`);
  if (!isOutput(values)) return { ...inputs, ...(values && { values }) };
  const present = await promiseOf(values);
  if (present === undefined)
    throw fail("the names of values are not known yet: pass a map, with outputs as its members");
  const members = Object.keys(present).map((name) => [name, values.apply((all) => all![name]!)]);
  return { ...inputs, values: Object.fromEntries(members) };
}
