/** The rules for `esign lint`: on what a folder declares, and on the configuration of its project's stacks. */
import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { parseDocument } from "yaml";
import { type Finding, sortFindings } from "../account-folder/finding";
import type { LoadedAccount, LoadedEmail, LoadedFolder } from "../account-folder/folder/load";
import { settingPath } from "../account-folder/kinds/config-kind";
import { kinds, settingsKinds } from "../account-folder/kinds/index";
import { settingsError } from "../account-folder/lint/lint";
import { SourceFile, type SourceLocation } from "../account-folder/template/source-map";
import { checkSubject, type Subject } from "./rule";
import { type ConfiguredRule, configureRules } from "./rule-configuration";
import type { ConfigurationSubject } from "./stack-configuration";

/** Where a folder configures its policies. */
const settingsPath = ["lint", "policies"];

/** The rules as `lint: policies:` in account.yaml configures them, none without it; and what is wrong there. */
export function policiesOfFolder({ account }: LoadedFolder): { rules: ConfiguredRule[]; findings: Finding[] } {
  const { settings } = account.folder;
  const elsewhere = account.companies.flatMap(({ folder }) =>
    folder.settings.settings?.lint?.policies === undefined
      ? []
      : [
          settingsError(
            folder.settings.keyPlace(settingsPath),
            "policies are for the whole folder",
            "move them into the account.yaml beside companies/",
          ),
        ],
  );
  const config = settings.settings?.lint?.policies;
  if (config === undefined) return { rules: [], findings: elsewhere };
  const { rules, issues } = configureRules(config);
  const findings = issues.map(({ path, message, fix }) => {
    const at = [...settingsPath, ...path];
    return settingsError(settings.keyPlace(at), `"${at.join(".")}": ${message}`, fix);
  });
  return { rules, findings: [...elsewhere, ...findings] };
}

/** A subject, and where its fields are. */
interface Located {
  subject: Subject;
  placeOf: (field: string) => SourceLocation;
}

/**
 * The findings of the rules. What a lint rule has found at the same place is not repeated.
 * @param stack - the one whose values the folder was loaded with
 * @param configurations - of the stacks to check
 */
export function lintPolicies(
  { account, root }: { account: LoadedAccount; root: string },
  rules: readonly ConfiguredRule[],
  { stack, configurations }: { stack?: string | undefined; configurations: readonly ConfigurationSubject[] },
  others: readonly Finding[] = [],
): Finding[] {
  const located = [...subjectsOf(account, stack), ...configurations.map((each) => locate(each, root))];
  const findings = rules
    .filter(({ level }) => level !== "disabled")
    .flatMap(({ rule, level, config }) =>
      located.flatMap(({ subject, placeOf }) =>
        checkSubject(rule, subject, config).map(({ field, message, fix, place = placeOf(field) }): Finding => {
          return { ...place, rule: rule.name, severity: level === "advisory" ? "warning" : "error", message, fix };
        }),
      ),
    );
  const keyOf = ({ file, line, column, message }: Finding) => `${file}\0${line}\0${column}\0${message}`;
  const found = new Set(others.map(keyOf));
  return sortFindings(findings.filter((finding) => !found.has(keyOf(finding))));
}

function* subjectsOf(account: LoadedAccount, stack: string | undefined): Iterable<Located> {
  const { folder, model, emails, companies } = account;
  for (const kind of settingsKinds)
    for (const item of kind.items(model)) {
      const name = item.name ?? kind.storage.section;
      yield {
        subject: { kind: kind.kind, name, args: kind.toInputs(item), stack },
        placeOf: (field) => folder.settings.place(settingPath(kind, item.name, field)),
      };
    }
  for (const email of emails)
    yield {
      subject: { kind: "BrandingEmail", name: email.type, args: argsOf(email), email, stack },
      placeOf: (field) => email[field as "content"]?.place(0) ?? email.place,
    };
  for (const company of companies) {
    const { slug, settings } = company.folder.company!;
    const [item] = kinds.Company.items({ ...model, companies: [company.company] });
    const args = { ...kinds.Company.toInputs(item!), ...settings.settings };
    yield { subject: { kind: "Company", name: slug, args, stack }, placeOf: (field) => settings.keyPlace([field]) };
    yield* subjectsOf(company, stack);
  }
}

/** The texts whose placeholders all have values. */
function argsOf(email: LoadedEmail): Record<string, unknown> {
  const args: Record<string, unknown> = { type: email.type };
  for (const field of ["subject", "content", "contentPlain"] as const) {
    const text = email[field];
    if (text !== undefined && !text.hasUnresolved(0, text.text.length)) args[field] = text.text;
  }
  return args;
}

/** The line of the setting; its value is never shown. */
function locate(subject: ConfigurationSubject, root: string): Located {
  const source = new SourceFile(relative(root, subject.file).split(sep).join("/"), readFileSync(subject.file, "utf8"));
  return {
    subject,
    placeOf(field) {
      const written = [field, field.replace(":", ":config:")].find((name) => source.text.includes(name)) ?? "";
      const start = source.text.indexOf(written);
      return written === "" ? placeOfPath(source, field) : source.place(start, start + written.length);
    },
  };
}

/** The place of a value in an object or a list: `shop:keys[0].token`. */
function placeOfPath(source: SourceFile, field: string): SourceLocation {
  const [setting = "", ...path] = field.split(/[.[\]]+/).filter((name) => name !== "");
  const document = parseDocument(source.text);
  const steps = path.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  const keys = [setting, setting.replace(":", ":config:")];
  const nodes = keys
    .flatMap((key) => [
      ["config", key, ...steps],
      ["config", key, "value", ...steps],
    ])
    .map((at) => document.getIn(at, true));
  const range = (nodes.find((node) => node !== undefined) as { range?: [number, number, number] } | undefined)?.range;
  return source.place(range?.[0] ?? 0);
}
