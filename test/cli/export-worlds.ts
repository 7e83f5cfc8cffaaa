/** Accounts as people make them by hand: every kind of text that a form of a web app takes. */
import type { Seed } from "../../emulator";
import { webhookTypes } from "../../sdk";
import { url as wireUrl } from "../../sdk/api/scalars";
import { fc } from "../chance";
import { brandingEmailTypes } from "../fixtures/specification";
import { edit, type World } from "./owned-worlds";

type AccountSeed = NonNullable<Seed["companies"]>[number];

export interface ExportWorld {
  key: "partner" | "account" | "sub account";
  own: AccountSeed;
  companies: AccountSeed[];
  textStyle: "exact" | "crlf" | "trimmed";
  listOrder: "oldest" | "newest" | "id";
  unlistedValues: boolean;
  edits: World["edits"];
  /** Whether the first two sub accounts swap their names, too. */
  swap: boolean;
}

const piece = fc.constantFrom(
  ..."alpha| |  |\t|${|$${|$$${|$|${x}|$${x}|${include foot}|{contract url}|{contract title}|{widget verify url}|{unknown thing}|{|}|{{x}}|{user  name}|<p>|</p>|<br>|<!-- x -->|<style>p{color:red}</style>|&amp;|&|&lt;|\\|\"|'|#|: |- |---|...|%|+|=|\u00a0|\u2028|\u2029|\u0085|\u200b|\ufeff|\u0000|\u001b[31m|\u0007|é|e\u0301|👩‍💻|日本|שלום|\ufffd|null|~".split(
    "|",
  ),
  "|",
);
const inLines = fc.oneof(
  { weight: 5, arbitrary: piece },
  { weight: 1, arbitrary: fc.constantFrom("\n", "\r\n", "\r", "\n\n", " \n", "\n ") },
);
const line = fc.array(piece, { maxLength: 8 }).map((all) => all.join(""));
const text = fc.array(inLines, { maxLength: 14 }).map((all) => all.join(""));
const subject = fc.oneof({ weight: 8, arbitrary: line }, { weight: 1, arbitrary: text });

const email = fc.record({ subject, content: text, contentPlain: text }, { requiredKeys: [] });
const url = fc
  .tuple(
    fc.constantFrom(
      "https://hooks.example.com",
      "https://HOOKS.example.com",
      "https://hooks.example.com:443",
      "http://hooks.example.com:80",
      "HTTPS://hooks.example.com",
      "https://bücher.example",
      "https://xn--bcher-kva.example",
      "https://ann:s3cr3t@hooks.example.com",
      "https://[::1]:8443",
      "https://127.0.0.1:9",
      "https://hooks.example.com.",
    ),
    fc.array(
      fc.constantFrom(
        ..."/|/a|/A|/%7B1%7D|/%7b1%7d|/ä|/%C3%A4|/a%20b|/${x}|/$${x}|/{contract url}|/..|/.|//|?a=1&b=2|?a=1&amp;b=2|?token=s3cr3tabcdef|&t=${token}|#frag|#|?|'|\"|`|\\|^|:|@|!|*|,|;|=|+|~|%|%zz|[x]|(x)|日|\u200b|\u0000|-".split(
          "|",
        ),
        "|",
      ),
      { maxLength: 4 },
    ),
  )
  .map(([base, parts]) => `${base}${parts.length > 0 && !/^[/?#]/.test(parts[0]!) ? "/" : ""}${parts.join("")}`)
  .filter((address) => wireUrl.safeParse(address).success);
const colour = fc.constantFrom("#1a5fb4", "#ABCDEF", "#abc", "#000000", "#123456", "#1e3000");
const branding = fc.record({ logo: url.filter((address) => !/\.zip$/.test(address)), colour }, { requiredKeys: [] });
const webhook = fc.record({
  type: fc.oneof(fc.constantFrom("all", "add-user"), fc.constantFrom(...webhookTypes)),
  url,
});
const webhooks = fc.array(webhook, { maxLength: 5 }).chain((hooks) =>
  // The same once more, perhaps.
  fc
    .array(fc.constantFrom(...(hooks.length > 0 ? hooks : [{ type: "all" as const, url: "https://twice.example/" }])), {
      maxLength: 2,
    })
    .map((more) => [...hooks, ...more]),
);
export const things = fc.record({
  branding,
  emails: fc.dictionary(fc.constantFrom(...brandingEmailTypes), email, { maxKeys: 4, noNullPrototype: true }),
  webhooks,
});

const name = fc.oneof(
  fc.constantFrom(
    "Acme",
    "ACME",
    "acme",
    "Acme Ltd.",
    "Straße",
    "STRASSE",
    "strasse",
    "İx",
    "ix",
    "日本",
    "é",
    "e\u0301",
  ),
  fc.constantFrom(
    ..."12|012|1e3|0x1F|12.50|+1|null|~|true|yes|2024-01-01|- a|# x|a # b|*a|&a|!x|%x|@x|`x|>|a: b|{x}|[x]|? x|${x}|$${x}|${|<<|=|'|\"|\\|constructor|__proto__|toString|con|..|.|.hidden|node_modules|a/b|a\\b|-|--|R&D <Ltd>|R&amp;D|emails|account|\u200b x|\u0085 x|\ufeffx|x\u001b[31m|x\u0000".split(
      "|",
    ),
    "|",
    "x".repeat(300),
    "😀".repeat(100),
    "ﬃ".repeat(90),
  ),
  line.filter((text) => text.trim() !== ""),
);
const company = fc.record({ name, email: fc.boolean(), things });

export const exportWorld: fc.Arbitrary<ExportWorld> = fc
  .record({
    key: fc.constantFrom<ExportWorld["key"][]>("partner", "partner", "partner", "account", "sub account"),
    own: things,
    companies: fc.array(company, { maxLength: 5 }),
    textStyle: fc.constantFrom("exact", "exact", "crlf", "trimmed"),
    listOrder: fc.constantFrom("oldest", "newest", "id"),
    unlistedValues: fc.constant(false),
    swap: fc.boolean(),
    // A new name is a new directory, and the old one would be deleted.
    edits: fc.array(fc.record({ account: fc.nat(6), edit: edit.filter(({ kind }) => kind !== "rename") }), {
      maxLength: 5,
    }),
  })
  // A service that cuts blanks makes one line end of two, where there is a blank between a lone carriage return and a line feed.
  .map((world) => (world.textStyle === "trimmed" ? withoutReturns(world) : world))
  .map(({ companies, key, ...rest }) => ({
    ...rest,
    key: key === "sub account" && companies.length === 0 ? "partner" : key,
    companies: companies.map(({ name, email, things }, i) => ({
      ...things,
      id: String(4711 + i),
      name,
      email: `${email ? "Office" : "ann"}${i}@mail.example`,
      user: { name: "Ann", email: `ann${i}@mail.example` },
    })),
  })) as fc.Arbitrary<ExportWorld>;

const withoutReturns = <T>(part: T): T =>
  JSON.parse(JSON.stringify(part), (_, value) =>
    typeof value === "string" ? value.replace(/\r(?!\n)/g, "") : value,
  ) as T;
