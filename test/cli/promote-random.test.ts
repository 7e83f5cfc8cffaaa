/**
 * Promotes what chance has made, as its users do, and holds what the target would deploy against what it ought to: each text is
 * made of words and names of values, so that what it reads like in each environment is known without asking the code under test.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { canonicalText, canonicalUrl } from "../../account/canonical";
import { escapeHtml } from "../../account/escape";
import { loadFolder } from "../../account/load";
import type { AccountModel } from "../../account/model";
import { run } from "../../cli/run";
import { start } from "../../emulator";
import { standardTexts } from "../../emulator/texts";
import { brandingEmailTypes } from "../../sdk";
import { cases, fc } from "../chance";
import { temporaryFolder } from "./esign";

// ---- values: what each environment gives ----

const values: Record<string, { staging?: string; production?: string }> = {
  portal: { staging: "https://portal.staging.example", production: "https://portal.example" },
  hooks: { staging: "https://hooks.staging.example/in", production: "https://hooks.example" },
  // One begins like another.
  cdn: { staging: "https://portal.staging.example/cdn", production: "https://cdn.example" },
  product: { staging: "Sandbox & Söhne", production: "R&D <Ltd>" },
  token: { staging: 'st-s3cr3t"x', production: "pr-s3cr3t'y" },
  same: { staging: "Acme & Co", production: "Acme & Co" },
  news: { staging: "https://news.staging.example" },
  olds: { production: "https://olds.example" },
  brand: { staging: "#00FF00", production: "#1A5FB4" },
};
/** What sub accounts give themselves. */
const customer = { staging: "Stag & Söhne", production: "Prod <Ltd>" };
type Environment = "staging" | "production";
const valuesOf = (environment: Environment) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, { [environment]: value }]) => (value === undefined ? [] : [[name, value]])),
  );

// ---- what an account is made of ----

/** Which version has it: that of the target, which is old, or that of the source. */
type When = "both" | Version;
type Version = "old" | "new";
/** A word of a text, the name of a value, or a partial. */
type Word = { when: When; glue: string } & (
  | { text: string }
  | { value: string; prefix?: string; suffix?: string }
  | { include: string }
);
interface Field {
  has: When | "neither";
  words: Word[];
}
interface Email {
  subject: Field;
  content: Field;
  contentPlain: Field;
}
interface Hook {
  when: When;
  type: string;
  base: { text: string } | { value: string };
  changed: boolean;
}
interface Account {
  colour: Field;
  emails: Record<string, Email>;
  hooks: Hook[];
}
interface Company {
  slug: string;
  name: string;
  when: When;
  account: Account;
  /** A partial of its own, in place of the one that all share. */
  foot: Word[] | undefined;
  hasCustomer: boolean;
}
type Feet = Partial<Record<string, Word[]>>;
interface World {
  account: Account;
  companies: Company[];
  feet: Record<"foot.html" | "foot.txt", Word[]>;
  source: "account" | "folder" | "open folder";
  target: "stack" | "open";
  managedOnly: boolean;
  secret: boolean;
  /** Whether the source's values are written nowhere. */
  unknown: boolean;
  /** Whether the target's files have other line ends. */
  crlf: boolean;
}

const isIn = ({ when }: { when: string }, version: Version) => when === "both" || when === version;

const literal = fc.constantFrom(
  "alpha",
  "beta",
  "gamma",
  "delta",
  "<b>",
  "</b>",
  "{contract url}",
  "é👍",
  "日本語",
  "&amp;",
  "\\",
  "#: x",
  "'\"",
  "${",
  "$$",
  "${x",
  "https://fixed.example/p",
);
const valueName = fc.constantFrom("portal", "cdn", "product", "token", "same", "news", "olds");
const glue = fc.constantFrom(" ", " ", " ", "\n", ", ", " (", "\r\n", "\u00a0", "\u2028");
const when = fc.constantFrom<When[]>("both", "both", "both", "both", "old", "new");
const word: fc.Arbitrary<Word> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ when, glue, text: literal }) },
  {
    weight: 1,
    // Beside letters a value can be told where it stood there before, and from letters of scripts that do not part words.
    arbitrary: fc.record({
      when: fc.constant("both" as const),
      glue,
      value: fc.constantFrom("portal", "product", "same"),
      prefix: fc.constantFrom("", "v", "ようこそ", "-", "_", "("),
      suffix: fc.constantFrom("", "s", "は", "/x", "?a=1", ".", "."),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      when,
      glue,
      value: fc.constantFrom("portal", "product", "same"),
      prefix: fc.constantFrom("", "ようこそ", "-", "("),
      suffix: fc.constantFrom("", "は", "/x", "?a=1", "."),
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ when, glue, value: valueName })
      .map((w): Word => (w.value === "news" ? { ...w, when: "new" } : w.value === "olds" ? { ...w, when: "old" } : w)),
  },
);
const words = fc.array(word, { maxLength: 8 });
const has = fc.constantFrom<Field["has"][]>("both", "both", "both", "old", "new", "neither");
const field = (include?: string): fc.Arbitrary<Field> =>
  fc
    .record({ has, words, end: fc.constantFrom<(When | "none")[]>("both", "both", "old", "none") })
    .map(({ has, words, end }) => ({
      has,
      words: [
        { when: "both", glue: "", text: "Text" },
        ...(has === "both" ? words : apart(words)),
        ...(include && end !== "none" ? [{ when: end, glue: "\n", include }] : []),
      ],
    }));
const email: fc.Arbitrary<Email> = fc.record({ subject: field(), content: field("foot"), contentPlain: field("foot") });
const colour: fc.Arbitrary<Field> = fc.record({
  has,
  words: fc.constantFrom<Word[]>(
    [{ when: "both", glue: "", value: "brand" }],
    [{ when: "both", glue: "", text: "#ABCDEF" }],
    [
      { when: "old", glue: "", text: "#ABCDEF" },
      { when: "new", glue: "", text: "#FEDCBA" },
    ],
    [
      { when: "old", glue: "", value: "brand" },
      { when: "new", glue: "", text: "#FEDCBA" },
    ],
    [
      { when: "old", glue: "", text: "#ABCDEF" },
      { when: "new", glue: "", value: "brand" },
    ],
  ),
});
const hook: fc.Arbitrary<Hook> = fc.record({
  when,
  type: fc.constantFrom("all", "signed-envelope", "add-user"),
  base: fc.constantFrom<Hook["base"]>({ value: "hooks" }, { value: "hooks" }, { text: "https://fixed.example" }),
  changed: fc.boolean(),
});
const types = ["email-send", "email-signed", "email-reminder"];
const account: fc.Arbitrary<Account> = fc.record({
  colour,
  emails: fc.dictionary(fc.constantFrom(...types), email, { maxKeys: 3, noNullPrototype: true }),
  hooks: fc.array(hook, { maxLength: 4 }),
});
const company: fc.Arbitrary<Company> = fc
  .record({
    index: fc.constantFrom(0, 1, 2, 3),
    when,
    account,
    foot: fc.option(words, { nil: undefined }),
    hasCustomer: fc.boolean(),
  })
  .map(({ foot, ...rest }) => ({
    ...rest,
    foot: foot && [{ when: "both" as const, glue: "", text: "Own foot" }, ...apart(foot)],
    account: rest.hasCustomer && rest.when === "both" ? teachingCustomer(withCustomer(rest.account)) : rest.account,
  }))
  .map(({ index, ...rest }) => ({
    ...(rest.when === "new" ? apart(rest) : rest),
    slug: ["acme", "rd", "日本", "x-1"][index]!,
    name: ["Acme (2)", "R&D <Ltd>", "日本 Ünï", "# '12' : ${x}"][index]!,
  }));

/** Of words that both versions have, those of one value are the customer's. */
function withCustomer<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withCustomer) as T;
  if (part === null || typeof part !== "object") return part;
  if ("value" in part)
    return (
      part.value === "product" && "when" in part && part.when === "both" ? { ...part, value: "customer" } : part
    ) as T;
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, withCustomer(each)])) as T;
}

/** No stack has them: they are learnt from texts that did not change. */
function teachingCustomer(account: Account): Account {
  const subject: Field = {
    has: "both",
    words: [
      { when: "both", glue: "", text: "Text" },
      { when: "both", glue: " ", value: "customer" },
    ],
  };
  const nothing: Field = { has: "neither", words: [] };
  return {
    ...account,
    emails: { ...account.emails, "email-cancelled": { subject, content: nothing, contentPlain: nothing } },
  };
}

const world: fc.Arbitrary<World> = fc
  .record({
    account,
    companies: fc.uniqueArray(company, { maxLength: 2, selector: ({ slug }) => slug }),
    feet: fc.record({ "foot.html": words, "foot.txt": words }).map((feet) => ({
      "foot.html": [{ when: "both" as const, glue: "", text: "Foot" }, ...apart(feet["foot.html"])],
      "foot.txt": [{ when: "both" as const, glue: "", text: "Foot" }, ...apart(feet["foot.txt"])],
    })),
    source: fc.constantFrom("account", "folder", "open folder"),
    target: fc.constantFrom("stack", "stack", "open"),
    managedOnly: fc.boolean(),
    secret: fc.boolean(),
    unknown: fc.boolean(),
    crlf: fc.boolean(),
  })
  .map((world): World => (world.source === "account" ? without(world, "olds") : { ...world, unknown: false }))
  .map((world) => ({
    ...world,
    companies: world.companies.map((each) =>
      each.hasCustomer && world.source === "account" ? { ...each, account: inLines(each.account) } : each,
    ),
  }))
  .map((world) => (world.unknown ? teaching(inLines(without(world, "news"))) : world));

/** A value that is not known may be any text of a line: a change is told from it that is in a line of its own. */
function inLines<T>(part: T): T {
  if (Array.isArray(part)) {
    const isOldValue = (each: unknown) => isRecord(each) && "value" in each && each.when === "old";
    return part.filter((each) => !isOldValue(each)).map(inLines) as T;
  }
  if (!isRecord(part)) return part;
  const entries = Object.entries(part).map(([key, each]) => {
    if (key === "glue" && each !== "") return [key, "\n"];
    if (key === "colour") return [key, each];
    // Nor is it written anew as a whole.
    return [key, key === "has" && each === "old" ? "both" : inLines(each)];
  });
  return Object.fromEntries(entries) as T;
}

const isRecord = (part: unknown): part is Record<string, unknown> => part !== null && typeof part === "object";

/** Values that are not known are learnt from texts that did not change. */
function teaching(world: World): World {
  const text: Word = { when: "both", glue: "", text: "Text" };
  const all = ["portal", "hooks", "cdn", "product", "token", "same"];
  const words = [text, ...all.map((value): Word => ({ when: "both", glue: "\n", value }))];
  const field = (words: Word[]): Field => ({ has: "both", words });
  const colour = field([{ when: "both", glue: "", value: "brand" }]);
  const email = { subject: field([text]), content: field(words), contentPlain: field(words) };
  return {
    ...world,
    account: { ...world.account, colour, emails: { ...world.account.emails, "email-cancelled": email } },
    companies: world.companies.map((each) => ({ ...each, account: { ...each.account, colour } })),
  };
}

/** In texts that are new nothing tells a value beside letters: there, values are found as whole words. */
function apart<T>(part: T): T {
  if (Array.isArray(part)) return part.map(apart) as T;
  if (part === null || typeof part !== "object") return part;
  if ("value" in part) {
    const { prefix, suffix, ...word } = part as Record<string, string>;
    return { ...word, ...(prefix !== "v" && { prefix }), ...(suffix !== "s" && { suffix }) } as T;
  }
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, apart(each)])) as T;
}

/** A value that only the target's stack gives stands for any text of an account: see editTemplate. */
function without<T>(part: T, name: string): T {
  if (Array.isArray(part)) return part.filter((each) => each?.value !== name).map((each) => without(each, name)) as T;
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, without(each, name)])) as T;
}

// ---- what its texts read like ----

const kinds = { subject: "text", content: "html", contentPlain: "text" } as const;
type Kind = "text" | "html";

/** A text as an environment sends it. */
function read(words: readonly Word[], version: Version, given: Record<string, string>, kind: Kind, feet: Feet): string {
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

const hookPath = ({ changed, when }: Hook, index: number, version: Version) =>
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
const isHere = ({ has }: Field, version: Version) => has === "both" || has === version;

function folderFiles(world: World, version: Version): Record<string, string> {
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
const emailOf = (slug: string) => `${[...slug].map((c) => c.codePointAt(0)!.toString(36)).join("")}@mail.example`;

// ---- what is expected ----

interface Expected {
  colour?: string;
  emails: Record<string, string>;
  hooks: string[];
}

/** What the target deploys afterwards. */
function expected(world: World, given: Record<string, string>, company?: Company): Expected {
  const { source, managedOnly } = world;
  const { account } = company ?? world;
  const isNew = company?.when === "new";
  const feet = feetOf(world, company);
  const complete = source === "account";
  const result: Expected = { emails: {}, hooks: [] };
  const text = (field: Field, version: Version, kind: Kind) => read(field.words, version, given, kind, feet);
  const colourOf = (): string | undefined => {
    const managed = !isNew && isHere(account.colour, "old");
    if (complete && managedOnly && !managed) return undefined;
    if (isHere(account.colour, "new")) return text(account.colour, "new", "text");
    return complete ? standardColour : undefined;
  };
  const colour = colourOf();
  if (colour !== undefined) result.colour = colour.toUpperCase();
  for (const type of complete ? brandingEmailTypes : Object.keys(account.emails)) {
    for (const [name, kind] of Object.entries(kinds) as [keyof Email, Kind][]) {
      const field = account.emails[type]?.[name];
      const managed = !isNew && field !== undefined && isHere(field, "old");
      if (complete && managedOnly && !managed) continue;
      if (field && isHere(field, "new")) result.emails[`${type} ${name}`] = canonicalText(text(field, "new", kind));
      else if (complete)
        result.emails[`${type} ${name}`] = canonicalText(
          (standardTexts as unknown as Record<string, Email>)[type]![name] as unknown as string,
        );
    }
  }
  for (const [i, hook] of account.hooks.entries()) {
    const managed = !isNew && isIn(hook, "old") && !hook.changed;
    if (!isIn(hook, "new")) continue;
    if (complete && managedOnly && !(managed && hook.when === "both")) continue;
    const base = "text" in hook.base ? hook.base.text : (given[hook.base.value] ?? `‹${hook.base.value}›`);
    result.hooks.push(`${hook.type} ${canonicalUrl(base + hookPath(hook, i, "new"))}`);
  }
  result.hooks.sort();
  return result;
}
const feetOf = (world: World, company?: Company): Feet => ({
  ...world.feet,
  ...(company?.foot && { "foot.html": company.foot }),
});
const standardColour = "#1F6FEB";

function deployed(model: AccountModel): Expected {
  const { colour } = model.branding;
  return {
    ...(colour !== undefined && { colour: colour.toUpperCase() }),
    emails: Object.fromEntries(
      Object.entries(model.emails).flatMap(([type, texts]) =>
        Object.entries(texts).map(([name, text]) => [`${type} ${name}`, canonicalText(text)]),
      ),
    ),
    hooks: model.webhooks.map(({ type, url }) => `${type} ${canonicalUrl(url)}`).sort(),
  };
}

// ---- the run ----

const { path: home, remove } = temporaryFolder();
afterAll(remove);
let printed = "";
const env = { ...process.env };
const directory = process.cwd();
const spies: { mockRestore(): void }[] = [];
const secretConfiguration: Partial<Record<Environment, string>> = {};
beforeAll(async () => {
  for (const name of Object.keys(process.env)) if (/^(ESIGN_|PULUMI_)/.test(name)) delete process.env[name];
  process.env.PULUMI_CONFIG_PASSPHRASE = "correct-horse";
  process.env.PULUMI_BACKEND_URL = `file://${home}`;
  for (const stream of [process.stdout, process.stderr])
    spies.push(
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        printed += String(chunk);
        return true;
      }),
    );
  const project = join(home, "secrets");
  save(project, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
  for (const stack of ["staging", "production"] as const) {
    const file = `Pulumi.${stack}.yaml`;
    save(project, { [file]: configuration(stack) });
    await esign("-C", project, "stack", "init", stack, "--engine", "embedded");
    expect(
      await esign(
        "-C",
        project,
        "config",
        "set",
        "--stack",
        stack,
        "--engine",
        "embedded",
        "--secret",
        "--path",
        "values.token",
        values.token![stack]!,
      ),
    ).toMatchObject({ code: 0 });
    secretConfiguration[stack] = readFileSync(join(project, file), "utf8");
    expect(secretConfiguration[stack]).toContain("secure:");
  }
});
afterAll(() => {
  for (const spy of spies) spy.mockRestore();
  process.env = env;
  process.chdir(directory);
});

const configuration = (stack: Environment) =>
  `config:\n  shop:values:\n${Object.entries(valuesOf(stack))
    .map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`)
    .join("")}`;

async function esign(...args: string[]): Promise<{ code: number; output: string }> {
  printed = "";
  const code = await run(args);
  return { code, output: printed };
}

function save(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const withLineEnds = (files: Record<string, string>, crlf: boolean) =>
  crlf
    ? Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace(/\r?\n/g, "\r\n")]))
    : files;

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    (readdirSync(folder, { recursive: true }) as string[])
      .filter((path) => statSync(join(folder, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
}

function seedOf(account: Account, feet: Feet) {
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

interface Named {
  kind: string;
  name?: string;
  company?: string;
}
const namesOf = (all: Named[]) =>
  [...new Set(all.map(({ kind, name, company }) => [kind, company, name].join("\n")))].sort();

/** The JSON among notes. */
const objectIn = (output: string) => output.slice(output.indexOf("{\n"), output.lastIndexOf("\n}") + 2);

let n = 0;
test("what the target deploys afterwards is what the source has, with the target's values", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (world) => {
      const project = join(home, `case-${++n}`);
      save(project, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
      for (const stack of world.unknown ? (["production"] as const) : (["staging", "production"] as const))
        save(project, { [`Pulumi.${stack}.yaml`]: world.secret ? secretConfiguration[stack]! : configuration(stack) });
      save(join(project, "staging"), folderFiles(world, "new"));
      save(join(project, "production"), {
        ...withLineEnds(folderFiles(world, "old"), world.crlf),
        "notes.txt": "ours",
      });
      const isPartner = world.companies.length > 0;
      const own = seedOf(world.account, world.feet);
      const service =
        world.source === "account"
          ? await start({
              seed: {
                [isPartner ? "partner" : "account"]: own,
                companies: world.companies
                  .filter((each) => isIn(each, "new"))
                  .map(({ name, slug, ...each }) => ({
                    ...seedOf(each.account, feetOf(world, { name, slug, ...each })),
                    name,
                    email: emailOf(slug),
                    user: { name: "Ann", email: emailOf(slug) },
                  })),
              } as never,
            })
          : undefined;
      try {
        if (service) {
          process.env.ESIGN_STAGING_BASE_URL = service.url;
          process.env.ESIGN_STAGING_API_KEY = isPartner ? service.keys.partner : service.keys.account;
        }
        const from = { account: "account:staging", folder: "./staging@staging", "open folder": "./staging" }[
          world.source
        ];
        const to = { stack: "./production@production", open: "./production" }[world.target];
        const options = ["-C", project, "promote", from, to, ...(world.managedOnly ? ["--managed-only"] : [])];
        const before = filesIn(project);
        const gone = new Map(
          loadFolder(join(project, "production"), { values: valuesOf("production") }).account.companies.map(
            ({ company, model }) => [company.slug!, model],
          ),
        );
        const differing = await esign("-C", project, "diff", to, from, "--json");
        const found = JSON.parse(objectIn(differing.output)) as { changes: Named[]; unmanaged: Named[] };
        const dry = await esign(...options, "--dry-run", "--json");
        expect(dry.code, dry.output).toBe(0);
        expect(filesIn(project)).toEqual(before);
        const plan = JSON.parse(objectIn(dry.output)) as {
          files: Record<string, string>;
          changes: Named[];
          notes: string[];
        };
        // What `diff` says, but for what is in a sub account that the source has not.
        const differences = [...found.changes, ...(world.managedOnly ? [] : found.unmanaged)];
        const isGone = ({ company }: Named) =>
          world.companies.some((each) => each.name === company && each.when === "old");
        if (!world.secret) expect(namesOf(plan.changes)).toEqual(namesOf(differences.filter((each) => !isGone(each))));
        const done = await esign(...options);
        expect(done.code, done.output).toBe(0);
        const after = filesIn(project);
        // Nothing but what it says is changed.
        const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
        expect(changed).toEqual(
          Object.keys(plan.files)
            .map((path) => `production/${path}`)
            .sort(),
        );
        expect(Object.keys(before).filter((path) => !(path in after))).toEqual([]);
        if (!world.secret)
          expect(
            Object.fromEntries(Object.entries(plan.files).map(([path, text]) => [`production/${path}`, text])),
          ).toEqual(Object.fromEntries(changed.map((path) => [path, after[path]])));
        const given: Record<string, string> = valuesOf("production");
        if (plan.notes.some((note) => note.includes("gives no value for ${news}"))) {
          // As the note says.
          given.news = "https://news.example";
          const path = join(project, "Pulumi.production.yaml");
          writeFileSync(
            path,
            readFileSync(path, "utf8").replace("shop:values:\n", `shop:values:\n    news: ${given.news}\n`),
          );
        }
        const loaded = loadFolder(join(project, "production"), {
          values: given,
          requireValues: world.target === "stack",
          allowUnknownValues: true,
        });
        expect(loaded.findings.filter(({ severity, rule }) => severity === "error" && rule !== "unused-value")).toEqual(
          [],
        );
        expect(deployed(loaded.account.model)).toEqual(expected(world, given));
        for (const company of world.companies) {
          const account = loaded.account.model.companies?.find(({ name }) => name === company.name)?.account;
          // What the source has not stays as it was, its part of what it shares with others as well.
          if (company.when === "old") expect(account && deployed(account)).toEqual(deployed(gone.get(company.slug)!));
          else if (company.when === "new" && world.managedOnly && world.source === "account")
            expect(account).toBeUndefined();
          else
            expect(account && deployed(account)).toEqual(
              expected(world, { ...given, customer: customer.production }, company),
            );
        }
        // Nothing of the source's environment is in what was written, nor a secret of either.
        for (const path of changed)
          for (const [name, { staging }] of Object.entries(values)) {
            if (staging === undefined || name === "same" || name === "brand") continue;
            expect(after[path], path).not.toContain(staging);
            expect(after[path], path).not.toContain(escapeHtml(staging));
          }
        for (const path of changed) expect(after[path]).not.toContain(values.token!.production!);
        // Where no stack is named, nothing says what is secret.
        if (world.secret && (world.target === "stack" || !world.unknown))
          for (const output of [dry.output, done.output])
            for (const secret of [values.token!.staging!, values.token!.production!])
              expect(output).not.toContain(secret);
        // Comments stay, but for those on what goes.
        for (const path of changed.filter((path) => path.endsWith(".yaml") && path in before)) {
          for (const comment of before[path]!.match(/# (ours|who|b\r?\n)/g) ?? [])
            expect(after[path]).toContain(comment);
          const kept = after[path]!.match(/colour:/) ? before[path]!.match(/# dark/) : null;
          if (kept) expect(after[path]).toContain("# dark");
          const { account } = world.companies.find(({ slug }) => path.includes(`/${slug}/`)) ?? world;
          for (const [i, hook] of account.hooks.entries())
            if (hook.when === "both" && !hook.changed && path.endsWith("account.yaml"))
              expect(after[path]).toContain(`# keep${i}`);
        }
        // Nothing is left to do.
        const settled = filesIn(project);
        const again = await esign(...options);
        expect(again.output).toContain("Nothing to write.");
        // A sub account that the source has not: its files stay, and that is said each time.
        const hasGone = world.companies.some(({ when }) => when === "old");
        if (!hasGone) expect(again.output).toContain("No differences.");
        expect(filesIn(project)).toEqual(settled);
        const diff = await esign("-C", project, "diff", to, from);
        expect(diff.code, diff.output).toBe(hasGone ? 1 : 0);
        // What is refused writes nothing.
        save(join(project, "production"), { "emails/email-rejected/subject.txt": "${include nothing}" });
        const faulty = filesIn(project);
        expect((await esign(...options)).code).not.toBe(0);
        expect(filesIn(project)).toEqual(faulty);
      } finally {
        await service?.close();
        rmSync(project, { recursive: true });
      }
    }),
    { numRuns: cases(12) },
  );
});
