/** Properties in the engine's messages. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type Properties, toJson } from "../provider/core/pulumi-values";

/** Levels of nested values. What is deeper is no configuration of an account. */
const maxDepth = 64;

/** Properties of a message, with envelopes around secrets. */
export function propertiesOf(struct: Struct | undefined): Properties {
  const properties = (struct?.toJavaScript() ?? {}) as Properties;
  if (isDeeper(properties, maxDepth)) throw new Error(`a value is nested more than ${maxDepth} levels deep`);
  return properties;
}

export const structOf = (properties: Properties): Struct => Struct.fromJavaScript(toJson(properties) as never);

function isDeeper(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1));
}
