import { describe, expect, test } from "vitest";
import { cases, fc } from "../../test/chance";
import { GoalDecoder } from "../monitor/goal-decoder";
import { toPropertyDiffs as describeChanges, diffProperties } from "../resource/property-diff";
import { applyIgnoreChanges, containsPath, formatPath, type Path, parsePath } from "../resource/property-path";
import {
  annotateSecrets,
  containsSecret,
  isEqual,
  secret,
  toPrintable,
  toProviderInputs,
  toProviderState,
  unwrapOutputValues,
  unwrapSecrets,
  type Value,
  type ValueMap,
} from "../resource/property-value";
import type { ResourceState } from "../resource/resource-state";
import { SIG_KEY, SignatureKind, UNKNOWN } from "../resource/signatures";
import { Crypter } from "../secrets/crypter";
import { ResourceSerializer } from "../state/serializer";

const names = fc.stringMatching(/^[a-z][a-z0-9 "]{0,5}$/);
const { map } = fc.letrec<{ value: Value; map: ValueMap }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
    fc.string({ unit: "grapheme" }),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("map"),
    tie("value").map(secret),
  ),
  map: fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

/** Nested secrets are stored as one. */
const flat = (v: Value): Value =>
  containsSecret(v) && (v as ValueMap)[SIG_KEY] === SignatureKind.secret
    ? secret((unwrapSecrets({ v: (v as ValueMap).value as Value }).v ?? null) as Value)
    : Array.isArray(v)
      ? v.map(flat)
      : v !== null && typeof v === "object"
        ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, flat(x)]))
        : v;

describe("the state", () => {
  const crypter = Crypter.create("a passphrase");
  const resource = { urn: "urn:pulumi:s::p::t::n", type: "t", custom: true };
  const reread = (serializer: ResourceSerializer, written: unknown) =>
    serializer.deserialize(JSON.parse(JSON.stringify(written)));

  test("returns its input unchanged, secrets and unknown fields included", async () => {
    const c = await crypter;
    fc.assert(
      fc.property(
        map,
        map,
        fc.dictionary(
          fc.constantFrom("future", "other"),
          fc.jsonValue().map((v) => JSON.parse(JSON.stringify(v))),
        ),
        (inputs, outputs, unknown) => {
          const original: ResourceState = { ...unknown, ...resource, id: "i", inputs, outputs };
          const back = reread(new ResourceSerializer(c), new ResourceSerializer(c).serialize(original));
          for (const field of ["inputs", "outputs"] as const)
            expect(back[field] ?? {}).toEqual(flat(original[field] as Value));
          for (const [k, v] of Object.entries(unknown)) expect(back[k]).toEqual(v);
        },
      ),
      { numRuns: cases(50) },
    );
  });

  test("has no secret in clear, and an unchanged secret keeps its ciphertext", async () => {
    const codec = new ResourceSerializer(await crypter);
    const state: ResourceState = {
      ...resource,
      inputs: { key: secret("HUSH-1"), deep: [{ x: secret({ y: "HUSH-2" }) }] },
    };
    const written = codec.serialize(state);
    const first = JSON.stringify(written);
    expect(first).not.toContain("HUSH");
    expect(JSON.stringify(codec.serialize({ ...state }))).toBe(first);
    const other = new ResourceSerializer(await crypter);
    expect(JSON.stringify(other.serialize(reread(other, written)))).toBe(first);
  });

  test("is not opened by another passphrase", async () => {
    const { salt } = await crypter;
    await expect(Crypter.open("another", salt)).rejects.toMatchObject({ code: "passphrase" });
    expect((await Crypter.open("a passphrase", salt)).decrypt((await crypter).encrypt("x"))).toBe("x");
  });
});

describe("values", () => {
  test("what differs inside of a secret is reported without its value", () => {
    const values = (word: string): ValueMap => ({
      login: secret({ user: "u", password: `${word} hush` }),
      list: [secret([`${word} hush`])],
    });
    const diff = diffProperties(values("old"), values("new"), { ignoreSecrecy: true });
    const changes = describeChanges(diff, () => false, false);
    expect(changes.map((d) => [d.path, d.before, d.after])).toEqual([
      ["login.password", "[secret]", "[secret]"],
      ["list[0][0]", "[secret]", "[secret]"],
    ]);
  });

  test("equality is reflexive and symmetric, and differences are empty exactly for equal maps", () => {
    fc.assert(
      fc.property(map, map, (a, b) => {
        expect(isEqual(a, structuredClone(a))).toBe(true);
        expect(isEqual(a, b)).toBe(isEqual(b, a));
        expect(diffProperties(a, b).length === 0).toBe(isEqual(a, b));
      }),
    );
  });

  test("providers get no secrets and no references", () => {
    fc.assert(fc.property(map, (m) => !containsSecret(toProviderInputs(m))));
    const reference = { [SIG_KEY]: SignatureKind.reference, urn: "urn:x", id: "the-id", packageVersion: "" };
    expect(toProviderInputs({ a: reference, b: { ...reference, id: "" } })).toEqual({ a: "the-id", b: "urn:x" });
  });

  test("what was secret in the question is secret in the answer", () => {
    const question = { a: secret("x"), list: [1, secret(2)], open: { in: secret("y"), out: "z" } };
    const marked = annotateSecrets({ a: "x", list: [1, 2], open: { in: "y", out: "z" }, other: 1 }, question);
    expect(marked).toEqual({ a: secret("x"), list: secret([1, 2]), open: { in: secret("y"), out: "z" }, other: 1 });
    fc.assert(fc.property(map, (m) => isEqual(unwrapSecrets(annotateSecrets(unwrapSecrets(m), m)), unwrapSecrets(m))));
  });

  test("output values become what they hold", () => {
    const output = (o: ValueMap): Value => ({ [SIG_KEY]: SignatureKind.output, ...o });
    const values = { a: output({ value: 1 }), b: output({}), c: output({ value: "s", secret: true }) };
    expect(unwrapOutputValues(values)).toEqual({ a: 1, b: UNKNOWN, c: secret("s") });
  });

  test("nothing secret is printed", () => {
    const printed = toPrintable([secret("HUSH"), { x: secret([1]) }, UNKNOWN]);
    expect(printed).toEqual(["[secret]", { x: "[secret]" }, "[unknown]"]);
  });
});

describe("paths", () => {
  const path = fc
    .array(fc.oneof(names, fc.nat(5)), { minLength: 1, maxLength: 4 })
    .filter((p) => typeof p[0] === "string");
  test("are read as they are written", () => {
    fc.assert(
      fc.property(path, (p) => {
        expect(parsePath(formatPath(p as Path))).toEqual(p);
      }),
    );
    expect(parsePath("a[")).toBeUndefined();
    expect(parsePath(".a")).toBeUndefined();
    expect(containsPath(["a", "*"], ["a", 3, "b"])).toBe(true);
    expect(containsPath(["a", "b"], ["a"])).toBe(false);
  });

  test("ignoring everything gives back the old inputs, ignoring nothing the new ones", () => {
    fc.assert(
      fc.property(map, map, (before, now) => {
        expect(isEqual(applyIgnoreChanges(["*"], before, now).inputs, before)).toBe(true);
        expect(applyIgnoreChanges([], before, now).inputs).toBe(now);
      }),
    );
    const [before, now] = [
      { a: { b: 1 }, list: [1, 2] },
      { a: { b: 2, c: 3 }, list: [5, 6] },
    ];
    const { inputs } = applyIgnoreChanges(["a.b", "list[0]"], before, now);
    expect(inputs).toEqual({ a: { b: 1, c: 3 }, list: [1, 6] });
    expect(applyIgnoreChanges(["list[2]"], { list: [1] }, { list: [1, 2, 3] }).unresolvable).toEqual(["list[2]"]);
  });
});

test("what is only compared has the hash of an asset, not its content", () => {
  const asset = { [SIG_KEY]: SignatureKind.asset, hash: "abc", text: "long" };
  expect(toProviderState({ a: [secret(asset)] })).toEqual({ a: [{ [SIG_KEY]: SignatureKind.asset, hash: "abc" }] });
  expect(toProviderInputs({ a: asset })).toEqual({ a: asset });
});

test("a reference to a resource is stored with the version of its package, which is empty for dynamic ones", async () => {
  const decoder = new GoalDecoder({ projectDirectory: "/p", programDirectory: "/p" });
  const reference = { [SIG_KEY]: SignatureKind.reference, urn: "urn:x", id: "the-id" };
  expect(await decoder.decodeValues({ list: [reference] })).toEqual({ list: [{ ...reference, packageVersion: "" }] });
});
