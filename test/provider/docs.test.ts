/** What the reference has of the provider, beyond its generated parts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as esign from "../../provider";
import { errorCodes } from "../../provider/core/error-codes";
import type { ResourceDefinition } from "../../provider/core/resource-definition";
import { problemOfId } from "../../provider/lifecycle/validate-id";
import { definitions } from "../../provider/resources/index";

const read = (name: string) => readFileSync(join(__dirname, "../../docs/reference", name), "utf8");

const languages = ["TypeScript", "Python", "Go", "C#", "Java", "YAML"];
/** The languages in which a page shows the program of a block. */
const languagesIn = (page: string, block: string) => {
  const [, text = ""] = page.split(`<!-- generated: example ${block} -->`);
  return [...text.split("<!-- end -->")[0]!.matchAll(/<summary>(.+)<\/summary>\n\n```/g)].map(([, title]) => title);
};

describe("the reference of resources", () => {
  const kinds = [...Object.values(definitions).map(({ kind }) => kind), "AccountConfig", "SubAccount"];
  // "Subaccount" is one word everywhere.
  const fileOf = (kind: string) =>
    `resources/${kind
      .replace("SubAccount", "Subaccount")
      .replace(/(?!^)[A-Z]/g, "-$&")
      .toLowerCase()}.md`;

  it.each(kinds)("%s has a page with each language, import, adoption and deletion", (kind) => {
    const page = read(fileOf(kind));
    expect(languagesIn(page, kind)).toEqual(languages);
    const isComponent = !Object.values(definitions).some((each) => each.kind === kind);
    expect(page).toContain(`<!-- generated: ${isComponent ? "componentArgs" : "args"} ${kind} -->`);
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(expect.arrayContaining(["Example", "Arguments", "Import", "Adoption", "Deletion"]));
    expect(read("resources.md")).toContain(`[${kind}](${fileOf(kind)})`);
  });

  it("has no other pages", () => {
    const pages = readdirSync(join(__dirname, "../../docs/reference/resources")).map((name) => `resources/${name}`);
    expect(pages.sort()).toEqual(kinds.map(fileOf).sort());
  });

  it("imports by IDs that such resources can have, and names a subaccount where there is one", () => {
    for (const definition of Object.values(definitions) as ResourceDefinition[]) {
      const commands = [...read(fileOf(definition.kind)).matchAll(/^\$ pulumi import (\S+) \S+ (\S+)/gm)];
      expect(commands.length).toBe("account" in definition.args.shape ? 2 : 1);
      for (const [, token, id = ""] of commands)
        expect([token, problemOfId(definition, id, false)]).toEqual([`esign:index:${definition.kind}`, undefined]);
    }
  });
});

it("programs of no single resource have each language, too", () => {
  expect(languagesIn(read("resources.md"), "provider")).toEqual(languages);
  expect(languagesIn(read("functions.md"), "functions")).toEqual(languages);
});

it("docs/reference/functions.md has every function, each of which has a form for outputs", () => {
  const functions = Object.keys(esign).filter((name) => /^get\w+(?<!Output)$/.test(name));
  const sections = [...read("functions.md").matchAll(/^## (\w+)$/gm)].map((match) => match[1]);
  expect(sections.toSorted()).toEqual(functions.toSorted());
  for (const name of functions) expect(esign).toHaveProperty(`${name}Output`);
});

describe("the provider's error codes", () => {
  const root = join(__dirname, "../../provider");
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith("error-codes.ts"))
    .map((name) => readFileSync(join(root, name), "utf8"));

  it.each(Object.entries(errorCodes))("%s is used", (code) => {
    expect(sources.some((source) => source.includes(`"${code}"`))).toBe(true);
  });
});
