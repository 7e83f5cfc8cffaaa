/** What such accounts read like: in an environment, as the files of a folder, on the service. */
import { escapeHtml } from "../../account/escape";
import {
  type Account,
  customer,
  type Email,
  type Feet,
  type Field,
  type Hook,
  isIn,
  type Version,
  valuesOf,
  type Word,
  type World,
} from "./promote-worlds";

export const kinds = { subject: "text", content: "html", contentPlain: "text" } as const;
export type Kind = "text" | "html";

/** A text as an environment sends it. */
export function read(
  words: readonly Word[],
  version: Version,
  given: Record<string, string>,
  kind: Kind,
  feet: Feet,
): string {
  return words
    .filter((each) => isIn(each, version))
    .map((each) => {
      if ("text" in each) return each.glue + each.text;
      if ("include" in each)
        return each.glue + read(feet[kind === "html" ? "foot.html" : "foot.txt"]!, version, given, kind, feet);
      const value = given[each.value] ?? `‹${each.value}›`;
      const { prefix = "", suffix = "" } = each;
      return each.glue + prefix + (kind === "html" ? escapeHtml(value) : value) + suffix;
    })
    .join("");
}

/** The same as a template. */
const write = (words: readonly Word[], version: Version): string => {
  let text = "";
  for (const each of words.filter((each) => isIn(each, version))) {
    text += each.glue;
    if ("text" in each) text += each.text.replaceAll("${", "$$${");
    else if ("include" in each) text += `\${include ${each.include}}`;
    else text += `${each.prefix ?? ""}\${${each.value}}${each.suffix ?? ""}`;
  }
  return text;
};

export const hookPath = ({ changed, when }: Hook, index: number, version: Version) =>
  `/w${index}${changed && when === "both" && version === "new" ? "/v2" : ""}`;

/** The files of one version of an account. */
function files(account: Account, version: Version, base: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines: string[] = ["# ours"];
  if (isHere(account.colour, version))
    lines.push("branding: # b", `  colour:   "${write(account.colour.words, version)}" # dark`);
  const hooks = account.hooks.map((hook, i) => ({ hook, i })).filter(({ hook }) => isIn(hook, version));
  if (hooks.length > 0) lines.push("", "webhooks:", "  # all of them");
  for (const { hook, i } of hooks) {
    const url = ("text" in hook.base ? hook.base.text : `\${${hook.base.value}}`) + hookPath(hook, i, version);
    // Names that look like numbers, texts in blocks, texts that stand for others.
    if (i % 4 === 1) lines.push(`  ${i}: # keep${i}`, `      type: ${hook.type}`, `      url: ${url}`);
    else if (i % 4 === 2)
      lines.push(`  hook${i}: # keep${i}`, `    type: &t ${hook.type}`, `    url: >-`, `      ${url}`);
    else if (i % 4 === 3 && isSame(account.hooks, version))
      lines.push(`  hook${i}: # keep${i}`, `    type: *t`, `    url: '${url}'`);
    else lines.push(`  hook${i}: { type: ${hook.type}, url: "${url}" } # keep${i}`);
  }
  lines.push("lint:", "  off: { image-alt: true }", "");
  found[`${base}account.yaml`] = lines.join("\n");
  for (const [type, email] of Object.entries(account.emails)) {
    for (const [name, file] of [
      ["subject", "subject.txt"],
      ["content", "body.html"],
      ["contentPlain", "body.txt"],
    ] as const) {
      if (isHere(email[name], version)) found[`${base}emails/${type}/${file}`] = write(email[name].words, version);
      else if (name === "contentPlain") found[`${base}emails/${type}/${file}`] = "";
    }
  }
  return found;
}
const isSame = ({ 2: second, 3: third }: Hook[], version: Version) =>
  second !== undefined && isIn(second, version) && second.type === third?.type;
export const isHere = ({ has }: Field, version: Version) => has === "both" || has === version;

export function folderFiles(world: World, version: Version): Record<string, string> {
  const found = files(world.account, version, "");
  for (const { slug, name, account, hasCustomer, when } of world.companies.filter((each) => isIn(each, version))) {
    const own = hasCustomer && when === "both" && JSON.stringify(account).includes(`"customer"`);
    const value = customer[version === "new" ? "staging" : "production"];
    found[`companies/${slug}/company.yaml`] =
      `# who\nname: ${JSON.stringify(name.replaceAll("${", "$$${"))}\nuserName: "Ann"\nuserEmail: ${emailOf(slug)}\nemail: ${emailOf(slug)}\n${own ? `values:\n  customer: ${JSON.stringify(value)}\n` : ""}`;
    Object.assign(found, files(account, version, `companies/${slug}/`));
  }
  const includes = (path: string, end: string) => path.endsWith(end) && found[path]!.includes("${include foot}");
  for (const { slug, foot } of world.companies) {
    const isIncluded = Object.keys(found).some(
      (path) => path.startsWith(`companies/${slug}/`) && includes(path, ".html"),
    );
    if (foot && isIncluded) found[`companies/${slug}/partials/foot.html`] = `${write(foot, version)}\n`;
  }
  const own = world.companies.filter(({ foot }) => foot).map(({ slug }) => `companies/${slug}/`);
  for (const [name, words] of Object.entries(world.feet)) {
    const end = name === "foot.html" ? ".html" : ".txt";
    if (
      Object.keys(found).some(
        (path) => includes(path, end) && !(end === ".html" && own.some((each) => path.startsWith(each))),
      )
    )
      found[`partials/${name}`] = `${write(words, version)}\n`;
  }
  return found;
}
export const emailOf = (slug: string) =>
  `${[...slug].map((c) => c.codePointAt(0)!.toString(36)).join("")}@mail.example`;

export function seedOf(account: Account, feet: Feet) {
  const given: Record<string, string> = { ...valuesOf("staging"), customer: customer.staging };
  const text = (field: Field, kind: Kind) => read(field.words, "new", given, kind, feet);
  return {
    ...(isHere(account.colour, "new") && { branding: { colour: text(account.colour, "text") } }),
    emails: Object.fromEntries(
      Object.entries(account.emails).map(([type, email]) => [
        type,
        Object.fromEntries(
          (Object.entries(kinds) as [keyof Email, Kind][]).flatMap(([name, kind]) =>
            isHere(email[name], "new") ? [[name, text(email[name], kind)]] : [],
          ),
        ),
      ]),
    ),
    webhooks: account.hooks.flatMap((hook, i) =>
      isIn(hook, "new")
        ? [
            {
              type: hook.type,
              url: ("text" in hook.base ? hook.base.text : given[hook.base.value]!) + hookPath(hook, i, "new"),
            },
          ]
        : [],
    ),
  };
}
