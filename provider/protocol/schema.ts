/** The plugin's schema, from which the SDK of each language is generated. */
import schema from "../../schemas/provider.json";

export { schema };

export const { version } = schema;

/** As JSON. */
export const schemaText = (): string => JSON.stringify(schema);

/** True for an argument of a component that must be known when that is constructed. */
export function isPlainArgument(type: string, name: string): boolean {
  const resources = schema.resources as Record<string, { inputProperties: Record<string, object | undefined> }>;
  return "plain" in (resources[type]?.inputProperties[name] ?? {});
}
