/**
 * Random programs in YAML: the parsed program is the written one, values remain unknown or secret in texts and functions, and any
 * error in a file is reported with a message and a position.
 */
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { cases, fc } from "../../test/chance";
import { containsSecret, containsUnknown, secret, type Value } from "../resource/property-value";
import { UNKNOWN } from "../resource/signatures";
import { printed } from "../yaml/evaluated-values";
import { formatAccess, isAccess, type PropertyAccess, parseText, type TextPart } from "../yaml/property-access";
import { type RunOptions, runProgram } from "./yaml-program";

/** Characters with a meaning in references, and others. */
const unit = fc.constantFrom("$", "{", "}", "a", "b", ".", "[", "]", '"', "\\", "0", "-", " ", "é", ":");
const text = fc.string({ unit, maxLength: 12 });

const name = fc.stringMatching(/^[a-z][a-zA-Z0-9_-]{0,5}$/);
/** A quoted name cannot end with a backslash, which would escape the quote. */
const quoted = text.map((key) => key.replace(/\\+$/, ""));
const access: fc.Arbitrary<PropertyAccess> = fc.record({
  root: name,
  path: fc.array(fc.oneof(name, quoted, fc.nat(20)), { maxLength: 4 }),
});

/** The reference as a user writes it. */
const print = (parts: readonly TextPart[]): string =>
  parts.map((part) => (isAccess(part) ? `\${${formatAccess(part)}}` : part.replaceAll("$", "$$$$"))).join("");

/** Adjacent texts are joined, and empty ones are left out beside others. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (!isAccess(part) && last !== undefined && !isAccess(last)) result[result.length - 1] = last + part;
    else if (part !== "") result.push(part);
  }
  return result.length > 0 ? result : [""];
}

describe("references in texts", () => {
  test("are parsed as they are written", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, access), { maxLength: 5 }), (parts) => {
        expect(parseText(print(parts))).toEqual(joined(parts));
      }),
      { numRuns: cases(100) },
    );
  });

  test("a text without a dollar sign before a brace or a dollar sign is itself", () => {
    fc.assert(
      fc.property(text, (any) => {
        fc.pre(!/\$[${]/.test(any));
        expect(parseText(any)).toEqual([any]);
      }),
      { numRuns: cases(100) },
    );
  });

  test("whatever is parsed can be written and parsed again; the rest is refused", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (any) => {
        const parts = parseText(any);
        if ("error" in parts) expect(parts.error).toMatch(/\w+ \w+/);
        else expect(parseText(print(parts))).toEqual(parts);
      }),
      { numRuns: cases(150) },
    );
  });
});

/** A value of a variable, and whether it is unknown or secret. */
type Mark = "plain" | "secret" | "unknown" | "unknown secret";
interface Variable {
  value: Value;
  mark: Mark;
}

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1e6, 999999, 1e-5),
);
const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.string({ unit, maxLength: 6 }),
  fc.boolean(),
  number.map((n) => n + 0),
);
const mark = fc.constantFrom<Mark>("plain", "plain", "secret", "unknown", "unknown secret");
const variable = (value: fc.Arbitrary<Value>): fc.Arbitrary<Variable> => fc.record({ value, mark });
const { nested } = fc.letrec<{ nested: Value }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie("nested"), { minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.oneof(name, quoted), tie("nested"), { minKeys: 1, maxKeys: 3 }),
  ),
}));

/** The value in a program, with doubled dollar signs. */
function written(value: Value): Value {
  if (typeof value === "string") return value.replaceAll("$", "$$$$");
  if (Array.isArray(value)) return value.map(written);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.replaceAll("$", "$$$$"), written(member)]),
  );
}

const markOf = (marks: readonly Mark[], value: () => Value): Value => {
  const plain = marks.some((each) => each.startsWith("unknown")) ? UNKNOWN : value();
  return marks.some((each) => each.endsWith("secret")) ? secret(plain) : plain;
};

/**
 * What a resource and the stack get in a program with variables `v0`, `v1` …: unknown ones are outputs of a resource that is not
 * created yet.
 */
async function valuesOf(expression: Value, variables: readonly Variable[], options: RunOptions = {}) {
  const declared = variables.map(({ value, mark }, index) => {
    const own = mark.startsWith("unknown") ? "${later.address}" : written(value);
    return [`v${index}`, mark.endsWith("secret") ? { "fn::secret": own } : own];
  });
  const later = { type: "storage:Bucket", properties: { label: "later" } };
  const user = { type: "storage:Bucket", properties: { label: "user", any: expression } };
  const program = { resources: { later, user }, variables: Object.fromEntries(declared), outputs: { out: expression } };
  const run = await runProgram(stringify(program, { aliasDuplicateObjects: false }), { dryRun: true, ...options });
  expect(run.result).toEqual({ ok: true });
  return { input: run.goal("user").inputs.any!, output: run.outputs!.out! };
}

describe("values through texts and functions", () => {
  test("a text of references: numbers as Go prints them, unknown or secret as soon as one part is", async () => {
    const parts = fc.array(fc.oneof(text, fc.nat(2)), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(parts, fc.array(variable(scalar), { minLength: 3, maxLength: 3 }), async (parts, variables) => {
        fc.pre(parts.some((part) => typeof part === "number"));
        const template = `-${print(parts.map((part) => (typeof part === "number" ? { root: `v${part}`, path: [] } : part)))}`;
        const used = parts.flatMap((part) => (typeof part === "number" ? [variables[part]!] : []));
        const plain = () =>
          `-${parts.map((part) => (typeof part === "number" ? printed(variables[part]!.value)! : part)).join("")}`;
        expect((await valuesOf(template, variables)).input).toEqual(
          markOf(
            used.map((each) => each.mark),
            plain,
          ),
        );
      }),
    );
  });

  test("a way into lists and maps of any depth finds its value, with the mark of the whole", async () => {
    await fc.assert(
      fc.asyncProperty(variable(nested), fc.array(fc.nat(), { maxLength: 4 }), async (whole, choices) => {
        const path: (string | number)[] = [];
        let { value } = whole;
        for (const choice of choices) {
          if (value === null || typeof value !== "object") break;
          const keys = Object.keys(value);
          const key = keys[choice % keys.length]!;
          path.push(Array.isArray(value) ? Number(key) : key);
          value = (value as Record<string, Value>)[key]!;
        }
        const reference = `\${${formatAccess({ root: "v0", path })}}`;
        expect((await valuesOf(reference, [whole])).input).toEqual(markOf([whole.mark], () => value));
      }),
    );
  });

  test("no function makes a secret plain, or an unknown value known", async () => {
    const call = fc.constantFrom<(args: Value[]) => Value>(
      (args) => ({ "fn::join": ["-", args] }),
      (args) => ({ "fn::toJSON": { list: args } }),
      (args) => ({ "fn::toBase64": { "fn::join": ["", args] } }),
      (args) => ({ "fn::sha1": { "fn::join": ["", args] } }),
      (args) => ({ "fn::split": ["-", { "fn::join": ["-", args] }] }),
      (args) => ({ "fn::select": [0, args] }),
      (args) => ({ "fn::length": args }),
      (args) => ({ [`-${args.join("")}`]: args }),
    );
    const values = fc.array(variable(fc.string({ unit, maxLength: 6 })), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(call, values, async (make, variables) => {
        const { input, output } = await valuesOf(make(variables.map((_, index) => `\${v${index}}`)), variables);
        const has = (what: string) => variables.some(({ mark }) => mark.includes(what));
        expect(containsSecret(input)).toBe(has("secret"));
        if (has("unknown")) expect([containsUnknown(input), output]).toEqual([true, UNKNOWN]);
        else expect(containsSecret(output)).toBe(has("secret"));
      }),
    );
  });

  test("a stack's output is unknown as a whole, as soon as one part is, and else secret as a whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(variable(scalar), { minLength: 1, maxLength: 4 }), async (variables) => {
        const list = variables.map((_, index) => `\${v${index}}`);
        const all = markOf(
          variables.map(({ mark }) => mark),
          () => ({ list: variables.map(({ value }) => value) }),
        );
        expect((await valuesOf({ list }, variables)).output).toEqual(containsUnknown(all) ? UNKNOWN : all);
      }),
    );
  });
});

describe("the order of declarations", () => {
  test("a program without a circle runs in whatever order it is written; one with a circle is refused, with its place", async () => {
    const graph = fc.array(fc.array(fc.nat(5), { maxLength: 2 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(graph, async (edges) => {
        const targets = edges.map((to) => to.filter((each) => each < edges.length));
        const reach = (from: number, seen: Set<number>): boolean =>
          targets[from]!.some((to) => seen.has(to) || reach(to, new Set([...seen, to])));
        const isCircular = targets.some((_, from) => reach(from, new Set([from])));
        const variables = Object.fromEntries(
          targets.map((to, from) => [`v${from}`, `<${from}${to.map((each) => `\${v${each}}`).join("")}>`]),
        );
        const value = (from: number): string => `<${from}${targets[from]!.map(value).join("")}>`;
        const run = await runProgram(stringify({ variables, outputs: { all: "${v0}" } }));
        if (isCircular) {
          expect(run.result.message).toMatch(/^Pulumi\.yaml:\d+:\d+: these refer to each other in a circle: v\d/);
          expect(run.goals).toEqual([]);
        } else expect(run.outputs).toEqual({ all: value(0) });
      }),
    );
  });
});

/** Each mistake is one line. A text that is not YAML is one mistake, with an excerpt. */
function expectPlaces(message: string): void {
  if (message.startsWith("Pulumi.yaml: ")) expect(message).toMatch(/^Pulumi\.yaml: .*\bline \d+, column \d+/);
  else for (const line of message.split("\n")) expect(line).toMatch(/^Pulumi\.yaml:\d+:\d+: \S/);
}

describe("whatever a file holds", () => {
  const lines = fc.constantFrom(
    ...["variables:", "resources:", "outputs:", "  a: ${b}", "  b: { fn::join: [',', [a]] }", "  c: *a"],
    ...[
      "  d: &a { x: 1 }",
      "    type: storage:Bucket",
      "    properties: ${a}",
      "  - ${a[0]}",
      "  fn::secret: x",
      "  ? [1]",
    ],
    ...["  a:", "    get: { id: '${b}' }", "    options: { dependsOn: [$a] }", "  a: !!binary x", "  fn::invoke: {}"],
    ...[
      "  null: ~",
      "  1: 2",
      "...",
      "---",
      "  a: 0x",
      "  x: ${",
      "    - fn::select: [9, []]",
      "\t- x",
      "  a: <<",
      "  <<: *a",
    ],
  );
  const any = fc.oneof(
    fc.array(fc.oneof(lines, fc.string({ unit, maxLength: 8 })), { maxLength: 8 }).map((all) => all.join("\n")),
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.json().map((json) => `outputs: ${json}`),
  );

  test("is run, or refused with line and column", async () => {
    await fc.assert(
      fc.asyncProperty(any, async (content) => {
        const { result } = await runProgram(content);
        if (!result.ok) expectPlaces(result.message!);
      }),
      { numRuns: cases(60) },
    );
  });

  test.each([
    ["lists", (depth: number) => `outputs: { a: ${"[".repeat(depth)}${"]".repeat(depth)} }`],
    ["objects", (depth: number) => `outputs: ${"{ a: ".repeat(depth)}1${" }".repeat(depth)}`],
    ["calls", (depth: number) => `outputs: { a: ${"{ fn::secret: ".repeat(depth)}1${" }".repeat(depth)} }`],
    ["steps", (depth: number) => `outputs: { a: "\${b${".c".repeat(depth)}}" }`],
    ["references", (depth: number) => `outputs: { a: "${"${b}".repeat(depth)}" }`],
  ])("%s without end are refused with their place", async (_, make) => {
    for (const depth of [1000, 20_000]) {
      const { result } = await runProgram(make(depth));
      if (!result.ok) expectPlaces(result.message!);
    }
  });
});
