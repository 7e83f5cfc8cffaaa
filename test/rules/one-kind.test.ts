/** A rule is one thing: lint and a pack check it, and one configuration says how. */
import { describe, expect, it } from "vitest";
import { loadFolder } from "../../account-folder/folder/load-folder";
import { esignPolicies, type PolicyConfig } from "../../rules";
import { lintFolder } from "../../rules/lint/lint-folder";
import { toSarif } from "../../rules/lint/reporters";
import { lintRules, policies, rules } from "../../rules/registry";
import { configureRules, levelOf } from "../../rules/rule-configuration";
import { temporaryFolder } from "../files";

const html = '<p>{contract url}</p><img src="http://a.example/x.png">';
const found = (account: string, config: PolicyConfig) => {
  const folder = temporaryFolder({ "account.yaml": account, "emails/email-send/body.html": html });
  const configured = configureRules(config);
  expect(configured.issues).toEqual([]);
  const findings = lintFolder(loadFolder(folder), { policies: configured.rules });
  return findings.map(({ rule, severity }) => `${severity} ${rule}`).sort();
};

/** The reports of a pack on the same text, each with the policy's level. */
const reported = (config: PolicyConfig) =>
  esignPolicies(config).flatMap(({ name, enforcementLevel, validateResource }) => {
    const reports: string[] = [];
    const props = { type: "email-send", content: html };
    const type = "pulumi-nodejs:dynamic/esign:BrandingEmail";
    const getConfig = <T extends object>() => ({}) as T;
    const urn = `urn:pulumi:dev::shop::${type}::e`;
    validateResource({ type, name: "e", urn, props, getConfig }, () => reports.push(`${enforcementLevel} ${name}`));
    return reports;
  });

describe("a rule of lint that policies name", () => {
  it("is checked by a pack, which checks no other", () => {
    expect(reported({})).toEqual(["mandatory https-only"]);
    expect(reported({ "image-alt": "advisory", "insecure-link": { enforcementLevel: "mandatory" } })).toEqual([
      "advisory image-alt",
      "mandatory insecure-link",
      "mandatory https-only",
    ]);
    expect(reported({ all: "disabled", "image-alt": "mandatory" })).toEqual([
      "mandatory image-alt",
      "disabled https-only",
    ]);
  });

  it("has its level in lint, and that of `all` without one of its own", () => {
    const off = { all: "disabled" } as const;
    expect(found("", {})).toEqual(["error insecure-link", "warning image-alt"]);
    expect(found("", { ...off, "image-alt": "mandatory", "insecure-link": "advisory" })).toEqual([
      "error image-alt",
      "warning insecure-link",
    ]);
    expect(found("", { ...off, "image-alt": {} })).toEqual(["error insecure-link"]);
    expect(found("", { ...off, "image-alt": { enforcementLevel: "advisory", except: ["email-*"] } })).toEqual([
      "error insecure-link",
    ]);
  });

  it("is not disabled by `lint: off:`, nor is a policy", () => {
    const account = "lint:\n  off: { image-alt: true, insecure-link: [emails] }\n";
    expect(found(account, { all: "disabled", "image-alt": {} })).toEqual([]);
    expect(found(account, { all: "disabled", "image-alt": "advisory" })).toEqual(["warning image-alt"]);
    // What insecure-link does not say, https-only does.
    expect(found(account, { "image-alt": "advisory" })).toEqual(["error https-only", "warning image-alt"]);
    const policy = "lint:\n  off: { https-only: true }\n";
    expect(found(policy, { all: "disabled" })).toEqual(["error insecure-link", "error settings", "warning image-alt"]);
  });
});

describe("the registry", () => {
  it("has each rule once, with defaults for its whole configuration", () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    expect([...lintRules, ...policies].map(({ name }) => name)).toEqual(rules.map(({ name }) => name));
    const named = Object.fromEntries(rules.map(({ name }) => [name, {}]));
    const { rules: configured } = configureRules(named);
    expect(configured.map(({ rule, severity }) => [rule.name, severity])).toEqual(
      rules.map(({ name, severity }) => [name, severity]),
    );
    expect(configureRules({}).rules.map(({ rule }) => rule)).toEqual(policies);
  });

  it("has one scale of severity, of which Pulumi's levels are the names", () => {
    const levels = ["advisory", "mandatory", "remediate", "disabled"] as const;
    const severities = levels.map((all) => configureRules({ all }).rules[0]!.severity);
    expect(severities).toEqual(["warning", "error", "error", "off"]);
    expect(severities.map(levelOf)).toEqual(["advisory", "mandatory", "mandatory", "disabled"]);
  });

  it("is what a report in SARIF declares: rules of lint, of reading, and policies by their severity", () => {
    const { rules: configured } = configureRules({ "https-only": "advisory", "no-all-webhook": "disabled" });
    const sarif = toSarif({ root: ".", findings: [], sources: new Map(), policies: configured }, "1.0.0");
    const levelsOf = new Map(
      sarif.runs[0]!.tool.driver.rules.map((rule) => [rule.id, rule.defaultConfiguration.level]),
    );
    expect([...levelsOf.keys()]).toEqual(expect.arrayContaining(["dead-link", "settings", "https-only"]));
    expect(levelsOf.get("https-only")).toBe("warning");
    expect(levelsOf.has("no-all-webhook")).toBe(false);
  });
});
