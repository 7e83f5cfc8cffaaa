/** Every command line in the pages is one that the program understands: its commands and its options exist. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Command } from "commander";
import { beforeAll, expect, test } from "vitest";
import { root } from "../cli/esign";

// As it is built: the sentences of its options are read from compiled modules.
const { groups } = createRequire(__filename)(
  join(root, "dist/.modules/cli/commands/index.js"),
) as typeof import("../../cli/commands/index");
const program = new Command("esign").option("-C, --cwd <folder>").option("-V, --version");

beforeAll(async () => {
  const added = new Set<string>();
  for (const { load } of groups) {
    const add = await load();
    // Several groups may share a function; functions without a name are all different.
    if (add.name === "" || !added.has(add.name)) add(program);
    added.add(add.name);
  }
});

const pages = ["", "docs", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== "", withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|yml)$/.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((page) => page !== "CHANGELOG.md"),
);

/** The command lines of a page: in blocks, in lines that are indented, and between backticks. */
function linesOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(?!ts|yaml|json)[^\n]*\n([\s\S]*?)^ *```$/gm)].map((match) => match[1]!);
  const indented = text.match(/^ {4,}\S.*$/gm) ?? [];
  const inline = [...text.matchAll(/`(esign [^`]*)`/g)].map((match) => match[1]!);
  return [...blocks.flatMap((block) => block.split("\n")), ...indented, ...inline]
    .flatMap((line) => line.replace(/ {2,}#.*/, "").split(/&&|;|\|/))
    .flatMap(
      (line) => /^\s*(?:- )?(?:run: )?(?:\$ )?(?:npx (?:--no -- |pulumi-))?esign\s+(\S.*)$/.exec(line)?.[1] ?? [],
    );
}

/** Such as `emulator`, which runs by itself, too: what follows may be a value. */
const hasAction = (command: Command): boolean => "_actionHandler" in command && command._actionHandler !== null;

/** What is unknown in a command line; undefined when it is understood. */
function unknownIn(line: string): string | undefined {
  const words = line.split(/\s+/).filter((word) => !/^[<…]/.test(word));
  let command = program;
  for (const word of words) {
    if (word.startsWith("-")) {
      const name = word.split("=")[0]!;
      const options = [...command.options, ...program.options];
      if (!options.some(({ long, short }) => name === long || name === short) && !/^(--help|-h|-)$/.test(name))
        return `${name} of ${command.name()}`;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined && word === "help") return undefined;
    if (next === undefined && command.commands.length > 0 && !hasAction(command)) return word;
    command = next ?? command;
  }
  return undefined;
}

test.each(pages)("%s has only commands and options that exist", (page) => {
  const lines = linesOf(readFileSync(join(root, page), "utf8"));
  expect(lines.flatMap((line) => unknownIn(line) ?? []).map((word) => `${page}: ${word}`)).toEqual([]);
});

/** Commands that no longer exist, by the table of what is in the package, without those whose name another group has. */
function removedCommands(): string[] {
  const table = readFileSync(join(root, "decisions/scope.md"), "utf8");
  const removed = [...table.matchAll(/^\| `(?:esign )?([^`]+)` \| (?:`|gone|the command `)/gm)].map(
    (match) => match[1]!,
  );
  const nested = new Set(program.commands.flatMap(({ commands }) => commands.map((command) => command.name())));
  return removed.filter((name) => !nested.has(name));
}

test.each(pages)("%s names no command that was removed", (page) => {
  const removed = removedCommands();
  expect(removed).toEqual(expect.arrayContaining(["whoami", "inventory", "webhooks map"]));
  const spans = [...readFileSync(join(root, page), "utf8").matchAll(/`(?:esign )?([^`\n]+)`/g)].map(
    (match) => match[1]!,
  );
  expect(spans.filter((span) => removed.includes(span))).toEqual([]);
});

test("the pages have command lines", () => {
  const lines = pages.flatMap((page) => linesOf(readFileSync(join(root, page), "utf8")));
  expect(lines.length).toBeGreaterThan(100);
  expect(unknownIn("up --no-such-option")).toBe("--no-such-option of up");
  expect(unknownIn("no-such-command")).toBe("no-such-command");
});
