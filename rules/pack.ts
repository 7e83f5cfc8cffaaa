/**
 * The rules as policies for `new PolicyPack("esign", { policies: esignPolicies() })` of @pulumi/policy, which this package
 * does not import: see decisions/policies.md.
 */
import { z } from "zod";
import { kindNameOf } from "../definitions/kind";
import { readUrn } from "../definitions/urn";
import { type EmailTexts, fieldLabels, textsWithoutFiles } from "./email-texts";
import { requiredVariables } from "./required-variables";
import { checkSubject, type Subject, type SubjectKind, type Violation } from "./rule";
import {
  assertConfigured,
  type ConfiguredRule,
  type EnforcementLevel,
  levelOf,
  type PolicyConfig,
} from "./rule-configuration";
import { findProjectFile, projectConfiguration } from "./stack-configuration";

/** What @pulumi/policy passes to a policy. */
export interface PolicyArgs {
  type: string;
  name: string;
  urn: string;
  props: Record<string, unknown>;
  getConfig<T extends object>(): T;
}

/** A policy for @pulumi/policy. */
export interface EsignPolicy {
  name: string;
  description: string;
  enforcementLevel: EnforcementLevel;
  configSchema: { properties: Record<string, object> };
  validateResource: (args: PolicyArgs, reportViolation: (message: string) => void) => void;
}

const whatOf = "the configuration of the esign policies";

/**
 * The policies of this package. The configuration that the engine passes (`--policy-pack-config`) overrides this one.
 * @throws Error for a policy or a setting that does not exist
 */
export function esignPolicies(config: PolicyConfig = {}): EsignPolicy[] {
  return assertConfigured(config, whatOf).map(toPolicy);
}

function toPolicy({ rule, severity, config: settings }: ConfiguredRule): EsignPolicy {
  return {
    name: rule.name,
    description: rule.description,
    enforcementLevel: levelOf(severity),
    configSchema: { properties: propertiesOf(rule.configSchema, settings) },
    validateResource(args, reportViolation) {
      // What the engine passes went by the JSON schema, which knows no unknown settings.
      const passed = { [rule.name]: { ...settings, ...args.getConfig() } };
      const { config } = assertConfigured(passed, whatOf).find((each) => each.rule === rule)!;
      for (const subject of subjectsOf(args, rule.kinds, config))
        for (const violation of checkSubject(rule, subject, config)) reportViolation(describe(violation));
    },
  };
}

/** The JSON schema of each setting, with what is configured as its default. */
function propertiesOf(schema: z.ZodObject, settings: Record<string, unknown>): Record<string, object> {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", target: "draft-7" });
  return Object.fromEntries(
    Object.entries(properties as Record<string, object>).map(([name, property]) => [
      name,
      { ...property, ...(settings[name] !== undefined && { default: settings[name] }) },
    ]),
  );
}

/** What a registration gives a rule to check; nothing if it is of another kind. */
function subjectsOf(args: PolicyArgs, kinds: readonly SubjectKind[], config: Record<string, unknown>): Subject[] {
  const { type, name, urn } = args;
  const { stack, project } = readUrn(urn) ?? { stack: "", project: "" };
  // The stack is the first resource that registers.
  if (kinds.includes("Configuration"))
    return type === "pulumi:pulumi:Stack" ? configurationOf(stack, project, config.project) : [];
  const kind = kindNameOf(type);
  if (kind === undefined || !kinds.includes(kind)) return [];
  const subject = { name, args: knownArgs(args.props), stack };
  return [kind === "BrandingEmail" ? { kind, ...subject, texts: textsOf(subject.args) } : { kind, ...subject }];
}

/** What another resource says, such as the brand colour, is not known here. */
function textsOf(args: Record<string, unknown>): EmailTexts {
  const type = String(args.type);
  const texts = Object.fromEntries(
    Object.keys(fieldLabels).flatMap((name) => (typeof args[name] === "string" ? [[name, args[name]]] : [])),
  );
  return textsWithoutFiles(type, texts, { required: requiredVariables(type) });
}

function configurationOf(stack: string, project: string, folder: unknown): Subject[] {
  // Packs run in their own folder; the shell's is that of the project.
  const folders = typeof folder === "string" ? [folder] : [process.env.PWD ?? ".", "."];
  const file = findProjectFile(folders, project);
  if (file !== undefined) return projectConfiguration(file, [stack]);
  throw new Error(
    `no Pulumi.yaml of the project ${JSON.stringify(project)} in ${folders.join(" or ")}, nor in a folder above. Configure the policy no-plaintext-key: set project to the project's folder, or disable it`,
  );
}

/** The arguments whose values are known: @pulumi/policy throws for others. */
function knownArgs(props: Record<string, unknown>): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const name of Object.keys(props)) {
    try {
      args[name] = props[name];
    } catch {
      // It is checked in the update, in which it is known.
    }
  }
  return args;
}

function describe({ field, place, message, fix }: Violation): string {
  const where = place === undefined ? field : `${place.file}, line ${place.line}, column ${place.column}`;
  return `${where}: ${message}. Fix: ${fix}.`;
}
