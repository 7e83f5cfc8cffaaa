/** The program in C#: written for what is wanted, since the compiler checks each argument against the generated SDK. */
import { sdkNames } from "../../provider/protocol/sdk-names";
import type { Wanted } from "./programs";

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const variable = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
/** JSON's literals of texts are C#'s, too. */
const literal = (value: unknown) => JSON.stringify(value);

function declare({ kind, name, args, after }: Wanted, names: readonly string[]): string {
  const values = Object.entries(args).map(([argument, value]) => {
    const isOfResource = argument === "account" && names.includes(value as string);
    const joined = `Output.Format($"{${literal(value)}}{${variable(after ?? "")}.WebhookId}")`;
    const own = argument === "url" && after !== undefined ? joined : literal(value);
    return `${capitalize(argument)} = ${isOfResource ? `${variable(value as string)}.CompanyId` : own},`;
  });
  const outputs = [["id", "Id"], ...(kind === "Company" ? [["key", "ApiKey"]] : [])];
  if (kind === "Webhook") outputs.push(["webhook", "WebhookId"]);
  return `
    var ${variable(name)} = new Esign.${kind}(${literal(name)}, new() { ${values.join(" ")} });
${outputs.map(([output, member]) => `    outputs["${name}-${output}"] = ${variable(name)}.${member};`).join("\n")}`;
}

const namespace = `${sdkNames().language.csharp?.rootNamespace ?? "Pulumi"}.Esign`;

/** The SDK that the CLI has generated beside it is a project of its own. */
const project = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net8.0</TargetFramework>
    <Nullable>enable</Nullable>
    <DefaultItemExcludes>$(DefaultItemExcludes);sdks/**</DefaultItemExcludes>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Pulumi" Version="3.*" />
    <ProjectReference Include="sdks/esign/${namespace}.csproj" />
  </ItemGroup>
</Project>
`;

export const csharpProject = { "Pulumi.yaml": "name: program\nruntime: dotnet\n", "Program.csproj": project };

export function csharpProgram(wanted: readonly Wanted[]): string {
  const names = wanted.map(({ name }) => name);
  return `using System.Collections.Generic;
using Pulumi;
using Esign = ${namespace};

return await Deployment.RunAsync(() =>
{
    var outputs = new Dictionary<string, object?>();
${wanted.map((each) => declare(each, names)).join("\n")}
    return outputs;
});
`;
}
