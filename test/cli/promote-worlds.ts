/** Accounts in two versions, that of a source and that of a target, in texts that are made of words and names of values. */
import { fc } from "../chance";

/** What each environment gives. */
export const values: Record<string, { staging?: string; production?: string }> = {
  portal: { staging: "https://portal.staging.example", production: "https://portal.example" },
  hooks: { staging: "https://Hooks.staging.example:443/in", production: "https://hooks.example" },
  // One begins like another.
  cdn: { staging: "https://portal.staging.example/cdn", production: "https://cdn.example" },
  product: { staging: "Sandbox & Söhne", production: "R&D <Ltd>" },
  token: { staging: 'st-s3cr3t"x', production: "pr-s3cr3t'y" },
  same: { staging: "Acme & Co", production: "Acme & Co" },
  news: { staging: "https://news.staging.example" },
  olds: { production: "https://olds.example" },
  brand: { staging: "#00ff00", production: "#1a5fb4" },
};
/** What sub accounts give themselves. */
export const customer = { staging: "Stag & Söhne", production: "Prod <Ltd>" };
export type Environment = "staging" | "production";
export const valuesOf = (environment: Environment) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, { [environment]: value }]) => (value === undefined ? [] : [[name, value]])),
  );

/** Which version has it: that of the target, which is old, or that of the source. */
type When = "both" | Version;
export type Version = "old" | "new";
/** A word of a text, the name of a value, or a partial. */
export type Word = { when: When; glue: string } & (
  | { text: string }
  | { value: string; prefix?: string; suffix?: string }
  | { include: "foot" | "deep" }
);
export interface Field {
  has: When | "neither";
  words: Word[];
}
export interface Email {
  subject: Field;
  content: Field;
  contentPlain: Field;
  /** Where the plain text is derived from the HTML. */
  derived: When | "none";
}
export interface Hook {
  when: When;
  type: string;
  base: { text: string } | { value: string };
  /** What of its address. */
  changed: "nothing" | "path" | "scheme";
}
export interface Account {
  colour: Field;
  logo: Field;
  emails: Record<string, Email>;
  hooks: Hook[];
}
export interface Company {
  slug: string;
  name: string;
  when: When;
  account: Account;
  /** A partial of its own, in place of the one that all share. */
  foot: Word[] | undefined;
  hasCustomer: boolean;
  /** Whether the source has it under another name. */
  renamed: boolean;
}
export type Feet = Partial<Record<string, Word[]>>;
export interface World {
  account: Account;
  companies: Company[];
  feet: Record<"foot.html" | "foot.txt" | "deep.html" | "deep.txt", Word[]>;
  source: "account" | "own account" | "folder" | "open folder" | "stack" | "state";
  target: "stack" | "open";
  managedOnly: boolean;
  /** Whether the source's values are carried over. */
  carry: boolean;
  secret: boolean;
  /** Whether the source's values are written nowhere. */
  unknown: boolean;
  /** Whether the target's files have other line ends. */
  crlf: boolean;
  /** How the source's service answers texts. */
  textStyle: "exact" | "crlf" | "trimmed";
  /** Which sub accounts it is about, by their places in the list. */
  chosen: "all" | "none" | number[];
  byId: boolean;
}

export const isIn = ({ when }: { when: string }, version: Version) => when === "both" || when === version;

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
const field = (include?: "foot"): fc.Arbitrary<Field> =>
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
const email: fc.Arbitrary<Email> = fc
  .record({
    subject: field(),
    content: field("foot"),
    contentPlain: field("foot"),
    derived: fc.constantFrom<Email["derived"][]>("none", "none", "none", "both", "old"),
  })
  .map((email) => (email.derived === "old" ? { ...email, contentPlain: apart(email.contentPlain) } : email));
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
const path = (old: string, next = old): Word[] => [
  { when: "old", glue: "", text: old },
  { when: "new", glue: "", text: next },
];
const logo: fc.Arbitrary<Field> = fc.record({
  has,
  words: fc.constantFrom<Word[]>(
    [{ when: "both", glue: "", value: "cdn" }, ...path("/logo.png")],
    [{ when: "both", glue: "", value: "cdn" }, ...path("/logo.png", "/new.png")],
    path("https://static.example/logo.png?v=1", "https://static.example/new.png?v=1"),
  ),
});
const hook: fc.Arbitrary<Hook> = fc.record({
  when,
  type: fc.constantFrom("all", "signed-envelope", "add-user"),
  base: fc.constantFrom<Hook["base"]>(
    { value: "hooks" },
    { value: "hooks" },
    { text: "//fixed.example" },
    { text: "//ann:pw@Fixed.Example" },
  ),
  changed: fc.constantFrom("nothing", "nothing", "path", "scheme"),
});
const types = ["email-send", "email-signed", "email-reminder"];
const account: fc.Arbitrary<Account> = fc.record({
  colour,
  logo,
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
    renamed: fc.constantFrom(false, false, true),
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

/** A part with its objects changed, from the outside in; one of a list that becomes nothing is left out. */
function changed<T>(part: T, change: (object: Record<string, unknown>) => Record<string, unknown> | undefined): T {
  if (Array.isArray(part)) return part.map((each) => changed(each, change)).filter((each) => each !== undefined) as T;
  if (part === null || typeof part !== "object") return part;
  const next = change(part as Record<string, unknown>);
  return (next && Object.fromEntries(Object.entries(next).map(([key, each]) => [key, changed(each, change)]))) as T;
}

/** Of words that both versions have, those of one value are the customer's. */
const withCustomer = <T>(part: T): T =>
  changed(part, (each) => (each.value === "product" && each.when === "both" ? { ...each, value: "customer" } : each));

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
    emails: {
      ...account.emails,
      "email-cancelled": { subject, content: nothing, contentPlain: nothing, derived: "none" },
    },
  };
}

/** A partial may include another. */
const withDeep = fc.constantFrom<Word[][]>(
  [],
  [{ when: "both", glue: "\n", include: "deep" }],
  [{ when: "new", glue: " ", include: "deep" }],
);

export const world: fc.Arbitrary<World> = fc
  .record({
    account,
    companies: fc.uniqueArray(company, { maxLength: 2, selector: ({ slug }) => slug }),
    feet: fc
      .tuple(fc.record({ "foot.html": words, "foot.txt": words, "deep.html": words, "deep.txt": words }), withDeep)
      .map(([feet, deep]) => {
        const begun = (text: string, words: Word[]): Word[] => [{ when: "both", glue: "", text }, ...apart(words)];
        return {
          "foot.html": [...begun("Foot", feet["foot.html"]), ...deep],
          "foot.txt": [...begun("Foot", feet["foot.txt"]), ...deep],
          "deep.html": begun("Deep", feet["deep.html"]),
          "deep.txt": begun("Deep", feet["deep.txt"]),
        };
      }),
    source: fc.constantFrom("account", "own account", "folder", "open folder", "stack", "state"),
    target: fc.constantFrom("stack", "stack", "open"),
    managedOnly: fc.boolean(),
    carry: fc.boolean(),
    secret: fc.boolean(),
    unknown: fc.boolean(),
    crlf: fc.boolean(),
    textStyle: fc.constantFrom("exact", "crlf", "trimmed"),
    chosen: fc.constantFrom<World["chosen"][]>("all", "all", "all", "none", [0], [1], [0, 1]),
    byId: fc.boolean(),
  })
  .map((world): World => {
    const { source, companies } = world;
    const unknown = source === "state" || (source === "account" && world.unknown);
    const target = source === "own account" ? "stack" : world.target;
    const carry = world.carry && target === "stack" && !["own account", "open folder"].includes(source) && !unknown;
    // An account is asked for those only that it has.
    const has = (i: number) => companies[i] && (!isAccount(world) || isIn(companies[i], "new"));
    const chosen = typeof world.chosen === "string" ? world.chosen : world.chosen.filter(has);
    return {
      ...(isFilledIn(world) ? without(world, "olds") : source === "own account" ? without(world, "news") : world),
      unknown,
      target,
      carry,
      chosen: chosen.length > 0 ? chosen : "all",
    };
  })
  .map((world) => ({
    ...world,
    companies: world.companies.map((each) =>
      each.hasCustomer && isFilledIn(world)
        ? { ...each, account: { ...inLines(each.account), colour: each.account.colour } }
        : each,
    ),
  }))
  .map((world) => (world.unknown ? teaching(inLines(without(world, "news"))) : world));

/** Whether the source is what a service has. */
export const isAccount = ({ source }: Pick<World, "source">) => source === "account" || source === "own account";

/** Whether the source's texts are known with their values only. */
const isFilledIn = ({ source }: Pick<World, "source">) => ["account", "stack", "state"].includes(source);

/** A value that is not known may be any text of a line: a change is told from it that is in a line of its own. */
const inLines = <T>(part: T): T =>
  changed(part, (each) => {
    // Where one goes, with a partial as well, another value may seem to stand in its place.
    if (("value" in each || "include" in each) && each.when === "old") return undefined;
    // Nor is it written anew as a whole.
    return {
      ...each,
      ...(each.glue ? { glue: "\n" } : {}),
      ...(each.has === "old" && { has: "both" }),
      ...("derived" in each && { derived: "none" }),
    };
  });

/** Values that are not known are learnt from texts that did not change. */
function teaching(world: World): World {
  const text: Word = { when: "both", glue: "", text: "Text" };
  const all = ["portal", "hooks", "cdn", "product", "token", "same"];
  const words = [text, ...all.map((value): Word => ({ when: "both", glue: "\n", value }))];
  const field = (words: Word[]): Field => ({ has: "both", words });
  const colour = field([{ when: "both", glue: "", value: "brand" }]);
  const email: Email = { subject: field([text]), content: field(words), contentPlain: field(words), derived: "none" };
  return {
    ...world,
    account: { ...world.account, colour, emails: { ...world.account.emails, "email-cancelled": email } },
    companies: world.companies.map((each) => ({ ...each, account: { ...each.account, colour } })),
  };
}

/** In texts that are new nothing tells a value beside letters: there, values are found as whole words. */
const apart = <T>(part: T): T =>
  changed(part, (each) => {
    if (!("value" in each)) return each;
    const { prefix, suffix, ...word } = each;
    return { ...word, ...(prefix !== "v" && { prefix }), ...(suffix !== "s" && { suffix }) };
  });

/** A value that only the target's stack gives stands for any text of an account: see editTemplate. */
const without = <T>(part: T, name: string): T => changed(part, (each) => (each.value === name ? undefined : each));
