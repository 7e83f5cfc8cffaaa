/** Every page of help, rendered. */
import type { Command } from "commander";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { helpTopics } from "../../cli/commands/help/topics";
import { wholeProgram } from "../../cli/commands/program";
import { esign } from "./in-process";

interface Page {
  path: string;
  text: string;
  command: Command;
}

async function pages(): Promise<Page[]> {
  const all: Page[] = [];
  const visit = (command: Command, path: string) => {
    const parts: string[] = [];
    command.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp();
    all.push({ path, text: parts.join(""), command });
    for (const sub of command.commands) visit(sub, `${path} ${sub.name()}`);
  };
  visit(await wholeProgram(), "esign");
  return all;
}

it("is at most 78 columns wide", async () => {
  const lines = [
    ...(await pages()).flatMap(({ path, text }) => text.split("\n").map((line) => `${path}: ${line}`)),
    ...Object.values(helpTopics).flatMap(({ text }) => text.split("\n").map((line) => `topic: ${line}`)),
  ];
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.filter((line) => stringWidth(line.slice(line.indexOf(": ") + 2)) > 78)).toEqual([]);
});

it("says -j wherever it says --json, and has no other meaning for a short option", async () => {
  const meanings = new Map<string, Set<string>>();
  for (const { command } of await pages()) {
    for (const { short, long } of command.options) {
      if (long === "--json") expect(short).toBe("-j");
      if (short != null) meanings.set(short, (meanings.get(short) ?? new Set()).add(long ?? ""));
    }
  }
  const several = [...meanings].filter(([, names]) => names.size > 1).map(([short, names]) => [short, ...names]);
  // These are the Pulumi CLI's.
  expect(several).toEqual([
    ["-f", "--skip-preview", "--force"],
    ["-c", "--config", "--create"],
  ]);
});

it("groups the options of `up`", async () => {
  const up = (await pages()).find(({ path }) => path === "esign up");
  const headings = [...up!.text.matchAll(/^(\w+):$/gm)].map((match) => match[1]);
  expect(headings).toEqual(["Common", "Selection", "Advanced", "Engine", "Options", "Examples"]);
});

const home = process.cwd();

it.each(Object.entries(helpTopics))("has the topic %s", async (topic, { text }) => {
  expect(await esign(["help", topic], { home })).toEqual({ code: 0, stdout: text, stderr: "" });
});

it.each([
  [["login"], "PULUMI_BACKEND_URL"],
  [["watch"], "pulumi watch"],
  [["policy", "ls"], "pulumi policy"],
  [["convert"], "pulumi convert"],
  [["import"], "esign export"],
  [["new"], "esign init"],
  [["config", "env"], "pulumi config env"],
  [["foo"], 'Run "esign --help".'],
  [["stack", "foo"], 'Run "esign stack --help".'],
  [["webhooks", "foo"], 'Run "esign webhooks --help".'],
])("%j ends with exit code 2 and what to do instead", async (args, words) => {
  const { code, stderr } = await esign(args, { home });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
});

it.each(["bash", "zsh", "fish"])("has a completion script for %s, with commands and options", async (shell) => {
  const { code, stdout } = await esign(["completion", shell], { home });
  expect(code).toBe(0);
  for (const word of ["webhooks", "create", "--expect-no-changes", "references"]) expect(stdout).toContain(word);
  // No files where a command must follow.
  if (shell === "fish") expect(stdout).toContain(`-n "__fish_use_subcommand" -f -a`);
});
