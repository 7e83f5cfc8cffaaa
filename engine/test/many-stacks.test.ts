/** The cost of an operation on one stack does not depend on the number of stacks. */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, expect, it, vi } from "vitest";
import { openProject } from "../index";
import { project } from "./scratch";

const readdir = vi.spyOn(promises, "readdir");
syncBuiltinESMExports();
afterEach(() => {
  readdir.mockRestore();
  syncBuiltinESMExports();
});

const listsOfStacks = () => readdir.mock.calls.filter(([folder]) => String(folder).endsWith("stacks/demo"));

it("a stack is created, opened and read without a list of all stacks", async () => {
  const { dir, env } = project({});
  const opened = await openProject({ dir, env, backendUrl: `file://${dir}` });
  await opened.initStack("other");
  readdir.mockClear();
  const created = await opened.initStack("one");
  await expect(opened.initStack("one")).rejects.toThrow("already exists");
  const stack = await opened.openStack("one");
  expect((await stack.export()).deployment.resources ?? []).toEqual([]);
  await created.close();
  expect(listsOfStacks()).toEqual([]);
  // A list of all stacks contains all of them.
  expect(await opened.stackNames()).toEqual(["one", "other"]);
  expect(listsOfStacks()).not.toEqual([]);
});
