/** What a new resource needs beside its definition, and no type asks for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { accountKinds } from "../../definitions/index";
import { resourceKinds } from "../../definitions/model";
import * as hooks from "../../provider/hooks";
import { allDefinitions } from "../../provider/resources/index";
import { stories } from "../reliability/walk";

const read = (path: string) => readFileSync(join(__dirname, "../..", path), "utf8");

/** What is in one list and not in the other. */
const missingIn = (present: readonly string[], needed: readonly string[]) =>
  needed.filter((name) => !present.includes(name));

test("each resource has a handler, which the text in states names", () => {
  const exported = Object.keys(hooks).filter((name) => name !== "createHandlers");
  const handlers = allDefinitions.map(({ handler }) => handler);
  expect(missingIn(exported, handlers), "export them from provider/hooks.ts").toEqual([]);
  expect(missingIn(handlers, exported), "provider/hooks.ts exports what no resource is called").toEqual([]);
});

const sections = accountKinds.map(({ storage }) =>
  typeof storage === "string" ? storage : "section" in storage ? storage.section : storage.directory,
);

test("a component has a member for each section of a folder", () => {
  const source = read("provider/components/account-resources.ts");
  const members = [...source.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name]) => name!);
  expect(missingIn(members, sections), "add members to provider/components/account-resources.ts").toEqual([]);
  expect(missingIn(sections, members), "members of no section in provider/components/account-resources.ts").toEqual([]);
});

test("the page about an account's folder names each section", () => {
  const page = read("docs/reference/account-folder.md");
  const isNamed = (section: string) => new RegExp(`\\b${section}\\b`).test(page);
  expect(
    sections.filter((section) => !isNamed(section)),
    "name them in docs/reference/account-folder.md",
  ).toEqual([]);
});

test("each resource goes through runs that fail", () => {
  const kinds = stories.map(({ name }) => name.split(":")[0]!);
  expect(missingIn(kinds, resourceKinds), "add their stories to test/reliability/walk.ts").toEqual([]);
});
