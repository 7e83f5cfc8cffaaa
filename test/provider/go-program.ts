/** The program in Go: written for what is wanted, since the compiler checks each argument against the generated SDK. */
import { goModule } from "../../provider/protocol/sdk-names";
import type { Wanted } from "./programs";

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const variable = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** JSON's literals of texts are Go's, too. */
const literal = (value: unknown) =>
  `pulumi.${typeof value === "boolean" ? "Bool" : "String"}(${JSON.stringify(value)})`;

function declare({ kind, name, args, after }: Wanted, names: readonly string[]): string {
  const values = Object.entries(args).map(([argument, value]) => {
    const isOfResource = argument === "account" && names.includes(value as string);
    const joined = `pulumi.Sprintf("%s%s", ${JSON.stringify(value)}, ${variable(after ?? "")}.WebhookId)`;
    const own = argument === "url" && after !== undefined ? joined : literal(value);
    return `${capitalize(argument)}: ${isOfResource ? `${variable(value as string)}.CompanyId` : own},`;
  });
  const outputs = [["id", "ID()"], ...(kind === "Company" ? [["key", "ApiKey"]] : [])];
  if (kind === "Webhook") outputs.push(["webhook", "WebhookId"]);
  return `
		${variable(name)}, err := esign.New${kind}(ctx, ${JSON.stringify(name)}, &esign.${kind}Args{${values.join(" ")}})
		if err != nil {
			return err
		}
${outputs.map(([output, member]) => `		ctx.Export("${name}-${output}", ${variable(name)}.${member})`).join("\n")}`;
}

export function goProgram(wanted: readonly Wanted[]): string {
  const names = wanted.map(({ name }) => name);
  return `package main

import (
	"${goModule()}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
${wanted.map((each) => declare(each, names)).join("\n")}
		return nil
	})
}
`;
}
