/** What such accounts are as the files of a folder, on a service, and in a stack. */
import type { Owned } from "./owned-worlds";
import {
  type Account,
  type Company,
  type Environment,
  type Field,
  type Foot,
  footOf,
  hookUrl,
  isHere,
  isIn,
  kinds,
  read,
  type Version,
  valuesOf,
  type World,
} from "./promote-worlds";

/** A text as a template. */
const write = ({ words }: Pick<Field, "words">, version: Version): string =>
  words
    .filter((each) => isIn(each, version))
    .map((each) => {
      if ("text" in each) return each.glue + each.text.replaceAll("${", "$$${");
      if ("include" in each) return `${each.glue}\${include foot}`;
      return `${each.glue}${each.prefix ?? ""}\${${each.value}}${each.suffix ?? ""}`;
    })
    .join("");

function accountFiles(account: Account, version: Version, base: string): Record<string, string> {
  const lines = ["# ours"];
  if (isHere(account.colour, version))
    lines.push("branding: # b", `  colour:   "${write(account.colour, version)}" # dark`);
  if (account.hooks.some((hook) => isIn(hook, version))) lines.push("", "webhooks:", "  # all of them");
  for (const [i, hook] of account.hooks.entries()) {
    if (!isIn(hook, version)) continue;
    const url = hookUrl(hook, i, version, (name) => `\${${name}}`);
    // Names that look like numbers, and texts in blocks, too.
    if (i % 3 === 0) lines.push(`  hook${i}: { type: ${hook.type}, url: "${url}" } # keep${i}`);
    if (i % 3 === 1) lines.push(`  ${i}: # keep${i}`, `      type: ${hook.type}`, `      url: ${url}`);
    if (i % 3 === 2) lines.push(`  hook${i}: # keep${i}`, `    type: ${hook.type}`, "    url: >-", `      ${url}`);
  }
  const found = { [`${base}account.yaml`]: [...lines, "lint:", "  off: { image-alt: true }", ""].join("\n") };
  for (const [type, email] of Object.entries(account.emails))
    for (const name of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const path = `${base}emails/${type}/${kinds[name]}`;
      if (isHere(email[name], version)) found[path] = write(email[name], version);
      // Without a file it would be derived.
      else if (name === "contentPlain") found[path] = "";
    }
  return found;
}

export const emailOf = (slug: string) =>
  `${[...slug].map((c) => c.codePointAt(0)!.toString(36)).join("")}@mail.example`;
/** What the source's service calls it. */
export const idOf = ({ companies }: World, company: Company) => String(4711 + companies.indexOf(company));

export function folderFiles(world: World, version: Version): Record<string, string> {
  const found = {
    "partials/foot.html": `${write({ words: world.foot.html }, version)}\n`,
    "partials/foot.txt": `${write({ words: world.foot.txt }, version)}\n`,
    ...accountFiles(world.account, version, ""),
  };
  for (const { slug, name, account, foot } of world.companies.filter((each) => isIn(each, version))) {
    const base = `companies/${slug}/`;
    const who = ["# who", `name: ${JSON.stringify(name.replaceAll("${", "$$${"))}`, 'userName: "Ann"'];
    const emails = [`userEmail: ${emailOf(slug)}`, `email: ${emailOf(slug)}`, ""];
    Object.assign(found, accountFiles(account, version, base), {
      [`${base}company.yaml`]: [...who, ...emails].join("\n"),
      ...(foot && { [`${base}partials/foot.html`]: `${write({ words: foot }, version)}\n` }),
    });
  }
  return found;
}

/**
 * What the source's service has.
 * @param address - how it answers an address
 * @param style - and a text
 */
export function seedOf(
  { colour, emails, hooks }: Account,
  foot: Foot,
  environment: Environment = "staging",
  address = (url: string) => url,
  style = (text: string) => text,
) {
  const present = valuesOf(environment);
  return {
    branding: isHere(colour, "new") ? { colour: read(colour, "new", present, foot) } : {},
    emails: Object.fromEntries(
      Object.entries(emails).map(([type, email]) => [
        type,
        Object.fromEntries(
          Object.entries(email).flatMap(([name, field]) =>
            isHere(field, "new") ? [[name, style(read(field, "new", present, foot, name === "content"))]] : [],
          ),
        ),
      ]),
    ),
    webhooks: hooks.flatMap((hook, i) =>
      isIn(hook, "new") ? [{ type: hook.type, url: address(hookUrl(hook, i, "new", (name) => present[name]!)) }] : [],
    ),
  };
}

/** What the source's stack has deployed. */
export function ownedOf(world: World): Owned[] {
  const all = (account: Account, company?: Company): Owned[] => {
    const within = company && { account: idOf(world, company) };
    const { branding, emails, webhooks } = seedOf(account, footOf(world, company));
    return [
      ...(company
        ? [
            {
              kind: "Company" as const,
              id: idOf(world, company),
              fields: { name: company.name, email: emailOf(company.slug) },
            },
          ]
        : []),
      ...("colour" in branding ? [{ kind: "Branding" as const, ...within, id: "branding", fields: branding }] : []),
      ...Object.entries(emails).flatMap(([id, fields]) =>
        Object.keys(fields).length > 0 ? [{ kind: "BrandingEmail" as const, ...within, id, fields }] : [],
      ),
      ...webhooks.map((fields, i) => ({ kind: "Webhook" as const, ...within, id: `${1000 + i}`, fields })),
    ];
  };
  const companies = world.companies.filter((each) => isIn(each, "new"));
  return [...all(world.account), ...companies.flatMap((each) => all(each.account, each))];
}
