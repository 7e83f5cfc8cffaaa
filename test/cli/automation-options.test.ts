/** The front for the Automation API knows every option that the SDK's own sources send, of each version that is supported. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newProgram } from "../../cli/automation/program";
import { run } from "../../cli/automation/run";
import { root } from "./esign";

/** What each method of a stack calls. */
const verbOf = {
  up: "up",
  preview: "preview",
  refresh: "refresh",
  previewRefresh: "refresh",
  destroy: "destroy",
  previewDestroy: "destroy",
} as const;

/** `--parallel`, or `--run-program=` where the value follows. */
function optionsOf(sdk: string, method: string): string[] {
  const source = readFileSync(join(root, "node_modules", sdk, "automation/stack.js"), "utf8");
  const body = (begin: RegExp, end: string) => {
    const at = source.search(begin);
    expect(at, `${sdk} has no ${begin}`).toBeGreaterThan(-1);
    return source.slice(at, source.indexOf(end, at));
  };
  const text =
    body(new RegExp(`^ {4}async ${method}\\(`, "m"), "\n    }\n") + body(/^function applyGlobalOpts/m, "\n}\n");
  return [...new Set([...text.matchAll(/["`](--[a-z][a-z-]*=?)/g)].map((match) => match[1]!))];
}

describe.each(["@pulumi/pulumi", "pulumi-oldest", "pulumi-newest"])("%s", (sdk) => {
  test.each(Object.entries(verbOf))("%s", async (method, verb) => {
    const sent = optionsOf(sdk, method);
    expect(sent.length).toBeGreaterThan(15);
    const program = await newProgram([verb]);
    const options = [...program.commands.find((one) => one.name() === verb)!.options, ...program.options];
    const unknown = sent.filter((name) => {
      const option = options.find(({ long }) => long === name.replace("=", ""));
      return option === undefined || (name.endsWith("=") && !option.required && !option.optional);
    });
    expect(unknown).toEqual([]);
  });
});

async function errorOf(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const write = process.stderr.write;
  process.stderr.write = ((text: string) => lines.push(text)) as never;
  try {
    expect(await run(args)).not.toBe(0);
  } finally {
    process.stderr.write = write;
  }
  return lines.join("");
}

test.each([
  [["up", "--parallel", "1.1"], 'error: invalid argument "1.1" for --parallel: It must be a positive whole number.\n'],
  [
    ["preview", "--parallel", "none"],
    'error: invalid argument "none" for --parallel: It must be a positive whole number.\n',
  ],
  [
    ["refresh", "--run-program=perhaps"],
    'error: invalid argument "perhaps" for --run-program: It must be true or false.\n',
  ],
  [["destroy", "--refresh=7"], 'error: invalid argument "7" for --refresh: It must be true or false.\n'],
])("%j is refused in the words that programs look for", async (args, message) => {
  expect(await errorOf(...args)).toBe(message);
});
