/** The pages and examples for Pulumi's registry: of each resource in each language, and as the schema has it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { missingExamples } from "../../tools/reference/registry";
// @ts-expect-error a script without types
import { programProject } from "../../tools/release/java.mjs";

const root = join(__dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Property {
  type?: string;
  description?: string;
  oneOf?: { $ref?: string }[];
  items?: Property;
}
interface Schema {
  resources: Record<
    string,
    {
      isComponent?: boolean;
      inputProperties: Record<string, Property>;
      properties: Record<string, { secret?: boolean }>;
      requiredInputs?: string[];
      description: string;
    }
  >;
  types: Record<string, { enum?: { name: string; value: string }[] }>;
}
const { resources, types } = JSON.parse(read("schemas/provider.json")) as Schema;
const names = Object.keys(resources).map((token) => token.split(":").at(-1)!);
const languages = ["typescript", "python", "go", "csharp", "java", "yaml"];

/** Each type, with the names of its values. What is new is added; nothing is changed. */
const typeNames = [
  "BrandingEmailInfo",
  "BrandingEmailType EmailCancelled EmailRejected EmailReminder EmailReminderPassword EmailSend EmailSigned EmailWidgetVerify EmailSendPassword",
  "CompanyInfo",
  "CompanyUsage",
  "ContactInfo",
  "EnvelopeDocument",
  "EnvelopeHistory",
  "EnvelopeInfo",
  "EnvelopeParty",
  "MonthlyUsage",
  "OnDelete Restore Keep",
  "OnExisting Adopt Fail Create",
  "Period",
  "SignatureFormat Drawn Typed Upload",
  "TemplateInfo",
  "TemplateParty",
  "TemplatePartyMergeField",
  "UserInfo",
  "UserRole User Admin SuperAdmin",
  "WebhookInfo",
  "WebhookType SendEnvelope SignedEnvelope CancelledEnvelope RejectedEnvelope AddUser AddContact OpenedEnvelope AddTemplate All SignedEnvelopeComplete BouncedEnvelope VerifyEnvelopeWidget SignedEnvelopeWidget SendEnvelopeFailed ExpiredEnvelope QesReady QesSigned QesFailed",
];

const files = readdirSync(join(root, "registry/examples"));

it("every resource and component has an example, and nothing else has", () => {
  expect(missingExamples(names)).toEqual([]);
  expect(files.sort()).toEqual(names.flatMap((name) => [`${name}.md`, `${name}.yaml`]).sort());
});

function expectEachLanguage(page: string, yaml: string): void {
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)\n```/g)].map(
    ([, language, text]) => [language, text!] as const,
  );
  expect(blocks.map(([language]) => language)).toEqual(languages);
  expect(new Map(blocks).get("yaml")).toBe(yaml.trim());
  // Every text of the program, in every language.
  const texts = [...yaml.matchAll(/: "?([^"\n]*[ /@][^"\n]*)"?$/gm)]
    .map(([, text]) => text!)
    .filter((t) => !t.includes("$"));
  for (const [language, block] of blocks) for (const text of texts) expect(block, language).toContain(text);
}

/** Programs of no single resource: functions, the explicit provider. */
const programs = readdirSync(join(root, "registry/programs")).filter((name) => name.endsWith(".yaml"));

it.each(programs)("registry/programs/%s is there in each language", (file) => {
  const page = read(`registry/programs/${file.replace(/yaml$/, "md")}`);
  expectEachLanguage(page, read(`registry/programs/${file}`));
});

const titles = ["TypeScript", "Python", "Go", "C#", "Java", "YAML"];

it("each page of the reference shows each example in each language", () => {
  const pages = readdirSync(join(root, "docs/reference"), { recursive: true, encoding: "utf8" });
  const examples = pages
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => [
      ...read(join("docs/reference", name)).matchAll(/<!-- generated: example (\w+) -->([\s\S]*?)<!-- end -->/g),
    ]);
  expect(examples.map(([, name]) => name).sort()).toEqual(
    [...names, ...programs.map((file) => file.replace(".yaml", ""))].sort(),
  );
  for (const [, name, shown = ""] of examples)
    expect(
      [...shown.matchAll(/<summary>([^<]+)</g)].map(([, title]) => title),
      name,
    ).toEqual(titles);
});

describe.each(names.filter((name) => files.includes(`${name}.md`)))("the example of %s", (name) => {
  const yaml = read(`registry/examples/${name}.yaml`);
  const page = read(`registry/examples/${name}.md`);

  it("is there in each language, from the YAML program", () => expectEachLanguage(page, yaml));

  it("declares the resource with arguments that it has", () => {
    const declared = Object.values(parse(yaml).resources) as { type: string; properties: Record<string, unknown> }[];
    expect(declared.map(({ type }) => type)).toContain(`esign:${name}`);
    for (const { type, properties } of declared) {
      const { inputProperties, requiredInputs = [] } = resources[type.replace(":", ":index:")]!;
      expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(Object.keys(properties)));
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(requiredInputs));
      for (const [argument, value] of Object.entries(properties)) {
        const token = inputProperties[argument]!.oneOf?.map(({ $ref }) => $ref).find((ref) => ref !== undefined);
        const values = token && types[token.replace("#/types/", "")]!.enum?.map((each) => each.value);
        if (values) expect(values).toContain(value);
      }
    }
  });

  it("is part of the schema, and so of each generated SDK", () => {
    expect(resources[`esign:index:${name}`]!.description).toContain(page);
  });
});

it("names of types and of their values are permanent: programs of every language have them", () => {
  const described = Object.entries(types).map(([token, { enum: values }]) =>
    [token.replace("esign:index:", ""), ...(values ?? []).map(({ name }) => name)].join(" "),
  );
  expect(described.sort()).toEqual(typeNames);
});

it("no list has a choice of types: code in Java that the CLI writes for an import or an example does not compile", () => {
  for (const { inputProperties } of Object.values(resources))
    for (const { items } of Object.values(inputProperties)) expect(items?.oneOf).toBeUndefined();
});

it("account is documented as the text that it is: generated SDKs have no class for it", () => {
  const all = Object.values(resources).flatMap(({ inputProperties }) => inputProperties.account ?? []);
  expect(all.length).toBeGreaterThan(6);
  for (const { type, description } of all) {
    expect(type).toBe("string");
    expect(description).toMatch(/^The id of the subaccount .*`companyId`/);
  }
});

it("a component names no secret outputs: its options in Java do not have them, and the plugin marks what it returns", () => {
  for (const { properties } of Object.values(resources).filter(({ isComponent }) => isComponent))
    for (const property of Object.values(properties)) expect(property.secret).toBeUndefined();
});

it.each(["_index.md", "installation-configuration.md"])("the page %s is what the registry asks for", (page) => {
  const text = read(`registry/${page}`);
  const front = parse(/^---\n([\s\S]*?)\n---\n/.exec(text)![1]!);
  expect(front).toEqual({ title: expect.any(String), meta_desc: expect.any(String), layout: "package" });
});

it("what the docs add to a project in Java is in the project that the tests in Java compile", () => {
  const [, shown = ""] = /```xml\n([\s\S]*?)```/.exec(read("docs/explanation/languages-and-forms.md"))!;
  const flat = (xml: string) => xml.replace(/>\s+/g, ">").replace(/\s+</g, "<");
  for (const [part] of flat(shown).matchAll(/<(dependency|plugin)>.*?<\/\1>/g))
    expect(flat(programProject)).toContain(part);
  expect(shown).toContain("sdks/esign/src/main/java");
});
