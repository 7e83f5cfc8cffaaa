/**
 * JSON schemas of account.yaml and company.yaml, for editors: names, meanings and known values. `lint` checks more. The package ships them in
 * `schemas/`, where `npm run docs -- --reference` writes them.
 */
import { z } from "zod";
import { kinds, sectionKinds } from "../../definitions/index";
import { isOnePerAccount, type KindDefinition } from "../../definitions/kind";
import { brandingEmailVariables, neededVariables } from "../../sdk/email-variables";
import { knownValuesOf } from "../../sdk/enum-schemas";
import { brandingEmailTypes } from "../../sdk/known-values";
import { accountSchema, companySchema } from "./settings-schema";

interface JsonSchema {
  [keyword: string]: unknown;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
}

/** Each file's schema by the file's name. */
export function settingsSchemas(): Record<"account.yaml" | "company.yaml", JsonSchema> {
  const account = toSchema(accountSchema, "Configuration of an e-signature account");
  for (const kind of sectionKinds) {
    const section = account.properties![kind.storage.section]!;
    describeFields(kind, isOnePerAccount(kind) ? section : (section.additionalProperties as JsonSchema));
  }
  suggestVariables(account);
  const company = toSchema(companySchema, "A subaccount of a partner");
  describeFields(kinds.Company, company);
  return { "account.yaml": account, "company.yaml": company };
}

function toSchema(schema: z.ZodType, title: string): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override,
  }) as JsonSchema;
  return { $schema, title, ...rest };
}

function override({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.JSONSchema;
}): void {
  // A written null, which is read as a value of its own.
  if (zodSchema._zod.def.type === "custom") jsonSchema.type = "null";
  const types = jsonSchema.anyOf?.map((each) => (typeof each === "object" ? each.type : undefined));
  if (types?.join() !== "string,boolean") return;
  // A number is taken as its text.
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { type: ["string", "boolean", "number"] });
}

function describeFields({ fields, forms }: KindDefinition, { properties = {} }: JsonSchema): void {
  for (const [name, { label }] of Object.entries(fields)) {
    const values = forms.map(({ form, names }) => valuesIn(form, names[name])).find((values) => values !== undefined);
    // Suggested only: a placeholder may stand there, or a value that this version does not know.
    Object.assign(properties[name]!, { description: label, ...(values && { examples: values }) });
  }
}

/** The types and variables of emails, for `lint: requiredVariables:`; others may be written, too. */
function suggestVariables({ properties }: JsonSchema): void {
  const required = properties!.lint!.properties!.requiredVariables!;
  const list = required.additionalProperties as JsonSchema & { items: JsonSchema };
  list.items = { ...list.items, examples: [...brandingEmailVariables] };
  required.description = "Variables that an email template must keep, by its type, besides those that the type needs";
  required.properties = Object.fromEntries(
    brandingEmailTypes.map((type) => {
      const needs = neededVariables(type).map(({ anyOf }) => anyOf.map((name) => `{${name}}`).join(" or "));
      return [type, { ...list, ...(needs.length > 0 && { description: `It needs ${needs.join(" and ")}` }) }];
    }),
  );
}

const valuesIn = (form: unknown, name = ""): readonly string[] | undefined => {
  const schema = form instanceof z.ZodObject ? (form.shape[name] as z.ZodType | undefined) : undefined;
  return schema && knownValuesOf(schema);
};
