/** The files of `schemas/`, which the package ships: `npm run docs` writes them; a test fails when one is stale. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsSchemas } from "../../account-folder/folder/json-schema";
import { providerSchema } from "./provider-schema";

const folder = join(__dirname, "../../schemas");

/** The text of each, by its path. */
export const schemaFiles = (): [path: string, text: string][] => [
  [join(folder, "provider.json"), providerSchema()],
  ...Object.entries(settingsSchemas()).map(([file, schema]): [string, string] => [
    join(folder, file.replace(".yaml", ".json")),
    `${JSON.stringify(schema, undefined, 2)}\n`,
  ]),
];

export function writeSchemas(): void {
  for (const [path, text] of schemaFiles()) writeFileSync(path, text);
}
