/** What a new resource needs beside its definition, and no type asks for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { accountKinds } from "../../definitions/index";
import { resourceKinds } from "../../definitions/model";
import * as hooks from "../../provider/hooks";
import { allDefinitions } from "../../provider/resources/index";
import { stories } from "../reliability/walk";

test("each resource has a handler, which the text in states names", () => {
  const handlers = Object.keys(hooks).filter((name) => name !== "createHandlers");
  expect(handlers.sort()).toEqual(allDefinitions.map(({ handler }) => handler).sort());
});

test("a component has a member for each section of a folder", () => {
  const source = readFileSync(join(__dirname, "../../provider/components/account-resources.ts"), "utf8");
  const members = [...source.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name]) => name);
  const sections = accountKinds.map(({ storage }) =>
    typeof storage === "string" ? storage : "section" in storage ? storage.section : storage.directory,
  );
  expect(members.sort()).toEqual(sections.sort());
});

test("each resource goes through runs that fail", () => {
  const kinds = new Set(stories.map(({ name }) => name.split(":")[0]));
  expect(resourceKinds.filter((kind) => !kinds.has(kind))).toEqual([]);
});
