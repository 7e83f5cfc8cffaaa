/** Exports what chance has made, deploys it where it came from and where nothing is, and reads both services by hand. */
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { emailTypes } from "../../emulator/domain/enums-by-edition";
import { webhookTypes } from "../../sdk";
import { url as wireUrl } from "../../sdk/api/scalars";
import { cases, fc } from "../chance";
import { filesIn, temporaryFolder } from "../files";
import { brandingEmailTypes } from "../fixtures/specification";
import { root } from "./esign";
import { inProcess } from "./in-process";
import { ask, type Live, readCompanies, readLive } from "./live";

const oneOf = (separated: string, ...others: string[]) => fc.constantFrom(...separated.split("|"), ...others);

// Every kind of text that a form of a web app takes.
const piece = oneOf(
  "alpha| |  |\t|${|$${|$${x}|${include foot}|{contract url}|{unknown thing}|{|}|{{x}}|<p>|<!-- x -->|&amp;|&|\\|\"|'|#|: |- |---|%|+|=|\u00a0|\u2028|\u0085|\u200b|\ufeff|\u0000|\u001b[31m|é|e\u0301|👩‍💻|日本|שלום|\ufffd|null|~",
  "|",
);
const line = fc.array(piece, { maxLength: 8 }).map((all) => all.join(""));
const lineEnd = fc.constantFrom("\n", "\r\n", "\r", "\n\n", " \n", "\n ");
const text = fc
  .array(fc.oneof({ weight: 5, arbitrary: piece }, { weight: 1, arbitrary: lineEnd }), { maxLength: 14 })
  .map((all) => all.join(""));
const subject = fc.oneof({ weight: 8, arbitrary: line }, { weight: 1, arbitrary: text });
const url = fc
  .tuple(
    oneOf(
      "https://hooks.example.com|https://HOOKS.example.com|https://hooks.example.com:443|HTTPS://hooks.example.com|https://bücher.example|https://xn--bcher-kva.example|https://ann:s3cr3t@hooks.example.com|https://[::1]:8443|https://hooks.example.com.",
    ),
    fc.array(
      oneOf(
        "/|/a|/A|/%7B1%7D|/%7b1%7d|/ä|/%C3%A4|/a%20b|/${x}|/$${x}|/{contract url}|/..|/.|//|?a=1&b=2|?a=1&amp;b=2|?token=s3cr3tabcdef|&t=${token}|#frag|'|\"|`|\\|^|:|@|,|=|%|%zz|[x]|日|\u200b|\u0000",
      ),
      { maxLength: 4 },
    ),
  )
  .map(([base, parts]) => `${base}${/^[/?#]/.test(parts[0] ?? "/") ? "" : "/"}${parts.join("")}`)
  .filter((address) => wireUrl.safeParse(address).success);
const webhook = fc.record({ type: fc.constantFrom("all", "add-user", ...webhookTypes), url });
const account = fc.record({
  branding: fc.record(
    {
      logo: url.filter((address) => !/\.zip$/.test(address)),
      colour: fc.constantFrom("#1a5fb4", "#ABCDEF", "#abc", "#1e3000"),
    },
    { requiredKeys: [] },
  ),
  emails: fc.dictionary(
    fc.constantFrom(...brandingEmailTypes),
    fc.record({ subject, content: text, contentPlain: text }, { requiredKeys: [] }),
    { maxKeys: 4, noNullPrototype: true },
  ),
  // The first ones once more, perhaps.
  webhooks: fc.tuple(fc.array(webhook, { maxLength: 5 }), fc.nat(2)).map(([all, n]) => [...all, ...all.slice(0, n)]),
});
const name = fc.oneof(
  oneOf(
    "Acme|ACME|Acme Ltd.|Straße|STRASSE|İx|ix|日本|é|e\u0301|012|1e3|0x1F|null|~|true|2024-01-01|- a|# x|a # b|*a|&a|!x|%x|@x|`x|>|a: b|{x}|[x]|? x|${x}|$${x}|${|<<|'|\"|\\|constructor|__proto__|con|..|.|.hidden|node_modules|a/b|a\\b|--|R&D <Ltd>|R&amp;D|emails|account|\u200b x|\u0085 x|\ufeffx|x\u001b[31m|x\u0000",
    "|",
    "x".repeat(300),
    "😀".repeat(100),
    "ﬃ".repeat(90),
  ),
  line.filter((text) => text.trim() !== ""),
);
const world = fc
  .record({
    key: fc.constantFrom("partner", "partner", "partner", "account", "subaccount"),
    own: account,
    companies: fc.array(fc.record({ name, office: fc.constantFrom("Office", "ann"), account }), { maxLength: 5 }),
    textStyle: fc.constantFrom("exact", "exact", "crlf", "trimmed"),
    listOrder: fc.constantFrom("oldest", "newest", "id"),
    language: fc.constantFrom("yaml", "typescript"),
  })
  // A service that cuts blanks makes one line end of two, where there is a blank between a lone carriage return and a line feed.
  .map((world) => (world.textStyle === "trimmed" ? withoutReturns(world) : world));
const withoutReturns = <T>(part: T): T =>
  JSON.parse(JSON.stringify(part), (_, value) => (typeof value === "string" ? value.replace(/\r(?!\n)/g, "") : value));

const form = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
const isKept = (field: string, text: string) => text.trim() !== "" && !(field === "subject" && /[\r\n]/.test(text));
/** What can be compared of an account; of its texts that no file can hold, those of another one. */
const shown = ({ colour, logo, emails, webhooks }: Live, standard?: Live) => ({
  colour,
  logo,
  emails: Object.entries(emails).map(([type, texts]) => [
    type,
    ...Object.entries(texts).map(([field, text]) =>
      form(!standard || isKept(field, text) ? text : standard.emails[type]![field as "subject"]),
    ),
  ]),
  webhooks: webhooks.map(({ type, url }) => `${type} ${new URL(url.replaceAll("&amp;", "&")).href}`).sort(),
});
/** What a copy of it ought to be like, where there was what `standard` says. */
function copied(live: Live, standard: Live) {
  const { webhooks, ...rest } = shown(live, standard);
  return { ...rest, webhooks: [...new Set(webhooks)] };
}

/** Gives a webhook and the directory of a subaccount other names. */
function rename(project: string): void {
  const file = join(project, "account.yaml");
  if (existsSync(file))
    writeFileSync(file, readFileSync(file, "utf8").replace(/^ {2}[\w-]+:(?=\n {4}type: )/m, "  mine:"));
  const companies = join(project, "companies");
  const [first] = existsSync(companies) ? readdirSync(companies) : [];
  if (first !== undefined) renameSync(join(companies, first), join(companies, "our-first"));
}

test("what is exported is adopted where it is, and made where it is not", async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ own, companies, language, ...world }) => {
      const key = world.key === "subaccount" && companies.length === 0 ? "partner" : world.key;
      const keyName = key === "account" ? "account" : "partner";
      const settings = {
        textStyle: world.textStyle,
        listOrder: world.listOrder,
        // Of webhooks, which the specification lacks.
        unlistedValues: true,
        requiredVariables: Object.fromEntries(emailTypes.map((type) => [type, []])),
      };
      const seed = companies.map(({ name, office, account }, i) => ({
        ...account,
        id: `${4711 + i}`,
        name,
        email: `${office}${i}@mail.example`,
        user: { name: "Ann", email: `ann${i}@mail.example` },
      }));
      const another = { id: "4711", name: "another", email: "x@x.example", user: { name: "x", email: "x@x.example" } };
      const first = await start({
        seed: { [keyName]: own, companies: key === "account" ? [] : seed },
        ...settings,
      } as never);
      const second = await start({ seed: { companies: key === "subaccount" ? [another] : [] }, ...settings } as never);
      const live = async (service: Emulator) => ({
        own: await readLive(service, service.keys[keyName]),
        companies: await readCompanies(service),
      });
      const writes = () => first.requests().filter(({ method }) => method !== "GET");
      const home = temporaryFolder();
      symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
      const project = join(home, "project");
      const env: Record<string, string> = {};
      const esign = inProcess(home, env);
      const use = (service: Emulator) =>
        Object.assign(env, { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys[keyName] });
      const ok = async (...args: string[]) => {
        const { code, output } = await esign(...args);
        expect(code, `${args.join(" ")}\n${output}`).toBe(0);
        return output;
      };
      const inProject = (...args: string[]) => ok("-C", project, ...args);
      try {
        use(first);
        const source = key === "subaccount" ? "account/4711" : "account";
        const before = await live(first);
        await ok("export", source, "--out", project, "--language", language);
        // Names are the user's.
        rename(project);
        const exported = filesIn(project);
        await inProject("stack", "init", "production", "--engine", "embedded");
        await inProject("up", "--yes", "--skip-preview", "--engine", "embedded");
        expect(await inProject("drift", "--exit-code")).toContain("No drift.");
        await inProject("diff", "--exit-code", ".", source);
        await inProject("diff", "--exit-code", "stack:production", source);
        await inProject("diff", "--exit-code", ".", "stack:production");
        expect(await inProject("promote", "stack:production", ".")).toContain("Nothing to write.");
        await ok("export", source, "--out", project, "--force");
        const settled = filesIn(project);
        // The file for the import goes by the names.
        for (const path of Object.keys(exported).filter((path) => path !== "import.json"))
          expect(settled[path], path).toBe(exported[path]);
        expect(writes()).toEqual([]);
        expect(await live(first)).toEqual(before);
        // The account is changed outside Pulumi, and exported again.
        await ask(first, first.keys[keyName], "branding", "PUT", { branding_colour: "#0a0b0c" });
        const changed = await live(first);
        await ok("export", source, "--out", project, "--force");
        await inProject("diff", "--exit-code", ".", source);
        await inProject("refresh", "--yes", "--engine", "embedded");
        first.clearLog();
        await inProject("up", "--yes", "--skip-preview", "--engine", "embedded");
        expect(writes()).toEqual([]);
        expect(await live(first)).toEqual(changed);
        // Somewhere else.
        use(second);
        const empty = await live(second);
        await inProject("stack", "init", "second", "--engine", "embedded");
        const onSecond = ["--stack", "second", "--engine", "embedded"];
        await inProject("up", "--yes", "--skip-preview", ...onSecond);
        const copy = await live(second);
        if (key === "subaccount") {
          expect(copy.own).toEqual(empty.own);
          const from = changed.companies.find(({ id }) => id === "4711")!;
          expect(shown(copy.companies[0]!)).toEqual(copied(from, empty.companies[0]!));
        } else {
          expect(shown(copy.own)).toEqual(copied(changed.own, empty.own));
          expect(copy.companies.map((each) => ({ name: each.name, email: each.email, ...shown(each) }))).toEqual(
            changed.companies.map((each) => ({ name: each.name, email: each.email, ...copied(each, empty.own) })),
          );
        }
        await inProject("preview", "--expect-no-changes", ...onSecond);
      } finally {
        await first.close();
        await second.close();
      }
    }),
    { numRuns: cases(1) },
  );
});
