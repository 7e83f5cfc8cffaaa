/**
 * The schema of the plugin, from which Pulumi generates the SDK of each language: the resources from their definitions, the functions from
 * their types, and the sentences from the comments of both.
 */
import ts from "typescript";
import type { z } from "zod";
import { dynamicTypeOf } from "../../definitions/kind";
import { version } from "../../package.json";
import type { ResourceDefinition } from "../../provider/core/resource-definition";
import { sdkNames } from "../../provider/protocol/sdk-names";
import { tokenPrefix } from "../../provider/protocol/tokens";
import { allDefinitions } from "../../provider/resources/index";
import { configNames, providerConfigSchema } from "../../provider/session/provider-config";
import { accountNote, componentSchemas } from "./component-schema";
import { missingExamples, schemaExample } from "./registry";
import { functionFiles, functionNotes, notesOf, signatureOf } from "./resources";
import { isRequired, typeOf, valuesOf } from "./schemas";
import { declarationIn, type Member, memberOf, membersOfInterface, noteOf } from "./sources";

type Json = Record<string, unknown>;

/** Enums that several arguments have. */
const sharedTypes: Record<string, string> = {
  onDelete: "OnDelete",
  onExisting: "OnExisting",
  signatureFormatDefault: "SignatureFormat",
  signatureFormatAccepted: "SignatureFormat",
};
const any = { $ref: "pulumi.json#/Any" };

/** As the file has it. */
export function providerSchema(): string {
  const types = new Types();
  const { language: names, ...publisher } = sdkNames();
  const schema = {
    name: "esign",
    version,
    displayName: "E-signature account",
    description:
      "An e-signature account's configuration as code: branding, emails, webhooks, subaccounts, users, contacts and settings",
    keywords: ["pulumi", "esign", "e-signature", "category/utility", "kind/native"],
    license: "Apache-2.0",
    ...publisher,
    config: { variables: settingProperties() },
    provider: {
      description:
        "An account. One provider serves its subaccounts, too: they are the argument `account` of a resource.",
      inputProperties: settingProperties(),
      properties: {},
    },
    resources: resourceSchemas(types),
    functions: Object.fromEntries(
      functionNotes().map(({ name, note }) => [`${tokenPrefix}${name}`, functionSchema(name, note, types)]),
    ),
    types: types.all,
    language: {
      nodejs: { respectSchemaVersion: true, ...names.nodejs },
      python: { respectSchemaVersion: true, pyproject: { enabled: true }, ...names.python },
      go: { respectSchemaVersion: true, ...names.go },
      csharp: { respectSchemaVersion: true, ...names.csharp },
      ...(names.java && { java: names.java }),
    },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** The examples that it lacks, with what makes each. */
export const examplesToMake = (): string[] => missingExamples(allDefinitions.map(({ kind }) => kind));

/** The types that resources and functions name. */
class Types {
  readonly #types = new Map<string, Json>();

  get all(): Json {
    return Object.fromEntries([...this.#types].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to a type, which is described when it is first named. */
  refer(name: string, describe: () => Json): Json {
    const token = `${tokenPrefix}${name}`;
    if (!this.#types.has(token)) {
      this.#types.set(token, {});
      this.#types.set(token, describe());
    }
    return { $ref: `#/types/${token}` };
  }
}

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** What SDKs call a value of an enum: without it `Signed_envelope`, from `signed-envelope`. */
const memberName = (value: string) => value.split("-").map(capitalize).join("");

function settingProperties(): Json {
  const notes = membersOfInterface(["provider/pulumi/explicit-provider.ts"], "ProviderArgs");
  return Object.fromEntries(
    configNames.map((name) => {
      const schema = providerConfigSchema.shape[name] as z.ZodType;
      const accepts = (value: unknown) => schema.safeParse(value).success;
      const number = accepts(1.5) ? "number" : "integer";
      const type = accepts(20) ? number : accepts(true) ? "boolean" : "string";
      const description = notes.find((member) => member.name === name)?.note ?? "";
      return [name, { type, description, ...(name === "apiKey" && { secret: true }) }];
    }),
  );
}

function resourceSchemas(types: Types): Json {
  const resources = Object.fromEntries(allDefinitions.map((each) => [each.kind, resource(each, types)]));
  const all: Record<string, Json> = { ...resources, ...componentSchemas(resources.Company!) };
  return Object.fromEntries(
    Object.entries(all).map(([name, schema]) => [
      `${tokenPrefix}${name}`,
      { ...schema, description: schema.description + schemaExample(name) },
    ]),
  );
}

function resource(definition: ResourceDefinition, types: Types): Json {
  const { kind, args, outputs, createOnly, secrets } = definition;
  const notes = notesOf(kind);
  const property = (name: string, type: Json) => [
    name,
    {
      ...type,
      description: name === "account" ? accountNote : (notes.get(name) ?? ""),
      ...(secrets.includes(name) && { secret: true }),
      ...(createOnly.includes(name) && { willReplaceOnChanges: true }),
    },
  ];
  const shape = Object.entries(args.shape as Record<string, z.ZodType>);
  const inputs = shape.map(([name, schema]) =>
    property(name, schemaType(sharedTypes[name] ?? `${kind}${capitalize(name)}`, name, schema, types)),
  );
  const results = Object.keys(outputs).map((name) => property(name, { type: "string" }));
  const required = shape.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
  return {
    description: noteOf(declarationIn("provider/pulumi/resources.ts", kind)!),
    inputProperties: Object.fromEntries(inputs),
    requiredInputs: required,
    properties: Object.fromEntries([...inputs, ...results]),
    required: [...required, ...Object.keys(outputs).filter((name) => !outputs[name]!.isOptional)],
    aliases: [{ type: dynamicTypeOf(kind) }],
  };
}

/** The type of an argument or output. Enums are open: any other string passes. */
function schemaType(typeName: string, name: string, schema: z.ZodType, types: Types): Json {
  if (name === "account") return { type: "string" };
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType; element?: z.ZodType } };
  if (def.innerType) return schemaType(typeName, name, def.innerType, types);
  // Enums stay texts in lists: of a choice in a list, the CLI writes code for Java that does not compile.
  if (def.type === "array") {
    const items = schemaType(typeName, name, def.element!, types);
    return { type: "array", items: "oneOf" in items ? { type: "string" } : items };
  }
  if (def.type === "record") return { type: "object", additionalProperties: any };
  const values = valuesOf(schema);
  if (values !== undefined) {
    const describe = () => ({ type: "string", enum: values.map((value) => ({ name: memberName(value), value })) });
    return { type: "string", oneOf: [{ type: "string" }, types.refer(typeName, describe)] };
  }
  return { type: typeOf(schema) };
}

function functionSchema(name: string, description: string, types: Types): Json {
  const { args, result } = signatureOf(name);
  const inputs = membersOfInterface(functionFiles, args?.getText() ?? "AccountArgs").filter(
    ({ type }) => !isNever(type),
  );
  const object = (members: readonly Member[], owner: string) => ({
    type: "object",
    ...objectType(members, owner, types),
  });
  const isList = ts.isArrayTypeNode(result);
  const outputs = isList
    ? { type: "object", properties: { items: nodeType(result, "", types) }, required: ["items"] }
    : object(membersOfInterface(functionFiles, result.getText()), result.getText());
  return { description, inputs: object(inputs, capitalize(name)), outputs };
}

/** True for an argument that one function does not take although others do. */
const isNever = (type: ts.TypeNode | undefined): boolean => type?.kind === ts.SyntaxKind.UndefinedKeyword;

/** `owner`: the type whose members they are. */
function objectType(members: readonly Member[], owner: string, types: Types): Json {
  const required = members.filter(({ isOptional, type }) => !isOptional && !hasUndefined(type)).map(({ name }) => name);
  const properties = members.map(({ name, type, note }) => {
    const nested = `${owner.replace(/(Info|Details)$/, "")}${capitalize(name)}`;
    return [
      name,
      { ...(type ? nodeType(type, nested, types) : { type: "string" }), ...(note && { description: note }) },
    ];
  });
  return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

const hasUndefined = (type: ts.TypeNode | undefined): boolean =>
  type !== undefined && ts.isUnionTypeNode(type) && type.types.some(isNever);

/** `name`: of the type, if it has none of its own. */
function nodeType(node: ts.TypeNode, name: string, types: Types): Json {
  if (ts.isUnionTypeNode(node)) return nodeType(node.types.find((type) => !isNever(type))!, name, types);
  if (ts.isArrayTypeNode(node)) return { type: "array", items: nodeType(node.elementType, singular(name), types) };
  if (ts.isTypeLiteralNode(node)) {
    const members = node.members.filter(ts.isPropertySignature).map(memberOf);
    return types.refer(name, () => ({ type: "object", ...objectType(members, name, types) }));
  }
  const text = node.getText();
  if (["string", "number", "boolean"].includes(text)) return { type: text };
  if (text === "unknown") return any;
  const declaration = functionFiles.map((file) => declarationIn(file, text)).find((found) => found !== undefined);
  // The enums of the service: what this version does not know is returned, too.
  if (declaration === undefined || !ts.isInterfaceDeclaration(declaration)) return { type: "string" };
  const members = membersOfInterface(functionFiles, text);
  return types.refer(text, () => ({
    type: "object",
    description: noteOf(declaration),
    ...objectType(members, text, types),
  }));
}

const singular = (name: string) => name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
