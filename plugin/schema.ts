/** The plugin's schema, from which the SDK of each language is generated. */
import schema from "../schemas/provider.json";

export const { version } = schema;

/** As JSON. */
export const schemaText = (): string => JSON.stringify(schema);
