/** Programs in YAML: what they declare, what is rejected at which position, and how values become texts. */
import { describe, expect, it, test } from "vitest";
import { fc } from "../../test/chance";
import { secret } from "../resource/property-value";
import { UNKNOWN } from "../resource/signatures";
import { printed } from "../yaml/evaluated-values";
import { parseText } from "../yaml/property-access";
import { runProgram, urnOf } from "./yaml-program";

const bucket = (properties: string, more = "") => `resources:
  b:
    type: storage:Bucket
    properties: { label: b, ${properties} }
${more}`;

/** The value of a property in a program with only that property. */
async function inputOf(expression: string, before = "", options = {}) {
  const run = await runProgram(`${before}\n${bucket(`any: ${expression}`)}`, options);
  return run.result.ok ? run.goal("b").inputs.any : run.result;
}

describe("values", () => {
  it.each([
    ["text", "text"],
    ["3", 3],
    ["1.5", 1.5],
    ["true", true],
    ["null", undefined],
    ["[null, { a: null, b: 1 }]", [null, { b: 1 }]],
    ["2024-01-02", "2024-01-02"],
    ["1e999", "1e999"],
    ["-12e34567", "-12e34567"],
    ["18446744073709551616", 2 ** 64],
    ["0xFFFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFFF"],
    ['"$$"', "$"],
    ['"$${b}"', "${b}"],
    ['"a$b"', "a$b"],
    ["[1, [a]]", [1, ["a"]]],
    ["{ a: { b: 1 } }", { a: { b: 1 } }],
    ["{ fn::join: ['-', [a, b]] }", "a-b"],
    ["{ fn::join: [null, [a, b]] }", "ab"],
    ["{ fn::split: [',', 'a,b'] }", ["a", "b"]],
    ["{ fn::split: ['', 'a😀b'] }", ["a", "😀", "b"]],
    ["{ fn::select: [1, [a, b]] }", "b"],
    ["{ FN::SELECT: [0, [a, b]] }", "a"],
    ["{ fn::toJSON: { b: [1, '<'], a: true } }", '{"a":true,"b":[1,"\\u003c"]}'],
    ["{ fn::toBase64: é }", "w6k="],
    ["{ fn::fromBase64: w6k= }", "é"],
    ["{ fn::length: 'e\u0301a' }", 2],
    ["{ fn::length: [1, 2, 3] }", 3],
    ["{ fn::singleOrNone: [7] }", 7],
    ["{ fn::singleOrNone: [] }", undefined],
    ["{ fn::sha1: abc }", "a9993e364706816aba3e25717850c26c9cd0d89d"],
    ["{ fn::secret: s }", secret("s")],
    ["{ fn::join: ['-', [{ fn::secret: s }, b]] }", secret("s-b")],
    ["{ fn::unsecret: { fn::secret: s } }", "s"],
    ["[{ fn::secret: s }, b]", [secret("s"), "b"]],
    ["{ fn::readFile: a.txt }", "hello"],
    ["{ fn::filebase64: a.txt }", "aGVsbG8="],
    ["{ fn::filebase64sha256: a.txt }", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="],
    ['"${pulumi.project}/${pulumi.stack}"', "shop/dev"],
  ])("%s", async (expression, value) => {
    expect(await inputOf(expression, "", { files: { "a.txt": "hello" } })).toEqual(value);
  });

  it.each([
    ["${list[1].name}", "second"],
    ['${map["a key"]}', "found"],
    ["${list}", [{ name: "first" }, { name: "second" }]],
    ["${mixed.open}", secret("o")],
  ])("a way into a variable: %s", async (access, value) => {
    const variables = `variables:
  list: [{ name: first }, { name: second }]
  map: { "a key": found }
  mixed: { open: o, hidden: { fn::secret: h } }`;
    expect(await inputOf(`'${access}'`, variables)).toEqual(value);
  });

  it("a null that comes from a resource is sent, not left out: without its account, an object would be in another one", async () => {
    const run = await runProgram(`variables: { none: null }
resources:
  base: { type: pulumi:pulumi:StackReference }
  b:
    type: storage:Bucket
    properties: { label: "\${base.outputs.nope}", password: "\${base.outputs.nope}", any: "\${none}", tags: { a: "\${base.outputs.nope}" } }
outputs: { a: "\${base.outputs.nope}", b: "\${none}", c: { fn::secret: "\${base.outputs.nope}" } }`);
    expect(run.goal("b").inputs).toEqual({ label: null, password: secret(null), tags: {} });
    expect(run.goal("b").propertyDependencies.label).toEqual([urnOf("pulumi:pulumi:StackReference", "base")]);
    expect(run.outputs).toEqual({ a: null, c: secret(null) });
  });

  it("a resource in a list or an object is one, also in a preview, in which a new one has no id yet", async () => {
    const text = `variables: { list: ["\${a}"], map: { one: "\${a}" }, first: { fn::select: [0, ["\${a}"]] } }
resources:
  a: { type: storage:Bucket, properties: { label: a } }
  b:
    type: storage:Bucket
    properties: { label: "\${list[0].label}-\${map.one.label}-\${first.label}" }
    options: { dependsOn: "\${list}", parent: "\${map.one}", deletedWith: "\${list[0]}" }
  c: { type: storage:Bucket, properties: { label: c }, options: { dependsOn: ["\${map.one}"] } }`;
    for (const dryRun of [true, false]) {
      const run = await runProgram(text, { dryRun });
      expect(run.result).toEqual({ ok: true });
      const urn = urnOf("storage:index:Bucket", "a");
      expect(run.goal("b")).toMatchObject({ dependencies: [urn], parent: urn, deletedWith: urn });
      expect(run.goal("b").inputs).toEqual({ label: "a-a-a" });
      expect(run.goal("c").dependencies).toEqual([urn]);
    }
  });

  it("a name that is secret makes the whole object so: a name cannot be encrypted", async () => {
    const variables = "variables:\n  hush: { fn::secret: name }";
    expect(await inputOf('{ "${hush}": 1, open: 2 }', variables)).toEqual(secret({ name: 1, open: 2 }));
    expect(await inputOf('{ fn::toJSON: { "${hush}": 1 } }', variables)).toEqual(secret('{"name":1}'));
  });

  it.each([
    ["integer", "1000000", "n=1e+06", 1000000],
    ["string", '"007"', "n=007", "007"],
    // As in Pulumi YAML, a text that looks like a number is a number.
    ["string", '"12"', "n=12", 12],
    ["string", '"1.50"', "n=1.5", 1.5],
    ["string", '"1e3"', "n=1000", 1000],
    ["string", '"-0"', "n=0", 0],
    ["string", '"123e4567"', "n=123e4567", "123e4567"],
    ["string", '"2024-01-01"', "n=2024-01-01", "2024-01-01"],
    ["string", "T", "n=true", true],
    ["boolean", "true", "n=true", true],
  ])("configuration of the type %s", async (type, preset, text, value) => {
    const config = `config:\n  n: { type: ${type}, default: ${preset} }`;
    expect(await inputOf('"n=${n}"', config)).toBe(text);
    expect(await inputOf('"${n}"', config)).toBe(value);
    expect(await inputOf('"${shop:n}"', config)).toBe(value);
  });

  it("what the program itself declares, under the old name or in a file of its own, has its default", async () => {
    const old =
      'configuration:\n  n: { type: Number, default: 7 }\n  l: { type: "List<String>", default: [a, b], secret: true }';
    expect(await inputOf('["${n}", "${l[1]}"]', old)).toEqual([7, secret("b")]);
    expect(await inputOf('"${n}"', old, { config: { "shop:n": "8" } })).toBe(8);
    const main = { "Main.yaml": `config: { n: { type: integer, default: 7 } }\n${bucket('any: "${n}"')}` };
    expect((await runProgram("", { files: main })).goal("b").inputs.any).toBe(7);
    expect(await inputOf('"${n}"', "configuration:\n  n: { type: Number }")).toMatchObject({
      ok: false,
      message: expect.stringContaining("config.n has no value: config set n <value>"),
    });
    expect(await inputOf('"${n}"', 'configuration:\n  n: { default: "${l}" }')).toMatchObject({
      ok: false,
      message: expect.stringContaining("the default of a configuration takes no references"),
    });
  });

  it("a part of a secret that is not there is sent, too", async () => {
    const config = { "shop:o": { a: 1, hidden: { secure: "h" } } };
    expect(await inputOf('"${o.nope}"', "", { config })).toEqual(secret(null));
    expect(await inputOf("{ fn::secret: null }")).toBeUndefined();
  });

  it("what is encrypted is a secret, whatever the program says", async () => {
    const config = { "shop:key": { secure: "k" } };
    expect(await inputOf('"${key}"', "config: { key: { type: string, secret: false } }", { config })).toEqual(
      secret("k"),
    );
  });

  it("configuration that no one has declared has the type that it looks like; what is encrypted is a secret", async () => {
    const config = {
      "shop:flag": "true",
      "shop:count": "12",
      "shop:zip": "012",
      "shop:key": { secure: "k" },
      "other:x": "y",
    };
    expect(await inputOf('["${flag}", "${count}", "${zip}", "${key}", "${other:x}"]', "", { config })).toEqual([
      true,
      12,
      "012",
      secret("k"),
      "y",
    ]);
  });

  test("a number in a text is written as Go does", () => {
    const cases: Record<string, number> = {
      "1": 1,
      "100000": 1e5,
      "1e+06": 1e6,
      "1.234567e+06": 1234567,
      "123456.7": 123456.7,
      "0.0001": 1e-4,
      "1e-05": 1e-5,
      "1.2345e-05": 0.000012345,
      "1e+21": 1e21,
      "-3": -3,
      "2.1e+07": 2.1e7,
      "0": 0,
      "-0": -0,
    };
    for (const [text, number] of Object.entries(cases)) expect(printed(number)).toBe(text);
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => Object.is(Number(printed(n)), n)),
    );
  });

  test("every text can be written: its dollar signs doubled", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", "a", ".", "[", '"', "é") }), (text) => {
        expect(parseText(text.replaceAll("$", "$$$$"))).toEqual([text]);
      }),
    );
    // No text crashes the parser or keeps it busy for ever.
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", "a", ".", "[", "]", '"', "\\", "0") }), (text) => {
        expect(parseText(text)).toBeDefined();
      }),
    );
  });
});

describe("resources", () => {
  it("are registered under the stack, with what they depend on", async () => {
    const run = await runProgram(
      `variables:
  address: https://\${a.address}/x
resources:
  b:
    type: storage:index:Bucket
    name: second
    properties: { label: "\${address}", any: "\${a}", tags: { one: "\${a.id}" } }
    options: { dependsOn: ["\${c}"], protect: true, ignoreChanges: [label], customTimeouts: { create: 1h30m }, parent: "\${a}" }
  a: { type: storage:Bucket, properties: { label: a, password: hush } }
  c: { type: storage:Bucket, properties: { label: c }, options: { deletedWith: "\${a}", aliases: ["urn:pulumi:dev::shop::t::n", { name: old }] } }
outputs: { id: "\${b.id}", urn: "\${b.urn}", token: "\${a.token}" }`,
      { outputs: ({ name }) => ({ address: `at-${name}`, token: secret("t") }) },
    );
    expect(run.result).toEqual({ ok: true });
    expect(run.goals.map(({ name }) => name)).toEqual(["shop-dev", "a", "c", "second"]);
    const [a, c] = ["a", "c"].map((name) => urnOf("storage:index:Bucket", name));
    expect(run.goal("second")).toMatchObject({
      type: "storage:index:Bucket",
      parent: a,
      inputs: {
        label: "https://at-a/x",
        tags: { one: "id-of-a" },
        any: { urn: a, id: "id-of-a", packageVersion: "" },
      },
      dependencies: [a, c],
      propertyDependencies: { label: [a], any: [a], tags: [a] },
      protect: true,
      ignoreChanges: ["label"],
      customTimeouts: { create: 5400 },
      additionalSecretOutputs: ["token"],
      aliases: [{ type: "old:index:Bucket" }],
    });
    expect(run.goal("a").inputs.password).toEqual(secret("hush"));
    expect(run.goal("c")).toMatchObject({
      deletedWith: a,
      aliases: [{ urn: "urn:pulumi:dev::shop::t::n" }, { name: "old" }, { type: "old:index:Bucket" }],
    });
    expect(run.outputs).toEqual({
      id: "id-of-second",
      token: secret("t"),
      urn: urnOf("storage:index:Bucket", "second", a),
    });
  });

  it("in a preview, what is not known yet is unknown in all that is made of it", async () => {
    const run = await runProgram(
      `resources:
  a: { type: storage:Bucket, properties: { label: a } }
  b: { type: storage:Bucket, properties: { label: "x\${a.id}", any: ["\${a.address}", "\${a.label}"] } }
variables:
  found: { fn::invoke: { function: storage:getBuckets, arguments: { prefix: "\${a.address}" }, return: items } }
  whole: { fn::invoke: { function: storage:getBuckets, arguments: { prefix: "\${a}" }, return: items } }
outputs: { found: "\${found[0]}", token: "\${a.token}", list: ["\${a.token}", { of: "\${b.label}" }], known: ["\${a.label}"] }`,
      { dryRun: true, outputs: () => ({ token: secret(UNKNOWN) }) },
    );
    expect(run.goal("b").inputs).toEqual({ label: UNKNOWN, any: [UNKNOWN, "a"] });
    // As in the CLI: the outputs of the program neither say which part is unknown, nor that it is a secret.
    expect(run.outputs).toEqual({ found: UNKNOWN, token: UNKNOWN, list: UNKNOWN, known: ["a"] });
    expect(run.calls).toEqual([]);
  });

  it("a provider serves what names it, and a default one the rest of its package", async () => {
    const run = await runProgram(`resources:
  p: { type: pulumi:providers:storage, properties: { key: k } }
  d: { type: pulumi:providers:storage, defaultProvider: true }
  a: { type: storage:Bucket, properties: { label: a }, options: { provider: "\${p}" } }
  b: { type: storage:Bucket, properties: { label: b } }`);
    const reference = (name: string) => `${urnOf("pulumi:providers:storage", name)}::id-of-${name}`;
    expect([run.goal("a").provider, run.goal("b").provider, run.goal("d").provider]).toEqual([
      reference("p"),
      reference("d"),
      "",
    ]);
    expect(run.goal("p").inputs).toEqual({ key: secret("k") });
  });

  it("calls functions, reads what exists, and constructs components", async () => {
    const run = await runProgram(`variables:
  all: { fn::invoke: { function: storage:getBuckets, arguments: { prefix: { fn::secret: p } } } }
  short: { fn::storage:getBuckets: { prefix: q } }
resources:
  other: { type: pulumi:pulumi:StackReference, properties: { name: shop/prod } }
  old: { type: storage:Bucket, get: { id: "17", state: { label: old } } }
  group: { type: storage:Group, properties: { label: g } }
  b: { type: storage:Bucket, properties: { label: "\${other.outputs.region}", any: "\${all.items[1]}", tags: { a: "\${group.first}" } } }
outputs: { short: "\${short.items}" }`);
    expect(run.result).toEqual({ ok: true });
    expect(run.reads.map(({ type, name, id, inputs }) => ({ type, name, id, inputs }))).toEqual([
      { type: "pulumi:pulumi:StackReference", name: "other", id: "shop/prod", inputs: { name: "shop/prod" } },
      { type: "storage:index:Bucket", name: "old", id: "17", inputs: { label: "old" } },
    ]);
    expect(run.goal("group")).toMatchObject({ remote: true, custom: false });
    expect(run.goal("b")).toMatchObject({
      inputs: { label: "west", any: secret("y"), tags: { a: "a" } },
      propertyDependencies: { tags: ["urn:pulumi:dev::shop::t::inside", urnOf("storage:index:Group", "group")].sort() },
    });
    expect(run.outputs).toEqual({ short: ["x", "y"] });
  });

  it("what is in a component is a dependency of what uses its outputs, also by a list", async () => {
    const run = await runProgram(`variables: { list: [{ of: "\${group}" }] }
resources:
  group: { type: storage:Group, properties: { label: g } }
  b: { type: storage:Bucket, properties: { label: "\${list[0].of.first}" } }`);
    expect(run.goal("b").inputs.label).toBe("a");
    const inside = ["urn:pulumi:dev::shop::t::inside", urnOf("storage:index:Group", "group")].sort();
    expect(run.goal("b").dependencies).toEqual(inside);
  });

  it("what fails keeps back what depends on it, and nothing else", async () => {
    const run = await runProgram(
      `resources:
  a: { type: storage:Bucket, properties: { label: a } }
  b: { type: storage:Bucket, properties: { label: "\${a.id}" } }
  c: { type: storage:Bucket, properties: { label: c } }
outputs: { b: "\${b.id}", c: "\${c.id}" }`,
      { outcome: ({ name }) => (name === "a" ? "failed" : "done") },
    );
    expect(run.goals.map(({ name }) => name)).toEqual(["shop-dev", "a", "c"]);
    expect([run.result, run.outputs]).toEqual([{ ok: false }, { c: "id-of-c" }]);
  });
});

describe("mistakes", () => {
  it.each([
    [
      "an unknown name",
      bucket('any: "${bukcet.id}"', "  bucket: { type: storage:Bucket, properties: { label: c } }"),
      'there is no resource, variable or config "bukcet", did you mean bucket?',
    ],
    ["a circle", `variables: { a: "\${b}", b: "\${a}" }`, "these refer to each other in a circle: a → b → a"],
    ["two of one name", `variables: { b: 1 }\n${bucket("any: 1")}`, "b is declared twice"],
    [
      "an unknown type",
      "resources: { b: { type: storage:Buckets } }",
      "storage:Buckets is not a resource of the package storage, did you mean storage:Bucket?",
    ],
    [
      "another package",
      "resources: { b: { type: aws:s3:Bucket } }",
      "the package aws is not supported by the built-in engine. Run with --engine pulumi to use the Pulumi CLI",
    ],
    [
      "an unknown type of as many letters",
      "resources: { b: { type: storage:Graph } }",
      "storage:Graph is not a resource of the package storage; it has storage:Bucket, storage:Group",
    ],
    [
      "a misspelt type that has the module",
      "resources: { b: { type: storage:index:Gruop } }",
      "storage:index:Gruop is not a resource of the package storage, did you mean storage:Group?",
    ],
    ["an unknown property", bucket("lable: x"), "b (storage:Bucket) has no property lable, did you mean label?"],
    [
      "a property of which half the letters differ",
      bucket("sink: 1"),
      "b (storage:Bucket) has no property sink (label, size,",
    ],
    [
      "a property that is missing",
      "resources: { b: { type: storage:Bucket } }",
      "b (storage:Bucket) lacks label: set it under properties",
    ],
    ["a wrong type", bucket("size: many"), "size of b (storage:Bucket) must be a whole number"],
    ["a number for a text", bucket("password: 5"), "password of b (storage:Bucket) must be a text: put it in quotes"],
    ["a list for a text", bucket("password: [x]"), "password of b (storage:Bucket) must be a text, not a list"],
    [
      "an object for a flag",
      bucket("isPublic: { a: 1 }"),
      "isPublic of b (storage:Bucket) must be true or false, not an object",
    ],
    [
      "an unknown option",
      bucket("any: 1", "    options: { protekt: true }"),
      "protekt is not a member of the options of b, did you mean protect?",
    ],
    [
      "an option that only the CLI has",
      bucket("any: 1", "    options: { envVarMappings: {} }"),
      "the option envVarMappings is not supported by the built-in engine",
    ],
    ["an unknown function", bucket("any: { fn::jion: [] }"), "fn::jion is not a function, did you mean fn::join?"],
    [
      "a function named like a member of every object",
      bucket("any: { fn::constructor: [] }"),
      "fn::constructor is not a function; functions: join,",
    ],
    ["a member named so", "constructor: {}\n", "constructor is not a member of the program ("],
    ["an asset", bucket("any: { fn::fileAsset: x }"), "fn::fileAsset makes an asset, which is not supported"],
    ["components", "components: {}\n", "components in YAML are not supported"],
    ["an unknown member", "resorces: {}\n", "resorces is not a member of the program, did you mean resources?"],
    ["no type", "resources: { b: { properties: {} } }", "resources.b needs a type"],
    ["an infinite number", bucket("any: [-.inf]"), "a number must be finite: put it in quotes if it is a text"],
    ["what is not a number", bucket("any: { a: .nan }"), "a number must be finite"],
    ["an open reference", bucket('any: "${b"'), 'the reference that begins with "${" has no "}"'],
    [
      "a function beside others",
      bucket("any: { fn::toJSON: 1, a: 2 }"),
      "fn::toJSON must be the only member of its object",
    ],
    [
      "a function of no package",
      bucket("any: { fn::invoke: { function: storage:getBucket } }"),
      "storage:getBucket is not a function of the package storage, did you mean storage:getBuckets?",
    ],
    [
      "a member that Pulumi does not have",
      bucket('any: "${pulumi.stak}"'),
      "pulumi has no stak, did you mean ${pulumi.stack}?",
    ],
    [
      "a property of what is read",
      "resources: { b: { type: storage:Bucket, get: { id: x, state: { lable: b } } } }",
      "b (storage:Bucket) has no property lable, did you mean label?",
    ],
    [
      "a reference in a resource's name",
      'resources: { b: { type: storage:Bucket, name: "x${pulumi.stack}", properties: { label: b } } }',
      "resources.b.name must be a text, without references",
    ],
    [
      "a number as a resource's name",
      "resources: { b: { type: storage:Bucket, name: 5, properties: { label: b } } }",
      "resources.b.name must be a text, without references",
    ],
    [
      "a result that the function does not have",
      bucket("any: { fn::invoke: { function: storage:getBuckets, return: itmes } }"),
      "the result of storage:getBuckets has no member itmes, did you mean items?",
    ],
    ...(
      [
        ["a member of a result", "${all.itmes}", "all has no itmes, did you mean ${all.items}?"],
        [
          "a member of an item of a result",
          "${all.items[1].lable}",
          "all.items[1] has no lable, did you mean ${all.items[1].label}?",
        ],
        [
          "a member of a result under another name",
          "${map.inner.items[0].lable}",
          "map.inner.items[0] has no lable, did you mean ${map.inner.items[0].label}?",
        ],
        [
          "a member of a result's member",
          "${items[0].lable}",
          "items[0] has no lable, did you mean ${items[0].label}?",
        ],
        ["a member of an object in a variable", "${map.here}", "map has no here (inner, deep)"],
        ["a member of an object in an object", "${map.deep.there}", "map.deep has no there (one)"],
      ] as const
    ).map(([what, access, message]) => [
      what,
      `variables:
  all: { fn::invoke: { function: storage:getBuckets } }
  items: { fn::invoke: { function: storage:getBuckets, return: items } }
  map: { inner: "\${other}", deep: { one: 1 } }
  other: "\${all}"
${bucket(`any: "${access}"`)}`,
      message,
    ]),
  ])("%s: nothing is registered", async (_, text, message) => {
    const { result, goals } = await runProgram(text);
    expect(result.ok).toBe(false);
    expect(result.message).toContain(message);
    expect(result.message).toMatch(/^Pulumi\.yaml:\d+:\d+: /);
    expect(goals).toEqual([]);
  });

  it.each([
    ["a list in a text", '"x${list}"', "${list} is a list, which cannot be part of a text: use fn::join or fn::toJSON"],
    [
      "a resource in a text",
      '"x${c}"',
      "${c} is a resource, which cannot be part of a text: name one of its outputs, such as .id",
    ],
    ["a member of a text", '"${c.label.x}"', '${c.label.x}: a text has no member "x"'],
    ["an index that is not there", '"${list[2]}"', "${list[2]}: there is no item 2 in a list of 1"],
    ["a resource in JSON", '{ fn::toJSON: { x: "${c}" } }', "fn::toJSON takes no resource: name its outputs"],
    ["a resource that has a length", '{ fn::length: "${c}" }', "must be a list, an object or a text, not a resource"],
    [
      "a list of arguments",
      "{ fn::invoke: { function: storage:getBuckets, arguments: [prefix] } }",
      "the arguments of storage:getBuckets must be an object, not a list",
    ],
    ["no list", "{ fn::join: ['', x] }", "the second argument of fn::join must be a list, not a text"],
    ["no file", "{ fn::readFile: none.txt }", "fn::readFile: none.txt: there is no such file"],
  ])("%s is found when the value is made, and what does not need it is registered", async (_, expression, message) => {
    const { result, goals } = await runProgram(
      `variables: { list: [1] }\n${bucket(`any: ${expression}`, "  c: { type: storage:Bucket, properties: { label: c } }")}`,
    );
    expect(result).toEqual({ ok: false, message: expect.stringContaining(message) });
    expect(goals.map(({ name }) => name)).toEqual(["shop-dev", "c"]);
  });

  it("all of them are said, each with its line and column", async () => {
    const { result } = await runProgram(bucket('any: "${x}", lable: 1', "  d: { type: storage:Bukcet }"));
    expect(result.message?.split("\n").map((line) => /^Pulumi\.yaml:(\d+):\d+: /.exec(line)?.[1])).toEqual([
      "6",
      "6",
      "7",
    ]);
  });

  it("what is no YAML", async () => {
    expect((await runProgram("resources: [")).result).toEqual({
      ok: false,
      message: expect.stringMatching(/^Pulumi\.yaml: /),
    });
  });

  it("a hostile name is a name", async () => {
    const run = await runProgram('variables: { __proto__: 1, constructor: "${toString}" }');
    expect(run.result.message).toContain('there is no resource, variable or config "toString"');
  });
});
