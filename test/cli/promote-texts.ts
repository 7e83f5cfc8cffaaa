/** What such accounts read like: in an environment, as the files of a folder, on the service. */

import { htmlToText } from "../../account-folder/text/html-to-text";
import { escapeHtml } from "../../sdk/text/html-escape";
import {
  type Account,
  type Company,
  customer,
  type Email,
  type Environment,
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
        return (
          each.glue + read(feet[`${each.include}.${kind === "html" ? "html" : "txt"}`]!, version, given, kind, feet)
        );
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

/** The address of a webhook, its value written as it is given. */
export function hookUrl(
  { base, changed, when }: Hook,
  index: number,
  version: Version,
  given: (name: string) => string,
) {
  const isChanged = (what: Hook["changed"]) => changed === what && when === "both" && version === "new";
  const begin =
    "text" in base ? `http${changed === "scheme" && !isChanged("scheme") ? "" : "s"}:${base.text}` : given(base.value);
  return `${begin}/w${index}${isChanged("path") ? "/v2" : ""}?a=${index}&b=1`;
}

/** The files of one version of an account. */
function files(account: Account, version: Version, base: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines: string[] = ["# ours"];
  if (isHere(account.colour, version) || isHere(account.logo, version)) lines.push("branding: # b");
  if (isHere(account.colour, version)) lines.push(`  colour:   "${write(account.colour.words, version)}" # dark`);
  if (isHere(account.logo, version)) lines.push(`  logoUrl: ${write(account.logo.words, version)} # l`);
  const hooks = account.hooks.map((hook, i) => ({ hook, i })).filter(({ hook }) => isIn(hook, version));
  if (hooks.length > 0) lines.push("", "webhooks:", "  # all of them");
  for (const { hook, i } of hooks) {
    const url = hookUrl(hook, i, version, (name) => `\${${name}}`);
    // Texts in blocks, texts that stand for others.
    if (i % 4 === 1) lines.push(`  ${hookName(i)}: # keep${i}`, `      type: ${hook.type}`, `      url: ${url}`);
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
      if (name === "contentPlain" && isDerived(email, version)) continue;
      if (isHere(email[name], version)) found[`${base}emails/${type}/${file}`] = write(email[name].words, version);
      else if (name === "contentPlain") found[`${base}emails/${type}/${file}`] = "";
    }
  }
  return found;
}
const isSame = ({ 2: second, 3: third }: Hook[], version: Version) =>
  second !== undefined && isIn(second, version) && second.type === third?.type;
export const isHere = ({ has }: Field, version: Version) => has === "both" || has === version;
/** Whether there is no file for the plain text. */
const isDerived = ({ derived }: Email, version: Version) => derived === "both" || derived === version;
/** Whether an e-mail has a text, its own or a derived one. */
export const hasText = (email: Email, name: keyof typeof kinds, version: Version) =>
  isHere(email[name === "contentPlain" && isDerived(email, version) ? "content" : name], version);

/** A text of an e-mail as an environment sends it. */
export function textOf(
  email: Email,
  name: keyof typeof kinds,
  version: Version,
  given: Record<string, string>,
  feet: Feet,
): string {
  if (name === "contentPlain" && isDerived(email, version))
    return htmlToText(textOf(email, "content", version, given, feet));
  return read(email[name].words, version, given, kinds[name], feet);
}

export function folderFiles(world: World, version: Version): Record<string, string> {
  const found = files(world.account, version, "");
  for (const company of world.companies.filter((each) => isIn(each, version))) {
    const { slug, account, hasCustomer, when } = company;
    const name = nameIn(company, version);
    const own = hasCustomer && when === "both" && JSON.stringify(account).includes(`"customer"`);
    const value = customer[version === "new" ? "staging" : "production"];
    found[`companies/${slug}/company.yaml`] =
      `# who\nname: ${JSON.stringify(name.replaceAll("${", "$$${"))}\nuserName: "Ann"\nuserEmail: ${emailOf(slug)}\nemail: ${emailOf(slug)}\n${own ? `values:\n  customer: ${JSON.stringify(value)}\n` : ""}`;
    Object.assign(found, files(account, version, `companies/${slug}/`));
  }
  const includes = (path: string, end: string, name = "foot") =>
    path.endsWith(end) && found[path]!.includes(`\${include ${name}}`);
  for (const { slug, foot } of world.companies) {
    const isIncluded = Object.keys(found).some(
      (path) => path.startsWith(`companies/${slug}/`) && includes(path, ".html"),
    );
    if (foot && isIncluded) found[`companies/${slug}/partials/foot.html`] = `${write(foot, version)}\n`;
  }
  const own = world.companies.filter(({ foot }) => foot).map(({ slug }) => `companies/${slug}/`);
  for (const [file, words] of Object.entries(world.feet)) {
    const [name, end] = file.split(/(?=\.)/) as [string, string];
    if (
      Object.keys(found).some(
        (path) => includes(path, end, name) && !(file === "foot.html" && own.some((each) => path.startsWith(each))),
      )
    )
      found[`partials/${file}`] = `${write(words, version)}\n`;
  }
  return found;
}
export const emailOf = (slug: string) =>
  `${[...slug].map((c) => c.codePointAt(0)!.toString(36)).join("")}@mail.example`;

/** What the source's stack has deployed, as it is exported; what values are in is secret when one of them is. */
export function deploymentOf(world: World) {
  const urn = (type: string, name: string) => `urn:pulumi:staging::shop::${type}::${name}`;
  const root = { urn: urn("pulumi:pulumi:Stack", "shop-staging"), type: "pulumi:pulumi:Stack" };
  const resources: object[] = [root];
  const component = (type: string, name: string, parent: string) => {
    resources.push({ urn: urn(type, name), type, custom: false, parent });
    return urn(type, name);
  };
  const add = (parent: string, kind: string, name: string, id: string, inputs: object, outputs: object = {}) => {
    const type = `pulumi-nodejs:dynamic/esign:${kind}`;
    resources.push({
      urn: urn(type, name),
      type,
      custom: true,
      parent,
      id,
      inputs,
      outputs: { ...inputs, ...outputs },
    });
  };
  const secret = (text: string) =>
    world.secret
      ? { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: JSON.stringify(text) }
      : text;
  const all = (account: Account, feet: Feet, name: string, parent: string, id?: string) => {
    const { branding, emails, webhooks } = seedOf(account, feet);
    const { logo, colour } = branding;
    const within = id === undefined ? {} : { account: id };
    const below = (own: string) => (id === undefined ? own : `${id}/${own}`);
    if (logo !== undefined || colour !== undefined)
      add(
        parent,
        "Branding",
        `${name}-branding`,
        below("branding"),
        { ...(colour !== undefined && { colour }), ...(logo !== undefined && { logoUrl: logo }), ...within },
        logo === undefined ? {} : { logo: "https://service.example/logos/1.png?1" },
      );
    for (const [type, texts] of Object.entries(emails)) {
      const fields = Object.entries(texts).map(([field, text]) => [field, secret(text as string)]);
      if (fields.length > 0)
        add(parent, "BrandingEmail", `${name}-${type}`, below(type), {
          type,
          ...Object.fromEntries(fields),
          ...within,
        });
    }
    const names = account.hooks.flatMap((hook, i) => (isIn(hook, "new") ? [hookName(i)] : []));
    for (const [i, { type, url }] of webhooks.entries())
      add(parent, "Webhook", `${name}-${names[i]}`, below(`${1000 + resources.length}`), {
        type,
        url: secret(url),
        ...within,
      });
  };
  const top = component("esign:index:AccountConfig", "account", root.urn);
  all(world.account, world.feet, "account", top);
  for (const each of world.companies.filter((each) => isIn(each, "new"))) {
    const name = `account-${each.slug}`;
    const parent = component("esign:index:SubAccount", name, top);
    const [id, email] = [idOf(world, each), emailOf(each.slug)];
    add(parent, "Company", name, id, { name: nameIn(each, "new"), userName: "Ann", userEmail: email, email });
    all(each.account, { ...world.feet, ...(each.foot && { "foot.html": each.foot }) }, name, parent, id);
  }
  return {
    version: 3,
    deployment: { manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" }, resources },
  };
}

/** What a sub account is called in a version. */
export const nameIn = ({ name, renamed, when }: Company, version: Version) =>
  renamed && when === "both" && version === "new" ? `${name} & new` : name;
/** What the source's service calls it. */
export const idOf = ({ companies }: World, company: Company) => String(4711 + companies.indexOf(company));
/** Names that look like numbers, too. */
const hookName = (i: number) => (i % 4 === 1 ? `${i}` : `hook${i}`);

/**
 * @param address - how the service answers an address
 * @param style - and a text
 */
export function seedOf(
  account: Account,
  feet: Feet,
  environment: Environment = "staging",
  address = (url: string) => url,
  style = (text: string) => text,
) {
  const given: Record<string, string> = { ...valuesOf(environment), customer: customer[environment] };
  const text = (field: Field) => read(field.words, "new", given, "text", feet);
  const { colour, logo } = account;
  return {
    branding: {
      ...(isHere(colour, "new") && { colour: text(colour) }),
      ...(isHere(logo, "new") && { logo: text(logo) }),
    },
    emails: Object.fromEntries(
      Object.entries(account.emails).map(([type, email]) => [
        type,
        Object.fromEntries(
          (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((name) =>
            hasText(email, name, "new") ? [[name, style(textOf(email, name, "new", given, feet))]] : [],
          ),
        ),
      ]),
    ),
    webhooks: account.hooks.flatMap((hook, i) =>
      isIn(hook, "new")
        ? [
            {
              type: hook.type,
              url: address(hookUrl(hook, i, "new", (name) => given[name]!)),
            },
          ]
        : [],
    ),
  };
}
