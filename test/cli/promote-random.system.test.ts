/**
 * Promotes what chance has made, as its users do, and holds what the target would deploy against what it ought to: each text is
 * made of words and names of values, so that what it reads like in each environment is known without asking the code under test.
 */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadFolder } from "../../account-folder/folder/load-folder";
import type { AccountModel } from "../../definitions/model";
import { normalizeText, normalizeUrl } from "../../definitions/text/normalize";
import { start } from "../../emulator";
import { defaultEmails, type EmailText } from "../../emulator/domain/emails/default-emails";
import { escapeHtml } from "../../sdk/text/html-escape";
import { sectionsOf } from "../account-folder/sections";
import { cases, fc } from "../chance";
import { filesIn, save, temporaryFolder } from "../files";
import { brandingEmailTypes } from "../fixtures/specification";
import { inProcess } from "./in-process";
import { stateOf } from "./owned-worlds";
import { emailOf, folderFiles, idOf, ownedOf, seedOf } from "./promote-files";
import {
  type Company,
  type Environment,
  footOf,
  hookUrl,
  isAccount,
  isHere,
  isIn,
  kinds,
  read,
  values,
  valuesOf,
  type World,
  world,
} from "./promote-worlds";

interface Expected {
  colour?: string | undefined;
  emails: Record<string, string>;
  hooks: string[];
}
const standardColour = "#1F6FEB";

/** What the target deploys afterwards: its account, or a company. */
function expected(world: World, present: Record<string, string>, company?: Company): Expected {
  const { account } = company ?? world;
  const foot = footOf(world, company);
  const isWhole = isAccount(world);
  const isManaged = (isOld: boolean) => !(isWhole && world.managedOnly) || (company?.when !== "new" && isOld);
  const result: Expected = { emails: {}, hooks: [] };
  if (isManaged(isHere(account.colour, "old"))) {
    if (isHere(account.colour, "new")) result.colour = read(account.colour, "new", present, foot).toUpperCase();
    else if (isWhole) result.colour = standardColour;
  }
  for (const type of isWhole ? brandingEmailTypes : Object.keys(account.emails))
    for (const name of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const field = account.emails[type]?.[name];
      if (!isManaged(field !== undefined && isHere(field, "old"))) continue;
      const text = field && isHere(field, "new") ? read(field, "new", present, foot, name === "content") : undefined;
      const standard = isWhole ? (defaultEmails as Record<string, EmailText>)[type]![name] : undefined;
      const found = text ?? standard;
      if (found !== undefined) result.emails[`${type} ${name}`] = normalizeText(found);
    }
  for (const [i, hook] of account.hooks.entries())
    if (isIn(hook, "new") && isManaged(hook.when === "both" && !hook.isMoved))
      result.hooks.push(
        `${hook.type} ${normalizeUrl(hookUrl(hook, i, "new", (name) => present[name] ?? `‹${name}›`))}`,
      );
  result.hooks.sort();
  return result;
}

function deployed(account: AccountModel): Expected {
  const { branding, emails, webhooks } = sectionsOf(account);
  const { colour } = branding;
  return {
    ...(colour !== undefined && { colour: colour.toUpperCase() }),
    emails: Object.fromEntries(
      Object.entries(emails).flatMap(([type, texts]) =>
        Object.entries(texts).map(([name, text]) => [`${type} ${name}`, normalizeText(text)]),
      ),
    ),
    hooks: webhooks.map(({ type, url }) => `${type} ${normalizeUrl(url!)}`).sort(),
  };
}

const home = temporaryFolder();
/** The variables of the next commands. */
const env: Record<string, string> = {};
const esign = inProcess(home, env);
const configuration = (stack: Environment) =>
  `config:\n  shop:values:\n${Object.entries(valuesOf(stack))
    .map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`)
    .join("")}`;
const withLineEnds = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace(/\r?\n/g, "\r\n")]));

interface Named {
  kind: string;
  name?: string;
  company?: string;
}
const namesOf = (all: Named[]) =>
  [...new Set(all.map(({ kind, name, company }) => [kind, company, name].join("\n")))].sort();
/** The JSON among notes. */
const objectIn = (output: string) => JSON.parse(output.slice(output.indexOf("{\n"), output.lastIndexOf("\n}") + 2));

/** Starts the service that the source is. */
async function startSource(world: World) {
  const isPartner = world.companies.length > 0;
  const environment = world.source === "own account" ? "production" : "staging";
  const style = {
    exact: (text: string) => text,
    crlf: (text: string) => text.replace(/\r\n|\r|\n/g, "\r\n"),
    trimmed: (text: string) => text.replace(/[ \t]+$/gm, "").trim(),
  }[world.textStyle];
  const seed = (company?: Company) =>
    seedOf((company ?? world).account, footOf(world, company), environment, (url) => new URL(url).href, style);
  const companies = world.companies
    .filter((each) => isIn(each, "new"))
    .map((each) => ({
      ...seed(each),
      id: idOf(world, each),
      name: each.name,
      email: emailOf(each.slug).toUpperCase(),
      user: { name: "Ann", email: emailOf(each.slug) },
    }));
  const service = await start({ seed: { [isPartner ? "partner" : "account"]: seed(), companies } as never });
  const name = world.source === "account" ? "ESIGN_STAGING" : "ESIGN";
  env[`${name}_BASE_URL`] = service.url;
  env[`${name}_API_KEY`] = isPartner ? service.keys.partner : service.keys.account;
  return service;
}

/** The files of both sides; and the stack, where that is the source. */
async function saveProject(project: string, world: World): Promise<void> {
  save(project, {
    "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
    "Pulumi.staging.yaml": configuration("staging"),
    "Pulumi.production.yaml": configuration("production"),
    "state.json": JSON.stringify(stateOf("staging", ownedOf(world))),
    "production/notes.txt": "ours",
  });
  save(join(project, "staging"), folderFiles(world, "new"));
  const old = folderFiles(world, "old");
  save(join(project, "production"), world.crlf ? withLineEnds(old) : old);
  rmSync(join(home, ".pulumi"), { recursive: true, force: true });
  if (world.source !== "stack") return;
  for (const args of [
    ["init", "staging"],
    ["import", "--stack", "staging", "--file", "state.json", "--yes"],
  ])
    expect(await esign("-C", project, "stack", ...args, "--engine", "embedded")).toMatchObject({ code: 0 });
}

const isChosen = ({ chosen, companies }: World, company: Company) =>
  typeof chosen === "string" ? chosen === "all" : chosen.includes(companies.indexOf(company));
function choiceOf(world: World): string[] {
  if (world.chosen === "all") return [];
  const names = world.companies
    .filter((each) => isChosen(world, each))
    .map((each) => (world.byId && isAccount(world) ? idOf(world, each) : each.name));
  return ["--companies", names.join() || "none"];
}

/** Promotes, and what comes of it. */
async function promote(world: World, project: string) {
  const sources = {
    account: "account:staging",
    "own account": "account",
    folder: "./staging@staging",
    stack: "stack:staging",
  };
  const from = sources[world.source];
  const to = { stack: "./production@production", open: "./production" }[world.target];
  const choice = choiceOf(world);
  const flags = [...choice, ...(world.managedOnly ? [] : ["--all"]), ...(world.carry ? ["--with-values"] : [])];
  const run = (...more: string[]) => esign("-C", project, "promote", from, to, ...flags, ...more);
  const diff = (...args: string[]) => esign("-C", project, "diff", "--exit-code", ...args, ...choice);
  const before = filesIn(project);
  const found = objectIn((await diff(to, from, "--json")).output) as { changes: Named[]; unmanaged: Named[] };
  const dry = await run("--dry-run", "--json");
  expect(dry.code, dry.output).toBe(0);
  expect(filesIn(project)).toEqual(before);
  const plan = objectIn(dry.output) as { files: Record<string, string>; changes: Named[]; notes: string[] };
  // What `diff` says, but for what is in a subaccount that the source has not.
  const gone = world.companies.filter(({ when }) => when === "old").map(({ name }) => name);
  const differences = [...found.changes, ...(world.managedOnly ? [] : found.unmanaged)].filter(
    ({ company }) => company === undefined || !gone.includes(company),
  );
  expect(namesOf(plan.changes)).toEqual(namesOf(differences));
  const done = await run();
  expect(done.code, done.output).toBe(0);
  const after = filesIn(project);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(Object.keys(before).filter((path) => !(path in after))).toEqual([]);
  const planned = Object.entries(plan.files).map(([path, text]) => [`production/${path}`, text] as const);
  expect(changed).toEqual(
    [...planned.map(([path]) => path), ...(world.carry ? ["Pulumi.production.yaml"] : [])].sort(),
  );
  for (const [path, text] of planned) expect(after[path]).toBe(text);
  return { before, after, changed, notes: plan.notes, run, diffs: [() => diff(to, from), () => diff(from, to)] };
}

/** What was written has nothing of the source's environment, and the comments that were there, but for those on what goes. */
function expectOwnText(world: World, before: Record<string, string>, after: Record<string, string>, changed: string[]) {
  for (const path of changed.filter((path) => path.startsWith("production/")))
    for (const [name, { staging }] of Object.entries(values)) {
      if (staging === undefined || name === "same") continue;
      for (const text of [staging, escapeHtml(staging), staging.toLowerCase().replace(":443", "")])
        expect(after[path], path).not.toContain(text);
    }
  for (const path of changed.filter((path) => path.endsWith(".yaml") && path in before)) {
    for (const comment of before[path]!.match(/# (ours|who|b\r?\n)/g) ?? []) expect(after[path]).toContain(comment);
    if (after[path]!.match(/colour:/) && before[path]!.match(/# dark/)) expect(after[path]).toContain("# dark");
    const { account } = world.companies.find(({ slug }) => path.includes(`/${slug}/`)) ?? world;
    for (const [i, hook] of account.hooks.entries())
      if (hook.when === "both" && !hook.isMoved && path.endsWith("account.yaml"))
        expect(after[path]).toContain(`# keep${i}`);
  }
}

let n = 0;
test("what the target deploys afterwards is what the source has, with the target's values", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (world) => {
      const project = join(home, `case-${++n}`);
      const production = (present: Record<string, string>, requireValues = false) =>
        loadFolder(join(project, "production"), { values: present, requireValues, allowUnknownValues: true });
      await saveProject(project, world);
      const service = isAccount(world) ? await startSource(world) : undefined;
      try {
        const present: Record<string, string> = { ...valuesOf("production"), ...(world.carry && valuesOf("staging")) };
        const old = new Map(
          production(present).account.companies.map(({ company, model }) => [company.name, deployed(model)]),
        );
        const { before, after, changed, notes, run, diffs } = await promote(world, project);
        expectOwnText(world, before, after, changed);
        if (notes.some((note) => note.includes("has no value for ${news}"))) {
          // As the note says.
          present.news = "https://news.example";
          const path = join(project, "Pulumi.production.yaml");
          const yaml = readFileSync(path, "utf8");
          writeFileSync(path, yaml.replace("shop:values:\n", `shop:values:\n    news: ${present.news}\n`));
        }
        const loaded = production(present, world.target === "stack");
        const errors = loaded.findings.filter(({ severity, rule }) => severity === "error" && rule !== "unused-value");
        expect(errors).toEqual([]);
        expect(deployed(loaded.account.model)).toEqual(expected(world, present));
        // Values are there by their names: those of a third environment come in their place.
        const third = Object.fromEntries(Object.keys(values).map((name) => [name, `https://third.example/${name}`]));
        third.brand = "#0b7285";
        expect(deployed(production(third).account.model)).toEqual(expected(world, third));
        for (const company of world.companies) {
          const account = loaded.account.model.Company?.find(({ fields }) => fields.name === company.name)?.account;
          // What the source has not is unchanged, its part of what it shares with others as well.
          if (company.when === "old" || !isChosen(world, company))
            expect(account && deployed(account)).toEqual(old.get(company.slug));
          else if (company.when === "new" && world.managedOnly && isAccount(world)) expect(account).toBeUndefined();
          else expect(account && deployed(account)).toEqual(expected(world, present, company));
        }
        // Nothing is left to do.
        const settled = filesIn(project);
        const again = await run();
        expect(again.output).toContain("Nothing to write.");
        // The files of a subaccount that the source has not stay, and that is said each time.
        const hasGone = world.companies.some((each) => isChosen(world, each) && each.when === "old");
        if (!hasGone) expect(again.output).toContain("No differences.");
        expect(filesIn(project)).toEqual(settled);
        for (const diff of diffs) {
          const { code, output } = await diff();
          expect(code, output).toBe(hasGone ? 1 : 0);
        }
        // What is refused writes nothing.
        save(join(project, "production"), { "emails/email-rejected/subject.txt": "${include nothing}" });
        const faulty = filesIn(project);
        expect((await run()).code).not.toBe(0);
        expect(filesIn(project)).toEqual(faulty);
      } finally {
        for (const name of Object.keys(env)) delete env[name];
        await service?.close();
        rmSync(project, { recursive: true });
      }
    }),
    { numRuns: cases(2) },
  );
});
