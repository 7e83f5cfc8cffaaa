/** Exports what chance has made, deploys it where it came from and where nothing is, and reads both services by hand. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { emailTypes } from "../../emulator/domain/enums";
import { cases, fc, times } from "../chance";
import { filesIn, temporaryFolder } from "../files";
import { root } from "./esign";
import { type ExportWorld, exportWorld } from "./export-worlds";
import { inProcess } from "./in-process";
import { ask, type Live, readCompanies, readLive } from "./live";
import { change } from "./owned-worlds";

const home = temporaryFolder();
/** The variables of the next commands. */
const env: Record<string, string> = {};
const esign = inProcess(home, env);
symlinkSync(join(root, "node_modules"), join(home, "node_modules"));

const form = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
const isKept = (field: string, text: string) => text.trim() !== "" && !(field === "subject" && /[\r\n]/.test(text));
const address = ({ type, url }: { type: string; url: string }) =>
  `${type} ${new URL(url.replaceAll("&amp;", "&")).href}`;

/** What a copy of it ought to be like, where there was what `before` says. */
function copied(live: Live, before: Live) {
  return {
    colour: live.colour,
    logo: live.logo,
    emails: Object.fromEntries(
      Object.entries(live.emails).map(([type, texts]) => [
        type,
        Object.fromEntries(
          Object.entries(texts).map(([field, text]) => [
            field,
            form(isKept(field, text) ? text : before.emails[type]![field as "subject"]),
          ]),
        ),
      ]),
    ),
    webhooks: [...new Set(live.webhooks.map(address))].sort(),
  };
}
const asIs = (live: Live) => ({
  ...copied(live, live),
  emails: Object.fromEntries(
    Object.entries(live.emails).map(([type, texts]) => [
      type,
      Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, form(text)])),
    ]),
  ),
  webhooks: live.webhooks.map(address).sort(),
});

const writes = (service: Emulator) =>
  service
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, fields, status }) => `${method} ${path} ${fields} ${status}`);

const settingsOf = ({ textStyle, listOrder, unlistedValues }: ExportWorld) => ({
  textStyle,
  listOrder,
  unlistedValues,
  requiredVariables: Object.fromEntries(emailTypes.map((type) => [type, []])),
});

/** Gives a webhook and the directory of a sub account other names. */
function rename(project: string): void {
  const file = join(project, "account.yaml");
  if (existsSync(file))
    writeFileSync(file, readFileSync(file, "utf8").replace(/^ {2}[\w-]+:(?=\n {4}type: )/m, "  mine:"));
  const companies = join(project, "companies");
  const [first] = existsSync(companies) ? readdirSync(companies) : [];
  if (first !== undefined) renameSync(join(companies, first), join(companies, "our-first"));
}

let n = 0;
test("what is exported is adopted where it is, and made where it is not", { timeout: 240_000 * times }, async () => {
  await fc.assert(
    fc.asyncProperty(exportWorld, async (world) => {
      const { key, own } = world;
      const project = join(home, `case-${++n}`);
      const settings = settingsOf(world) as object;
      const first = await start({
        seed: {
          [key === "account" ? "account" : "partner"]: own,
          companies: key === "account" ? [] : world.companies,
        } as never,
        ...settings,
      });
      const second = await start({
        seed: {
          companies:
            key === "sub account"
              ? [{ id: "4711", name: "another", email: "x@x.example", user: { name: "x", email: "x@x.example" } }]
              : [],
        } as never,
        ...settings,
      });
      const use = (service: Emulator) => {
        env.ESIGN_BASE_URL = service.url;
        env.ESIGN_API_KEY = key === "account" ? service.keys.account : service.keys.partner;
      };
      const ok = async (...args: string[]) => {
        const { code, output } = await esign("-C", project, ...args);
        expect(code, `${args.join(" ")}\n${output}`).toBe(0);
        return output;
      };
      const live = async (service: Emulator) => ({
        own: await readLive(service, key === "account" ? service.keys.account : service.keys.partner),
        companies: await readCompanies(service),
      });
      try {
        use(first);
        const source = key === "sub account" ? "account/4711" : "account";
        const before = await live(first);
        first.clearLog();
        const { code, output } = await esign("export", source, "--out", project);
        expect(code, output).toBe(0);
        expect(writes(first)).toEqual([]);
        // Names are the user's.
        rename(project);
        const exported = filesIn(project);
        await ok("stack", "init", "dev", "--engine", "embedded");
        await ok("up", "--yes", "--skip-preview", "--engine", "embedded");
        expect(writes(first)).toEqual([]);
        if (n % 4 === 0) await ok("preview", "--expect-no-changes", "--engine", "embedded");
        expect(await ok("drift", "--exit-code")).toContain("No drift.");
        await ok("diff", "--exit-code", ".", source);
        await ok("diff", "--exit-code", "stack:dev", source);
        await ok("diff", "--exit-code", ".", "stack:dev");
        expect(await ok("promote", "stack:dev", ".")).toContain("Nothing to write.");
        const again = await esign("export", source, "--out", project, "--force");
        expect(again.code, again.output).toBe(0);
        const settled = filesIn(project);
        // The file for the import goes by the names.
        for (const path of Object.keys(exported).filter((path) => path !== "import.json"))
          expect(settled[path], path).toBe(exported[path]);
        expect(await live(first)).toEqual(before);
        // Somebody changes the account, and it is exported once more.
        for (const each of world.edits.filter(({ edit }) => key === "partner" || edit.kind !== "delete"))
          await change(first, env.ESIGN_API_KEY!, each);
        const [a, b] = key === "partner" && world.swap ? (await live(first)).companies : [];
        for (const [id, name] of a && b ? [[a.id, b.name] as const, [b.id, a.name] as const] : [])
          await ask(first, first.keys.partner, `companies/${id}`, "PUT", { company_name: name });
        const changed = await live(first);
        let once = await esign("export", source, "--out", project, "--force");
        if (once.code === 2) {
          expect(once.output).toContain("has files that this export does not write");
          for (const [, path] of once.output.matchAll(/^ {4}(\S.*)$/gm))
            rmSync(join(project, path!), { recursive: true });
          once = await esign("export", source, "--out", project, "--force");
        }
        expect(once.code, once.output).toBe(0);
        await ok("diff", "--exit-code", ".", source);
        await ok("refresh", "--yes", "--engine", "embedded");
        first.clearLog();
        await ok("up", "--yes", "--skip-preview", "--engine", "embedded");
        expect(writes(first)).toEqual([]);
        expect(await live(first)).toEqual(changed);
        const now = filesIn(project);
        // Somewhere else.
        use(second);
        const empty = await live(second);
        await ok("stack", "init", "second", "--engine", "embedded");
        if (now["Pulumi.dev.yaml"]!.includes("allowUnknownValues"))
          await ok("config", "set", "--stack", "second", "--engine", "embedded", "esign:allowUnknownValues", "true");
        await ok("up", "--yes", "--skip-preview", "--stack", "second", "--engine", "embedded");
        const copy = await live(second);
        const standard = empty.own;
        if (key === "sub account") {
          expect(asIs(copy.own)).toEqual(asIs(empty.own));
          const from = changed.companies.find(({ id }) => id === "4711")!;
          expect(asIs(copy.companies[0]!)).toEqual(copied(from, empty.companies[0]!));
        } else {
          expect(asIs(copy.own)).toEqual(copied(changed.own, standard));
          expect(copy.companies.map((each) => ({ name: each.name, email: each.email, ...asIs(each) }))).toEqual(
            changed.companies.map((each) => ({ name: each.name, email: each.email, ...copied(each, standard) })),
          );
        }
        if (n % 4 === 1) await ok("preview", "--expect-no-changes", "--stack", "second", "--engine", "embedded");
      } finally {
        delete env.ESIGN_BASE_URL;
        delete env.ESIGN_API_KEY;
        await first.close();
        await second.close();
        rmSync(project, { recursive: true, force: true });
        rmSync(join(home, ".pulumi"), { recursive: true, force: true });
      }
    }),
    { numRuns: cases(1) },
  );
});
