/** The table of runtimes in the documentation has what tests try, by version. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { runtimes } from "./runtimes";

const root = resolve(__dirname, "../..");
const page = readFileSync(resolve(root, "docs/reference/receiver.md"), "utf8");
const { devDependencies } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));
const [, table = ""] = /## Runtimes\n([^#]*)/.exec(page) ?? [];

/** What is tried every day, with the version that is installed. */
const daily = ["express", "fastify", "@codegenie/serverless-express", "serverless-http", "@azure/functions"].map(
  (name) => ({
    name,
    version: /\d+/.exec(devDependencies[name])![0],
  }),
);

test.each([...runtimes, ...daily])("$name $version", ({ name, version }) => {
  const line = table.split("\n").find((row) => row.toLowerCase().includes(name.split(" ")[0]!.toLowerCase()));
  expect(line).toMatch(new RegExp(`\\b${version.replace(".", "\\.")}\\b`));
});
