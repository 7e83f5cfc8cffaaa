/** The JSON schemas of the settings files, which the package ships for editors. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import Ajv from "ajv";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { settingsSchemas } from "../../account-folder/folder/json-schema";

const root = join(__dirname, "../..");
const schemas = settingsSchemas();
const validators = Object.entries(schemas).map(([file, schema]) => [file, new Ajv().compile(schema)] as const);

it.each(validators)("%s: accepts the files of all examples and templates", (name, validate) => {
  const files = ["examples", "templates"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => basename(path) === name && !path.includes("node_modules"))
      .map((path) => join(root, folder, path)),
  );
  for (const file of files)
    expect([file, validate(parse(readFileSync(file, "utf8"))), validate.errors]).toEqual([file, true, null]);
  expect(files.length).toBeGreaterThan(name === "account.yaml" ? 1 : -1);
});

it.each([
  ["account.yaml", "webhook:\n  a: { type: all, url: https://a.example }", "webhook"],
  ["account.yaml", "webhooks:\n  a: { type: all }", "required"],
  ["account.yaml", "settings:\n  other: { colour: 1 }", "colour"],
  ["company.yaml", "name: A\nuserName: B\nuserEmail: c@d.example\nonExisting: maybe", "onExisting"],
])("%s: marks %j", (file, text, place) => {
  const validate = validators.find(([name]) => name === file)![1];
  expect(validate(parse(text))).toBe(false);
  expect(JSON.stringify(validate.errors)).toContain(place);
});

it("accepts what the files may say: numbers, placeholders and values that this version does not know", () => {
  const [, validate] = validators[0]!;
  const text =
    "branding: { colour: '${colour}' }\nusers:\n  a: { name: 7, email: a@b.example, role: new }\nlint: { off: { image-alt: true } }";
  expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
});
