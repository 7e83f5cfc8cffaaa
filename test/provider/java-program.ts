/** The program in Java: written for what is wanted, since the compiler checks each argument against the generated SDK. */
import { sdkNames } from "../../provider/protocol/sdk-names";
// @ts-expect-error a script without types
import { programProject } from "../../tools/release/java.mjs";
import type { Wanted } from "./programs";

const variable = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
/** JSON's literals of texts are Java's, too. */
const literal = (value: unknown) => JSON.stringify(value);

function declare({ kind, name, args, after }: Wanted, names: readonly string[]): string {
  const values = Object.entries(args).map(([argument, value]) => {
    const isOfResource = argument === "account" && names.includes(value as string);
    const joined = `Output.format("%s%s", ${literal(value)}, ${variable(after ?? "")}.webhookId())`;
    const own = argument === "url" && after !== undefined ? joined : literal(value);
    return `.${argument}(${isOfResource ? `${variable(value as string)}.companyId()` : own})`;
  });
  const outputs = [["id", "id"], ...(kind === "Company" ? [["key", "apiKey"]] : [])];
  if (kind === "Webhook") outputs.push(["webhook", "webhookId"]);
  return `
      var ${variable(name)} = new ${kind}(${literal(name)}, ${kind}Args.builder()${values.join("")}.build());
${outputs.map(([output, member]) => `      ctx.export("${name}-${output}", ${variable(name)}.${member}());`).join("\n")}`;
}

export const javaProject = { "Pulumi.yaml": "name: program\nruntime: java\n", "pom.xml": programProject };

export function javaProgram(wanted: readonly Wanted[]): string {
  const names = wanted.map(({ name }) => name);
  return `package program;

import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import ${sdkNames().language.java?.basePackage ?? "com.pulumi"}.esign.*;

public class App {
  public static void main(String[] args) {
    Pulumi.run(ctx -> {
${wanted.map((each) => declare(each, names)).join("\n")}
    });
  }
}
`;
}
