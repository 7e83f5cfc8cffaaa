/** What the reference has of the provider, beyond its generated parts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as esign from "../../provider";
import { errorCodes } from "../../provider/core/error-codes";
import { definitions } from "../../provider/resources/index";

const read = (name: string) => readFileSync(join(__dirname, "../../docs/reference", name), "utf8");

it("docs/reference/resources.md has every resource", () => {
  for (const { kind } of Object.values(definitions)) {
    expect(read("resources.md")).toContain(`\n## ${kind}\n`);
    expect(read("resources.md")).toContain(`<!-- generated: args ${kind} -->`);
  }
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
