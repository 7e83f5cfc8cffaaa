/** The same program in each form and language: it declares what a file lists, so that one program covers all edits of a user. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { stringify } from "yaml";
import { resourceKinds } from "../../definitions/model";
import { sdkNames } from "../../provider/protocol/sdk-names";
import { root } from "../cli/esign";
import { csharpProgram, csharpProject } from "./csharp-program";
import { goProgram } from "./go-program";
import { javaProgram, javaProject } from "./java-program";
import type { Wanted } from "./programs";

interface ProgramForm {
  /** Executable of the CLI that runs it, besides those of a Node program. */
  host?: string;
  /** What that host needs on PATH. */
  tool?: string;
  files: Record<string, string>;
  /** Files that change with what is wanted; other programs find that in their environment. */
  filesOf?: (wanted: readonly Wanted[]) => Record<string, string>;
  /** Commands of the CLI before the first one that runs it. */
  setup?: string[][];
  /** Variables for its tools, which look for what they keep in the home folder of a person. */
  environment?: () => NodeJS.ProcessEnv;
}

const node = (esign: string, project = "", dependencies = {}) => ({
  "Pulumi.yaml": `name: program\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n${project}`,
  "package.json": JSON.stringify({ name: "program", main: "index.js", dependencies }),
  "index.js": `
"use strict";
const { interpolate } = require("@pulumi/pulumi");
${esign}
const made = {};
for (const { kind, name, args, opts, after, dependsOn = [] } of JSON.parse(process.env.WANTED)) {
  const account = args.account in made ? { account: made[args.account] } : {};
  const url = after ? { url: interpolate\`\${args.url}\${made[after].webhookId}\` } : {};
  const order = { dependsOn: dependsOn.map((other) => made[other]) };
  made[name] = new esign[kind](name, { ...args, ...account, ...url }, { ...order, ...opts });
}
for (const [name, resource] of Object.entries(made)) {
  exports[name + "-id"] = resource.id;
  if (resource.apiKey) exports[name + "-key"] = resource.apiKey;
  if (resource.webhookId) exports[name + "-webhook"] = resource.webhookId;
}
`,
});

/** In Pulumi.yaml. */
export const pluginPackage = "packages:\n  esign: ./node_modules/pulumi-esign/plugin\n";
const pluginFolder = join(root, "dist/plugin/bin");

/** What a generated SDK has: its classes name those of the dynamic form as aliases. */
export const generatedSdk = `
const { ComponentResource, CustomResource, ProviderResource } = require("@pulumi/pulumi");
const outputs = { Company: { companyId: undefined, apiKey: undefined }, Webhook: { webhookId: undefined } };
const optionsOf = (kind, { aliases = [], ...opts } = {}) => ({
  version: "0.1.0",
  aliases: [...aliases, { type: "pulumi-nodejs:dynamic/esign:" + kind }],
  ...opts,
});
const esign = Object.fromEntries(
  ${JSON.stringify(resourceKinds)}.map((kind) => [
    kind,
    class extends CustomResource {
      constructor(name, args, opts) {
        super("esign:index:" + kind, name, { ...outputs[kind], ...args }, optionsOf(kind, opts));
      }
      static get(name, id) {
        return new this(name, {}, { id });
      }
    },
  ]),
);
esign.Provider = class extends ProviderResource {
  constructor(name, args, opts) {
    super("esign", name, args, { version: "0.1.0", ...opts });
  }
};
for (const [kind, results] of [["AccountConfig", { companyIds: undefined }], ["SubAccount", { companyId: undefined, apiKey: undefined }]])
  esign[kind] = class extends ComponentResource {
    constructor(name, args, opts) {
      super("esign:index:" + kind, name, { ...results, ...args }, { version: "0.1.0", ...opts }, true);
    }
  };`;

/** From the plugin's schema. */
const generateSdk = [
  ["plugin", "install", "resource", "esign", "0.1.0", "--file", pluginFolder],
  ["package", "add", "esign@0.1.0"],
];

function yamlProgram(wanted: readonly Wanted[]): string {
  const names = wanted.map(({ name }) => name);
  const resources = wanted.map(({ kind, name, args, opts, after, dependsOn }) => {
    const { account, url } = args;
    const properties = {
      ...args,
      ...(names.includes(account as string) && { account: `\${${account}.companyId}` }),
      ...(after !== undefined && { url: `${url}\${${after}.webhookId}` }),
    };
    // What is in braces is a reference, unless its dollar is doubled; variables of texts have none.
    const options = { ...(dependsOn && { dependsOn: dependsOn.map((other) => `\${${other}}`) }), ...opts };
    return [name, { type: `esign:${kind}`, properties, options }];
  });
  const outputs = wanted.flatMap(({ kind, name }) => [
    [`${name}-id`, `\${${name}.id}`],
    ...(kind === "Company" ? [[`${name}-key`, `\${${name}.apiKey}`]] : []),
    ...(kind === "Webhook" ? [[`${name}-webhook`, `\${${name}.webhookId}`]] : []),
  ]);
  return stringify({
    name: "program",
    runtime: "yaml",
    plugins: { providers: [{ name: "esign", path: pluginFolder }] },
    resources: Object.fromEntries(resources),
    outputs: Object.fromEntries(outputs),
  });
}

export const forms = {
  dynamic: { files: node('const esign = require("pulumi-esign");') },
  plugin: { files: node(generatedSdk, pluginPackage) },
  yaml: {
    host: "pulumi-language-yaml",
    files: {},
    filesOf: (wanted) => ({ "Pulumi.yaml": yamlProgram(wanted) }),
  },
  typescript: {
    host: "pulumi-language-nodejs",
    tool: "npm",
    files: node(`const esign = require("${sdkNames().language.nodejs?.packageName ?? "@pulumi/esign"}");`, "", {
      "@pulumi/pulumi": "^3.216.0",
      typescript: "^5.9.0",
    }),
    setup: generateSdk,
  },
  python: {
    host: "pulumi-language-python",
    files: {
      "Pulumi.yaml": "name: program\nruntime:\n  name: python\n  options:\n    toolchain: pip\n    virtualenv: venv\n",
      "requirements.txt": "pulumi>=3.216.0,<4.0.0\n",
      "__main__.py": `
import json
import os
import re

import pulumi
import pulumi_esign as esign

made = {}
for wanted in json.loads(os.environ["WANTED"]):
    args = {re.sub("[A-Z]", lambda c: "_" + c[0].lower(), name): value for name, value in wanted["args"].items()}
    if args.get("account") in made:
        args["account"] = made[args["account"]].company_id
    if "after" in wanted:
        args["url"] = pulumi.Output.concat(args["url"], made[wanted["after"]].webhook_id)
    made[wanted["name"]] = getattr(esign, wanted["kind"])(wanted["name"], **args)
for name, resource in made.items():
    pulumi.export(name + "-id", resource.id)
    if isinstance(resource, esign.Company):
        pulumi.export(name + "-key", resource.api_key)
    if isinstance(resource, esign.Webhook):
        pulumi.export(name + "-webhook", resource.webhook_id)
`,
    },
    setup: generateSdk,
  },
  go: {
    host: "pulumi-language-go",
    tool: "go",
    files: { "Pulumi.yaml": "name: program\nruntime: go\n", "go.mod": "module program\n\ngo 1.24\n" },
    filesOf: (wanted) => ({ "main.go": goProgram(wanted) }),
    setup: generateSdk,
    environment: () =>
      JSON.parse(execFileSync("go", ["env", "-json", "GOCACHE", "GOENV", "GOPATH"], { encoding: "utf8" })),
  },
  java: {
    host: "pulumi-language-java",
    tool: "mvn",
    files: javaProject,
    filesOf: (wanted) => ({ "src/main/java/program/App.java": javaProgram(wanted) }),
    setup: generateSdk,
  },
  csharp: {
    host: "pulumi-language-dotnet",
    tool: "dotnet",
    files: csharpProject,
    filesOf: (wanted) => ({ "Program.cs": csharpProgram(wanted) }),
    setup: generateSdk,
  },
} satisfies Record<string, ProgramForm>;

export type Form = keyof typeof forms;
export const formOf = (form: Form): ProgramForm => forms[form];
