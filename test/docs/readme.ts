/** The programs of the README, by the language of their block. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../cli/esign";

export const readme = readFileSync(join(root, "README.md"), "utf8");

const blocks = new Map<string, string>(
  [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => [language, text]),
);

export function programIn(language: "ts" | "python" | "yaml" | "go"): string {
  const program = blocks.get(language);
  if (program === undefined) throw new Error(`the README has no program in ${language}`);
  return program;
}

/** The indented lines of commands that follow a sentence of the README. */
export function commandsAfter(sentence: string): string {
  const from = readme.indexOf(sentence);
  if (from < 0) throw new Error(`the README lacks ${sentence}`);
  return /\n\n((?: {4}.*\n)+)/.exec(readme.slice(from))![1]!;
}
