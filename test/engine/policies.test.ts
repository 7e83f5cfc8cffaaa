import { writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { mergePolicyConfig, type PolicyInfo, readPolicyConfigFile } from "../../engine/config/policy-config";
import { startPolicyPack } from "../../engine/plugin/policy-pack";
import type { AnalyzedResource, PolicyPack, PolicyViolation } from "../../engine/resource/policy";
import { nameOf, typeOf } from "../../engine/resource/urn";
import { World } from "./world";

/** A pack that finds fault with values above a limit. */
function limit(most: number, level: PolicyViolation["level"] = "mandatory"): PolicyPack & { seen: string[] } {
  const seen: string[] = [];
  const look = (resource: AnalyzedResource, phase: string): PolicyViolation[] => {
    if (!typeOf(resource.state.urn).endsWith("Thing")) return [];
    const value = Number(resource.properties.value ?? 0);
    seen.push(`${phase} ${nameOf(resource.state.urn)} ${value}`);
    return value > most ? [{ policy: "limit", pack: "p@v1", level, message: `above ${most}` }] : [];
  };
  return {
    label: "p@v1",
    seen,
    remediate: async () => [],
    analyze: async (resource) => look(resource, "input"),
    analyzeStack: async (resources) => resources.flatMap((resource) => look(resource, "final")),
  };
}

const errors = ({ events }: World) =>
  events.flatMap((e) => (e.type === "diagnostic" && e.severity !== "info" ? [`${e.severity}: ${e.message}`] : []));

describe("policy packs", () => {
  test("a mandatory violation stops an update before the resource is touched", async () => {
    const world = new World();
    world.policyPacks = [limit(1)];
    const program = [{ name: "a", value: 1 }, { name: "b", value: 2, dependsOn: ["a"] }, { name: "c" }];
    expect((await world.up(program)).ok).toBe(false);
    expect(world.calls).not.toContain("create b");
    expect(errors(world)).toEqual(["error: mandatory policy limit (p@v1): above 1"]);
    expect((await world.up([{ name: "a", value: 1 }])).ok).toBe(true);
  });

  test("a preview shows everything, and fails", async () => {
    const world = new World();
    world.policyPacks = [limit(1)];
    const program = [
      { name: "a", value: 5 },
      { name: "b", value: 2 },
    ];
    const { ok, steps } = await world.preview(program);
    expect(ok).toBe(false);
    expect(steps).toEqual(expect.arrayContaining(["create a", "create b"]));
    expect(errors(world)).toHaveLength(4);
  });

  test("an advisory one is reported, and the update goes on; at the end the whole stack is analyzed", async () => {
    const world = new World();
    const pack = limit(1, "advisory");
    world.policyPacks = [pack];
    expect((await world.up([{ name: "a", value: 2 }])).ok).toBe(true);
    expect(errors(world)).toContain("warning: advisory policy limit (p@v1): above 1");
    expect(pack.seen).toEqual(["input a 2", "final a 2"]);
    pack.seen.length = 0;
    await world.up([{ name: "a", value: 2 }]);
    expect(pack.seen).toEqual(["input a 2", "final a 2"]);
  });

  test("a remediation changes what is analyzed, checked in and created", async () => {
    const world = new World();
    const pack = limit(1);
    pack.remediate = async ({ state, properties }) =>
      typeOf(state.urn).endsWith("Thing")
        ? [{ policy: "cap", pack: "p@v1", description: "caps it", properties: { ...properties, value: 1 } }]
        : [];
    world.policyPacks = [pack];
    expect((await world.up([{ name: "a", value: 9 }])).ok).toBe(true);
    expect(world.resource("a")?.inputs?.value).toBe(1);
    expect(pack.seen).toEqual(["input a 1", "final a 1"]);
  });
});

describe("their configuration", () => {
  const policies: PolicyInfo[] = [
    {
      name: "words",
      level: "advisory",
      properties: { allow: { type: "array", items: { type: "string" }, default: ["x"] } },
      required: [],
    },
    { name: "size", level: "mandatory", properties: { most: { type: "number" } }, required: [] },
  ];

  test("a file overrides the pack, the pack overrides the defaults, a policy's own entry overrides all", () => {
    const merged = mergePolicyConfig("p@v1", policies, [
      { size: { level: "advisory", properties: { most: 3 } } },
      { all: { level: "mandatory", properties: {} }, words: { level: "disabled", properties: {} } },
    ]);
    expect(merged).toEqual({
      words: { level: "disabled", properties: { allow: ["x"] } },
      size: { level: "mandatory", properties: { most: 3 } },
    });
  });

  test.each([
    [{ sise: { properties: {} } }, /no policy "sise"; it has words, size/],
    [{ size: { properties: { most: "3" } } }, /size\.most: .*number/],
    [{ words: { properties: { allow: [1] } } }, /words\.allow\.0: .*string/],
  ])("%j is refused", (config, message) => {
    expect(() => mergePolicyConfig("p@v1", policies, [config])).toThrow(message);
  });

  test.each([
    ["{", /not valid JSON/],
    ["[]", /must be an object/],
    [
      '{"size": "strict"}',
      /size: the enforcement level must be advisory, mandatory, remediate, disabled, not "strict"/,
    ],
    ['{"size": {"enforcementLevel": 1}}', /size: the enforcement level/],
    ['{"environments": []}', /use the Pulumi CLI/],
  ])("the file %s is refused", async (text, message) => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), "policy-")), "config.json");
    writeFileSync(file, text);
    await expect(readPolicyConfigFile(file)).rejects.toThrow(message);
  });

  test("a folder without a pack, or without @pulumi/policy, is refused with what to do", async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "policy-"));
    const start = () => startPolicyPack({ directory }, { env: {} } as never);
    await expect(start()).rejects.toThrow(/no PulumiPolicy.yaml/);
    writeFileSync(path.join(directory, "PulumiPolicy.yaml"), "runtime: python\n");
    await expect(start()).rejects.toThrow(/runtime is "python"/);
    writeFileSync(path.join(directory, "PulumiPolicy.yaml"), "runtime: nodejs\n");
    await expect(start()).rejects.toThrow(/npm install @pulumi\/policy/);
  });
});
