/** Test files begin with those that take longest, on a machine as well that has not run them yet. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(__dirname, "../..");
const script = () => import(resolve(root, "tools/longest-first.mts"));

it("each file that is said to take long exists", async () => {
  const { longest, waiting } = await script();
  const files = [...waiting, ...longest];
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path: string) => !existsSync(resolve(root, path)))).toEqual([]);
});

it("files that wait come first, then one project after the other, in each the longest first and the rest by size", async () => {
  const { default: LongestFirst, longest, waiting } = await script();
  const projectOf = (name: string) => ({ name, config: { sequence: { groupOrder: 0 }, isolate: false } });
  const order = [
    ["system", waiting[0], 3],
    ["system", waiting[1], 4],
    ["in-process", "test/e.test.ts", 30],
    ["in-process", "test/b.test.ts", 20],
    ["in-process", "test/a.test.ts", 10],
    ["system", longest[0], 2],
    ["system", longest[1], 30],
    ["system", "test/c.system.test.ts", 50],
    ["system", "test/d.system.test.ts", 40],
  ] as [string, string, number][];
  const sizes = new Map(order.map(([project, path, size]) => [`${project}:${path}`, size]));
  const cache = { getFileTestResults: () => undefined, getFileStats: (key: string) => ({ size: sizes.get(key) }) };
  const files = order.map(([project, path]) => ({ project: projectOf(project), moduleId: resolve(root, path) }));
  const sorted = await new LongestFirst({ config: { root }, cache }).sort([...files].reverse());
  expect(sorted.map(({ moduleId }: { moduleId: string }) => moduleId)).toEqual(files.map(({ moduleId }) => moduleId));
});
