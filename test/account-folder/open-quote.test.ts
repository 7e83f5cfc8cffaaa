/** A quotation mark that is not closed is reported where it opens, by everything that reads YAML. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { parseYaml } from "../../account-folder/folder/parse-yaml";
import { findYamlErrors } from "../../account-folder/folder/yaml-errors";
import { describeYamlProblem } from "../../fs/yaml-problem";
import { esign } from "../cli/in-process";
import { save, temporaryFolder } from "../files";

test.each([
  ['name: "shop\nruntime: nodejs\n', 1, 7],
  ["a: 1\nb: 'x\nc: 2\nd: 3\n", 2, 4],
  ['a: "x\nb: "y"\nc: 1\n', 1, 4],
  ['values:\n  - one\n  - "two\n', 3, 5],
  ["branding: { colour: '#112233 }\n", 1, 21],
])("%j", (text, line, column) => {
  const place = `line ${line}, column ${column}: a quotation mark opens here and is not closed`;
  expect(describeYamlProblem(text, parseDocument(text).errors[0])).toBe(place);
  const [error] = findYamlErrors(parseYaml(text), text);
  const before = text.slice(0, error!.pos[0]).split("\n");
  expect([before.length, before.at(-1)!.length + 1]).toEqual([line, column]);
});

test("commands name the place", async () => {
  const home = temporaryFolder();
  save(home, {
    "Pulumi.yaml": 'name: "shop\nruntime: nodejs\n',
    "account/account.yaml": 'branding:\n  colour: "#112233\n',
  });
  const listed = await esign(["stack", "ls"], { home });
  expect([listed.code, listed.stderr]).toEqual([
    2,
    `error: ${join(home, "Pulumi.yaml")}: line 1, column 7: a quotation mark opens here and is not closed\n`,
  ]);
  const linted = await esign(["lint", "account"], { home });
  expect(linted.stdout).toContain("account.yaml:2:11  error  settings\n  invalid YAML: a quotation mark opens here");
});
