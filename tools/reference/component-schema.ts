/** The components in the schema of the plugin: the arguments of their classes. What a class does not take as an output is plain here, too. */
import { declarationIn, type Member, membersOfInterface, noteOf } from "./sources";

type Json = Record<string, unknown>;

const argumentsFile = "provider/components/component-arguments.ts";
/** In generated SDKs it is a text, and no class: what TypeScript's programs pass as a `Company` is the output of one there. */
export const accountNote =
  "The id of the subaccount that it belongs to: the output `companyId` of a `Company` or `SubAccount`. Default: the key's own account.";
/** Arguments that may come from other resources. */
const inputs = ["values", "account", "name", "userName", "userEmail", "email"];

/** `company`: the schema of the resource, of which a SubAccount has arguments and outputs. */
export function componentSchemas(company: Json): Record<"AccountConfig" | "SubAccount", Json> {
  const { properties } = company as { properties: Record<string, Json> };
  // The plugin marks secrets that a component returns: their names would be an option that Java's components do not have.
  const ofCompany = (...names: string[]): Record<string, Json> =>
    Object.fromEntries(
      names.map((name) => {
        const { willReplaceOnChanges: _, oneOf: __, secret: ___, ...property } = properties[name]!;
        return [name, property];
      }),
    );
  const companyIds = {
    type: "object",
    additionalProperties: { type: "string" },
    description: "The ids of the subaccounts, by the names of their directories.",
  };
  return {
    AccountConfig: component("account-config", "AccountConfig", argumentsOf("AccountConfigArgs"), { companyIds }),
    SubAccount: component(
      "subaccount",
      "SubAccount",
      {
        ...argumentsOf("FolderArgs"),
        ...argumentsOf("SubAccountArgs"),
        ...ofCompany("name", "userName", "userEmail", "email", "onExisting", "deletionProtection"),
      },
      ofCompany("companyId", "apiKey"),
    ),
  };
}

function component(file: string, name: string, args: Record<string, Json>, outputs: Record<string, Json>): Json {
  const asInput = ([argument, schema]: [string, Json]) => [
    argument,
    inputs.includes(argument) ? schema : { ...schema, plain: true },
  ];
  return {
    isComponent: true,
    description: noteOf(declarationIn(`provider/components/${file}.ts`, name)!),
    inputProperties: Object.fromEntries(Object.entries(args).map(asInput)),
    ...(name === "AccountConfig" && { requiredInputs: ["folder"] }),
    properties: outputs,
    required: Object.keys(outputs),
  };
}

/** What an interface declares itself, or inherits from another one by its name. */
function argumentsOf(name: string): Record<string, Json> {
  const members = membersOfInterface([argumentsFile], name);
  return Object.fromEntries(members.map((member) => [member.name, argument(member)]));
}

function argument({ name, type, note }: Member): Json {
  const text = type!.getText();
  if (name === "account") return { type: "string", description: accountNote };
  if (text === "boolean") return { type: "boolean", description: note };
  if (!text.startsWith("Record<")) return { type: "string", description: note };
  return { type: "object", additionalProperties: { type: "string" }, description: note };
}
