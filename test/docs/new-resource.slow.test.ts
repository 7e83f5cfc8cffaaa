/** The schema of the plugin can be begun: neither examples nor an earlier schema are needed to write it, since both follow from it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const isExample = (path: unknown) => String(path).includes(join("registry", "examples"));

vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  return {
    ...fs,
    existsSync: (path: string) => !isExample(path) && fs.existsSync(path),
    readFileSync(...args: Parameters<typeof fs.readFileSync>) {
      if (isExample(args[0])) throw new Error(`${args[0]} is not there yet`);
      return fs.readFileSync(...args);
    },
  };
});
vi.mock("../../schemas/provider.json", () => ({ default: {} }));

// Other files of this worker share its modules: none of theirs is here, and none of these is left to them.
beforeAll(() => void vi.resetModules());
afterAll(() => void vi.resetModules());

test("without examples and an earlier schema it has every resource, with the same arguments and sentences", async () => {
  const { providerSchema } = await import("../../tools/reference/provider-schema.js");
  const schema = readFileSync(join(__dirname, "../../schemas/provider.json"), "utf8");
  const withoutExamples = JSON.parse(schema, (key, value) =>
    key === "description" ? value.replace(/\n\n\{\{% examples[\s\S]*/, "") : value,
  );
  expect(JSON.parse(providerSchema())).toEqual(withoutExamples);
  expect(schema).toContain("{{% examples %}}");
});

test("each example that is missing is named, with what makes it", async () => {
  const { missingExamples } = await import("../../tools/reference/registry.js");
  expect(missingExamples(["Webhook", "Contact"])).toEqual([
    expect.stringMatching(
      /^registry\/examples\/Webhook\.md is missing: write registry\/examples\/Webhook\.yaml, .*registry-examples/,
    ),
    expect.stringMatching(/^registry\/examples\/Contact\.md is missing: /),
  ]);
});

test("the page of a resource without examples has its other parts", async () => {
  const { fill } = await import("../../tools/reference/index.js");
  const page = (name: string) =>
    `<!-- generated: ${name} Webhook -->\n\n<!-- end -->\n\n<!-- generated: args Webhook -->\n\n<!-- end -->\n`;
  for (const name of ["example", "importing", "registryExample"]) {
    const filled = await fill(page(name));
    expect(filled, name).toContain("`onExisting?`");
    expect(filled, name).not.toContain("undefined");
  }
});
