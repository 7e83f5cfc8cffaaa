/** Test files begin with those that take longest, on a machine as well that has not run them yet. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(__dirname, "../..");
const script = () => import(resolve(root, "tools/longest-first.mts"));

it("each file that is said to take long exists", async () => {
  const { longest } = await script();
  expect(longest.length).toBeGreaterThan(0);
  expect(longest.filter((path: string) => !existsSync(resolve(root, path)))).toEqual([]);
});

it("files that take long come first, the longest before the others, and the rest by size", async () => {
  const { default: LongestFirst, longest } = await script();
  const project = { name: "system", config: { sequence: { groupOrder: 1 }, isolate: false } };
  const sizes: Record<string, number> = { "a.test.ts": 10, [longest[1]]: 1, "b.test.ts": 20, [longest[0]]: 2 };
  const cache = {
    getFileTestResults: () => undefined,
    getFileStats: (key: string) => ({ size: sizes[key.slice("system:".length)] }),
  };
  const files = Object.keys(sizes).map((path) => ({ project, moduleId: resolve(root, path) }));
  const sorted = await new LongestFirst({ config: { root }, cache }).sort(files);
  expect(sorted.map(({ moduleId }: { moduleId: string }) => moduleId)).toEqual(
    [longest[0], longest[1], "b.test.ts", "a.test.ts"].map((path) => resolve(root, path)),
  );
});
