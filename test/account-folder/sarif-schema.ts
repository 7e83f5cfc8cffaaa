/** The schema of SARIF 2.1.0. */
import { createRequire } from "node:module";

type Validate = ((data: unknown) => boolean) & { errors?: unknown[] | null };
let validate: Validate | undefined;

function compile(): Validate {
  const require = createRequire(createRequire(__filename).resolve("@microsoft/jest-sarif"));
  const schema = require("./schemas/sarif-2.1.0-rtm.5.json") as object;
  const ajv = new (require("ajv"))({ schemaId: "auto", validateSchema: false, meta: false });
  ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
  return ajv.compile(schema) as Validate;
}

/** What is wrong with a log; null if nothing is. */
export function sarifErrors(log: unknown): unknown[] | null {
  validate ??= compile();
  validate(log);
  return validate.errors ?? null;
}
