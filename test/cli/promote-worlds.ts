/** Accounts in two versions, that of a source and that of a target, in texts that are made of words and names of values. */
import { escapeHtml } from "../../sdk/text/html-escape";
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
export type Environment = "staging" | "production";
export const valuesOf = (environment: Environment) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, { [environment]: value }]) => (value === undefined ? [] : [[name, value]])),
  );

/** Which version has it: that of the target, which is old, or that of the source. */
type When = "both" | Version;
export type Version = "old" | "new";
/** A word of a text, the name of a value, or the partial. */
type Word = { when: When; glue: string } & (
  | { text: string }
  | { value: string; prefix?: string; suffix?: string }
  | { include: true }
);
export interface Field {
  has: When | "neither";
  words: Word[];
}
export const kinds = { subject: "subject.txt", content: "body.html", contentPlain: "body.txt" } as const;
export type Email = Record<keyof typeof kinds, Field>;
export interface Hook {
  when: When;
  type: string;
  base: { text: string } | { value: string };
  isMoved: boolean;
}
export interface Account {
  colour: Field;
  emails: Record<string, Email>;
  hooks: Hook[];
}
/** The partial, which HTML bodies and plain texts include. */
export type Foot = Record<"html" | "txt", Word[]>;
export interface Company {
  slug: string;
  name: string;
  when: When;
  account: Account;
  /** A partial of its own, in place of the one that all share. */
  foot: Word[] | undefined;
}
export interface World {
  account: Account;
  companies: Company[];
  foot: Foot;
  source: "account" | "own account" | "folder" | "stack";
  target: "stack" | "open";
  managedOnly: boolean;
  /** Whether the source's values are carried over. */
  carry: boolean;
  /** Whether the target's files have other line ends. */
  crlf: boolean;
  /** How the source's service answers texts. */
  textStyle: "exact" | "crlf" | "trimmed";
  /** Which subaccounts it is about, by their places in the list. */
  chosen: "all" | "none" | number[];
  byId: boolean;
}

export const isIn = ({ when }: { when: string }, version: Version) => when === "both" || when === version;
export const isHere = ({ has }: Field, version: Version) => has === "both" || has === version;
/** Whether the source is what a service has. */
export const isAccount = ({ source }: Pick<World, "source">) => source === "account" || source === "own account";
export const footOf = (world: World, company?: Company): Foot => ({
  ...world.foot,
  ...(company?.foot && { html: company.foot }),
});

/** A text as an environment sends it. */
export function read(
  { words }: Pick<Field, "words">,
  version: Version,
  present: Record<string, string>,
  foot: Foot,
  isHtml = false,
): string {
  return words
    .filter((each) => isIn(each, version))
    .map((each) => {
      if ("text" in each) return each.glue + each.text;
      if ("include" in each)
        return each.glue + read({ words: foot[isHtml ? "html" : "txt"] }, version, present, foot, isHtml);
      const value = present[each.value] ?? `‹${each.value}›`;
      return each.glue + (each.prefix ?? "") + (isHtml ? escapeHtml(value) : value) + (each.suffix ?? "");
    })
    .join("");
}

/** The address of a webhook, its value written unchanged. */
export function hookUrl({ base, isMoved, when }: Hook, i: number, version: Version, textOf: (name: string) => string) {
  const begin = "text" in base ? base.text : textOf(base.value);
  return `${begin}/w${i}${isMoved && when === "both" && version === "new" ? "/v2" : ""}?a=${i}&b=1`;
}

const literal = fc.constantFrom(
  ...["alpha", "beta", "gamma", "<b>", "</b>", "{contract url}", "é👍", "日本語", "&amp;", "\\", "#: x", "'\""],
  ...["${", "$$", "${x", "https://fixed.example/p"],
);
const glue = fc.constantFrom(" ", " ", " ", "\n", ", ", " (", "\r\n", "\u00a0", "\u2028");
const when = fc.constantFrom<When[]>("both", "both", "both", "both", "old", "new");
const word: fc.Arbitrary<Word> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ when, glue, text: literal }) },
  {
    weight: 2,
    // Beside what does not part words in every script.
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
      .record({ when, glue, value: fc.constantFrom("cdn", "product", "token", "same", "news", "olds") })
      .map((w): Word => (w.value === "news" ? { ...w, when: "new" } : w.value === "olds" ? { ...w, when: "old" } : w)),
  },
);
const words = fc.array(word, { maxLength: 8 });
const begunWith = (text: string) => words.map((all): Word[] => [{ when: "both", glue: "", text }, ...all]);
const has = fc.constantFrom<Field["has"][]>("both", "both", "both", "old", "new", "neither");
const textField = fc.record({ has, words: begunWith("Text") });
const body = fc
  .tuple(textField, fc.constantFrom<(When | "none")[]>("both", "both", "old", "none"))
  .map(([{ has, words }, end]): Field => {
    const include: Word[] = end === "none" ? [] : [{ when: end, glue: "\n", include: true }];
    return { has, words: [...words, ...include] };
  });
const colourOf = (when: When, value: object) => ({ when, glue: "", ...value }) as Word;
const account: fc.Arbitrary<Account> = fc.record({
  colour: fc.record({
    has,
    words: fc.constantFrom<Word[]>(
      [colourOf("both", { value: "brand" })],
      [colourOf("old", { text: "#ABCDEF" }), colourOf("new", { text: "#FEDCBA" })],
      [colourOf("old", { value: "brand" }), colourOf("new", { text: "#FEDCBA" })],
      [colourOf("old", { text: "#ABCDEF" }), colourOf("new", { value: "brand" })],
    ),
  }),
  emails: fc.dictionary(
    fc.constantFrom("email-send", "email-signed", "email-reminder"),
    fc.record({ subject: textField, content: body, contentPlain: body }),
    { maxKeys: 3, noNullPrototype: true },
  ),
  hooks: fc.array(
    fc.record({
      when,
      type: fc.constantFrom("all", "signed-envelope", "add-user"),
      base: fc.constantFrom<Hook["base"]>(
        { value: "hooks" },
        { value: "hooks" },
        { text: "https://ann:pw@Fixed.Example" },
      ),
      isMoved: fc.constantFrom(false, false, true),
    }),
    { maxLength: 4 },
  ),
});
const names = { acme: "Acme (2)", rd: "R&D <Ltd>", 日本: "日本 Ünï", "x-1": "# '12' : ${x}" };
const company: fc.Arbitrary<Company> = fc
  .record({
    slug: fc.constantFrom(...(Object.keys(names) as (keyof typeof names)[])),
    when,
    account,
    foot: fc.option(begunWith("Own foot"), { nil: undefined }),
  })
  .map((company) => ({ ...company, name: names[company.slug] }));

/** Without the words that are a value. */
const without = (world: World, value: string): World =>
  JSON.parse(JSON.stringify(world), (_, part) =>
    Array.isArray(part) ? part.filter((each) => each.value !== value) : part,
  );

export const world: fc.Arbitrary<World> = fc
  .record({
    account,
    companies: fc.uniqueArray(company, { maxLength: 2, selector: ({ slug }) => slug }),
    foot: fc.record({ html: begunWith("Foot"), txt: begunWith("Foot") }),
    source: fc.constantFrom<World["source"][]>("account", "own account", "folder", "stack"),
    target: fc.constantFrom<World["target"][]>("stack", "stack", "open"),
    managedOnly: fc.boolean(),
    carry: fc.boolean(),
    crlf: fc.boolean(),
    textStyle: fc.constantFrom<World["textStyle"][]>("exact", "crlf", "trimmed"),
    chosen: fc.constantFrom<World["chosen"][]>("all", "all", "all", "none", [0], [1], [0, 1]),
    byId: fc.boolean(),
  })
  .map((world): World => {
    const { source, companies } = world;
    // An account is asked for those only that it has.
    const has = (i: number) => companies[i] && (!isAccount(world) || isIn(companies[i], "new"));
    const chosen = typeof world.chosen === "string" ? world.chosen : world.chosen.filter(has);
    const target = source === "own account" ? "stack" : world.target;
    // A value that only the target's stack gives is any text of an account; the target has none that only the source gives.
    return {
      ...(source === "folder" ? world : without(world, source === "own account" ? "news" : "olds")),
      target,
      carry: world.carry && target === "stack" && source !== "own account",
      chosen: chosen.length > 0 ? chosen : "all",
    };
  });
