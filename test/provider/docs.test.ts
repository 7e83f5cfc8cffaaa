/** The page about the resources names everything that there is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as esign from "../../provider";
import { errorCodes } from "../../provider/core/error-codes";
import { definitions } from "../../provider/resources/index";
import { environmentName, settingNames } from "../../provider/session/settings";

const read = (name: string) => readFileSync(join(__dirname, "../../docs/reference", name), "utf8");
const page = read("resources.md");

describe("docs/reference/resources.md", () => {
  it.each(Object.values(definitions).map((definition) => [definition.kind, definition] as const))(
    "names all of %s",
    (kind, definition) => {
      const section = page.split(`\n## ${kind}\n`)[1]!.split("\n## ")[0]!;
      for (const name of [...Object.keys(definition.args.shape), ...Object.keys(definition.outputs.shape)]) {
        expect(section).toMatch(new RegExp(`\`${name}\\??\``));
      }
    },
  );

  it("names every function", () => {
    const functions = Object.keys(esign).filter((name) => /^get\w+(?<!Output)$/.test(name));
    expect(functions.length).toBeGreaterThanOrEqual(7);
    for (const name of functions) expect(page).toContain(`\`${name}\``);
    for (const name of functions) expect(esign).toHaveProperty(`${name}Output`);
  });
});

it("docs/reference/configuration.md names every setting", () => {
  const settings = read("configuration.md");
  for (const name of settingNames) {
    expect(settings).toContain(`\`esign:${name}\``);
    expect(settings).toContain(`\`${environmentName(name)}\``);
  }
});

describe("the provider's error codes", () => {
  const root = join(__dirname, "../../provider");
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith("error-codes.ts"))
    .map((name) => readFileSync(join(root, name), "utf8"));

  it.each(Object.entries(errorCodes))("%s is used, and documented as `esign explain` shows it", (code, info) => {
    expect(sources.some((source) => source.includes(`"${code}"`))).toBe(true);
    expect(read("error-codes.md")).toContain(`| ${code} | ${info.title} | ${info.cause} | ${info.fix} |`);
  });
});
