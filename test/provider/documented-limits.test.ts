/** Numbers that sentences for users repeat: editors and docs show them, so they cannot be computed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pictureLimits } from "../../account-folder/pictures/picture-limits";
import { validateOptions } from "../../sdk/validate-client-options";

const read = (file: string) => readFileSync(join(__dirname, "../..", file), "utf8");
/** The sentence before a member. */
const sentenceOf = (source: string, member: string) =>
  new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*${member}\\?:`).exec(source)?.[1] ?? "";

describe("the defaults of the client and of the provider's settings are those of their sentences", () => {
  const defaults = validateOptions({ baseUrl: "https://sign.example", apiKey: "Tk1-documented" });
  it.each(["maxConcurrency", "timeout", "pageSize", "retries"] as const)("%s", (name) => {
    expect(sentenceOf(read("sdk/options.ts"), name)).toContain(`(${defaults[name]})`);
    expect(sentenceOf(read("provider/pulumi/explicit-provider.ts"), name)).toContain(`Default: ${defaults[name]}.`);
  });
});

it("the limits of pictures are those of the sentence", () => {
  const { time, bytes } = pictureLimits;
  expect(sentenceOf(read("provider/pulumi/explicit-provider.ts"), "comparePictures")).toContain(
    `at most ${time / 1000} seconds and ${bytes / 1e6} MB`,
  );
});
