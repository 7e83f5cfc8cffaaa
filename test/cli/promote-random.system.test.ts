/**
 * Promotes what chance has made, as its users do, and holds what the target would deploy against what it ought to: each text is
 * made of words and names of values, so that what it reads like in each environment is known without asking the code under test.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loadFolder } from "../../account-folder/folder/load";
import type { AccountModel } from "../../account-folder/model";
import { normalizeText, normalizeUrl } from "../../account-folder/text/normalize";
import { start } from "../../emulator";
import { defaultEmails } from "../../emulator/domain/emails/default-emails";
import { escapeHtml } from "../../sdk/text/html-escape";
import { cases, fc, times } from "../chance";
import { filesIn, save, temporaryFolder } from "../files";
import { brandingEmailTypes } from "../fixtures/specification";
import { inProcess } from "./in-process";
import {
  deploymentOf,
  emailOf,
  folderFiles,
  hasText,
  hookUrl,
  idOf,
  isHere,
  kinds,
  nameIn,
  read,
  seedOf,
  textOf,
} from "./promote-texts";
import {
  type Company,
  customer,
  type Environment,
  type Feet,
  type Field,
  isAccount,
  isIn,
  type Version,
  values,
  valuesOf,
  type World,
  world,
} from "./promote-worlds";

interface Expected {
  colour?: string;
  logo?: string;
  emails: Record<string, string>;
  hooks: string[];
}

/** What the target deploys afterwards. */
function expected(world: World, given: Record<string, string>, company?: Company): Expected {
  const { managedOnly } = world;
  const { account } = company ?? world;
  const isNew = company?.when === "new";
  const feet = feetOf(world, company);
  const complete = isAccount(world);
  const result: Expected = { emails: {}, hooks: [] };
  const text = (field: Field, version: Version) => read(field.words, version, given, "text", feet);
  const colourOf = (): string | undefined => {
    const managed = !isNew && isHere(account.colour, "old");
    if (complete && managedOnly && !managed) return undefined;
    if (isHere(account.colour, "new")) return text(account.colour, "new");
    return complete ? standardColour : undefined;
  };
  const logoOf = (): string | undefined => {
    const managed = !isNew && isHere(account.logo, "old");
    if (!complete) return isHere(account.logo, "new") ? text(account.logo, "new") : undefined;
    // An account shows a copy of its own, of which nobody knows what it is of.
    if (managed) return text(account.logo, "old");
    return managedOnly ? undefined : ownCopy;
  };
  const logo = logoOf();
  if (logo !== undefined) result.logo = logo;
  const colour = colourOf();
  if (colour !== undefined) result.colour = colour.toUpperCase();
  for (const type of complete ? brandingEmailTypes : Object.keys(account.emails)) {
    for (const name of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const email = account.emails[type];
      const managed = !isNew && email !== undefined && hasText(email, name, "old");
      if (complete && managedOnly && !managed) continue;
      if (email && hasText(email, name, "new"))
        result.emails[`${type} ${name}`] = normalizeText(textOf(email, name, "new", given, feet));
      else if (complete)
        result.emails[`${type} ${name}`] = normalizeText(
          (defaultEmails as Record<string, Record<keyof typeof kinds, string>>)[type]![name],
        );
    }
  }
  for (const [i, hook] of account.hooks.entries()) {
    const managed = !isNew && isIn(hook, "old") && hook.changed !== "path";
    if (!isIn(hook, "new")) continue;
    if (complete && managedOnly && !(managed && hook.when === "both")) continue;
    const url = hookUrl(hook, i, "new", (name) => given[name] ?? `‹${name}›`);
    result.hooks.push(`${hook.type} ${normalizeUrl(url)}`);
  }
  result.hooks.sort();
  return result;
}
const feetOf = (world: World, company?: Company): Feet => ({
  ...world.feet,
  ...(company?.foot && { "foot.html": company.foot }),
});
const standardColour = "#1F6FEB";
const ownCopy = "a copy of the service's";

function deployed(model: AccountModel): Expected {
  const { colour, logoUrl } = model.branding;
  return {
    ...(colour !== undefined && { colour: colour.toUpperCase() }),
    ...(logoUrl !== undefined && { logo: logoUrl.includes("/logos/") ? ownCopy : logoUrl }),
    emails: Object.fromEntries(
      Object.entries(model.emails).flatMap(([type, texts]) =>
        Object.entries(texts).map(([name, text]) => [`${type} ${name}`, normalizeText(text)]),
      ),
    ),
    hooks: model.webhooks.map(({ type, url }) => `${type} ${normalizeUrl(url)}`).sort(),
  };
}

const home = temporaryFolder();
/** The variables of the next commands. */
const env: Record<string, string> = {};
const esign = inProcess(home, env);
const secretConfiguration: Partial<Record<Environment, string>> = {};
beforeAll(async () => {
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
const configuration = (stack: Environment) =>
  `config:\n  shop:values:\n${Object.entries(valuesOf(stack))
    .map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`)
    .join("")}`;

const withLineEnds = (files: Record<string, string>, crlf: boolean) =>
  crlf
    ? Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace(/\r?\n/g, "\r\n")]))
    : files;

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
test("what the target deploys afterwards is what the source has, with the target's values", {
  timeout: 120_000 * times,
}, async () => {
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
      const environment = world.source === "own account" ? "production" : "staging";
      // Of values that are not known, the same must be learnt from addresses and texts.
      const address = (url: string) => (world.unknown ? url : new URL(url).href);
      const style = {
        exact: (text: string) => text,
        crlf: (text: string) => text.replace(/\r\n|\r|\n/g, "\r\n"),
        trimmed: (text: string) => text.replace(/[ \t]+$/gm, "").trim(),
      }[world.textStyle];
      const own = seedOf(world.account, world.feet, environment, address, style);
      const service = isAccount(world)
        ? await start({
            seed: {
              [isPartner ? "partner" : "account"]: own,
              companies: world.companies
                .filter((each) => isIn(each, "new"))
                .map((each) => ({
                  ...seedOf(each.account, feetOf(world, each), environment, address, style),
                  id: idOf(world, each),
                  name: nameIn(each, "new"),
                  email: emailOf(each.slug).toUpperCase(),
                  user: { name: "Ann", email: emailOf(each.slug) },
                })),
            } as never,
          })
        : undefined;
      try {
        if (service) {
          const name = world.source === "account" ? "ESIGN_STAGING" : "ESIGN";
          env[`${name}_BASE_URL`] = service.url;
          env[`${name}_API_KEY`] = isPartner ? service.keys.partner : service.keys.account;
        }
        const from = {
          account: "account:staging",
          "own account": "account",
          folder: "./staging@staging",
          "open folder": "./staging",
          stack: "stack:staging",
          state: "state.json",
        }[world.source];
        if (["stack", "state"].includes(world.source))
          save(project, { "state.json": JSON.stringify(deploymentOf(world)) });
        rmSync(join(home, ".pulumi"), { recursive: true, force: true });
        if (world.source === "stack")
          for (const args of [
            ["init", "staging"],
            ["import", "--stack", "staging", "--file", "state.json", "--yes"],
          ])
            expect(await esign("-C", project, "stack", ...args, "--engine", "embedded")).toMatchObject({
              code: 0,
              output: expect.any(String),
            });
        const to = { stack: "./production@production", open: "./production" }[world.target];
        const isChosen = (each: Company) =>
          typeof world.chosen === "string"
            ? world.chosen === "all"
            : world.chosen.includes(world.companies.indexOf(each));
        const choice =
          world.chosen === "all"
            ? []
            : [
                "--companies",
                world.chosen === "none"
                  ? "none"
                  : world.companies
                      .filter(isChosen)
                      .map((each) =>
                        world.byId && isAccount(world)
                          ? idOf(world, each)
                          : nameIn(each, isIn(each, "new") ? "new" : "old"),
                      )
                      .join(),
              ];
        const options = [
          "-C",
          project,
          "promote",
          from,
          to,
          ...choice,
          ...(world.managedOnly ? [] : ["--all"]),
          ...(world.carry ? ["--values"] : []),
        ];
        const before = filesIn(project);
        const given: Record<string, string> = { ...valuesOf("production"), ...(world.carry && valuesOf("staging")) };
        const gone = new Map(
          loadFolder(join(project, "production"), { values: given }).account.companies.map(({ company, model }) => [
            company.slug!,
            model,
          ]),
        );
        const differing = await esign("-C", project, "diff", "--exit-code", to, from, ...choice, "--json");
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
        // Which of two names is the right one is for somebody to say: neither is edited.
        const isRenamed = (each: Company) => each.renamed && each.when === "both";
        const isGone = ({ kind, company, name }: Named) =>
          world.companies.some(
            (each) =>
              (each.name === company && each.when === "old") ||
              (isRenamed(each) && [each.name, nameIn(each, "new")].includes((kind === "Company" ? name : company)!)),
          );
        if (!world.secret) expect(namesOf(plan.changes)).toEqual(namesOf(differences.filter((each) => !isGone(each))));
        const done = await esign(...options);
        expect(done.code, done.output).toBe(0);
        const after = filesIn(project);
        // Nothing but what it says is changed.
        const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
        expect(changed).toEqual(
          Object.keys(plan.files)
            .map((path) => `production/${path}`)
            .concat(world.carry ? ["Pulumi.production.yaml"] : [])
            .sort(),
        );
        expect(Object.keys(before).filter((path) => !(path in after))).toEqual([]);
        if (!world.secret)
          expect(
            Object.fromEntries(Object.entries(plan.files).map(([path, text]) => [`production/${path}`, text])),
          ).toEqual(
            Object.fromEntries(
              changed.filter((path) => path.startsWith("production/")).map((path) => [path, after[path]]),
            ),
          );
        // Asked for by its new name alone, it is one that the target does not manage.
        const isSaid = world.chosen === "all" || !(world.managedOnly && isAccount(world));
        for (const each of world.companies.filter(
          (each) => !world.secret && isSaid && isRenamed(each) && isChosen(each),
        ))
          expect(plan.notes.some((note) => note.includes(`the email address of ${each.name}: `))).toBe(true);
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
        // Values are there by their names: those of a third environment come in their place.
        const third = Object.fromEntries(Object.keys(values).map((name) => [name, `https://third.example/${name}`]));
        third.brand = "#0b7285";
        const { account: elsewhere } = loadFolder(join(project, "production"), {
          values: third,
          allowUnknownValues: true,
        });
        expect(deployed(elsewhere.model)).toEqual(expected(world, third));
        for (const company of world.companies) {
          const account = loaded.account.model.companies?.find(({ name }) => name === company.name)?.account;
          // What the source has not stays as it was, its part of what it shares with others as well.
          if (company.when === "old" || isRenamed(company) || !isChosen(company))
            expect(account && deployed(account)).toEqual(gone.get(company.slug) && deployed(gone.get(company.slug)!));
          else if (company.when === "new" && world.managedOnly && isAccount(world)) expect(account).toBeUndefined();
          else
            expect(account && deployed(account)).toEqual(
              expected(world, { ...given, customer: customer.production }, company),
            );
        }
        // Nothing of the source's environment is in what was written, nor a secret of either.
        for (const path of changed.filter((path) => path.startsWith("production/")))
          for (const [name, { staging }] of Object.entries(values)) {
            if (staging === undefined || name === "same") continue;
            for (const text of [staging, escapeHtml(staging), staging.toLowerCase().replace(":443", "")])
              expect(after[path], path).not.toContain(text);
          }
        for (const path of changed) expect(after[path]).not.toContain(values.token!.production!);
        // Where no stack is named, nothing says what is secret.
        if (world.secret && (world.target === "stack" || !world.unknown))
          for (const output of [dry.output, done.output])
            for (const secret of ["st-s3cr3t", "pr-s3cr3t"]) expect(output).not.toContain(secret);
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
        // Of one with a new name that was asked for by it, the old one is not.
        const hasGone = world.companies.some(
          (each) =>
            isChosen(each) &&
            (each.when === "old" || (isRenamed(each) && (world.chosen === "all" || !isAccount(world)))),
        );
        if (!hasGone) expect(again.output).toContain("No differences.");
        expect(filesIn(project)).toEqual(settled);
        for (const sides of [
          [to, from],
          [from, to],
        ]) {
          const diff = await esign("-C", project, "diff", "--exit-code", ...sides, ...choice);
          expect(diff.code, diff.output).toBe(hasGone ? 1 : 0);
        }
        if (world.source === "folder" && world.target === "stack" && world.chosen === "all" && !hasGone) {
          const back = await esign("-C", project, "promote", to, from, "--all");
          expect(back.output).toContain("Nothing to write.");
        }
        // What is refused writes nothing.
        save(join(project, "production"), { "emails/email-rejected/subject.txt": "${include nothing}" });
        const faulty = filesIn(project);
        expect((await esign(...options)).code).not.toBe(0);
        expect(filesIn(project)).toEqual(faulty);
      } finally {
        for (const name of ["ESIGN_BASE_URL", "ESIGN_API_KEY"]) delete env[name];
        await service?.close();
        rmSync(project, { recursive: true });
      }
    }),
    { numRuns: cases(5) },
  );
});
