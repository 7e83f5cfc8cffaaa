import path from "node:path";
import { describe, expect, test } from "vitest";
import { save, temporaryFolder } from "../../test/files";
import { mergePolicyConfig, type PolicyInfo, readPolicyConfigFile } from "../config/policy-config";
import { startPolicyPack } from "../plugin/policy-pack";
import type { AnalyzedResource, PolicyPack, PolicyViolation } from "../resource/policy-interface";
import { nameOf, typeOf } from "../resource/urn";
import { World } from "./world";

/** A pack that reports values above a limit. */
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

/** A world with this pack, and its errors and warnings. */
function govern(pack: PolicyPack) {
  const world = new World();
  world.policyPacks = [pack];
  const messages = () =>
    world.events.flatMap((e) =>
      e.type === "diagnostic" && e.severity !== "info" ? [`${e.severity}: ${e.message}`] : [],
    );
  return { world, messages };
}

describe("policy packs", () => {
  test("a mandatory violation stops an update before the resource is touched; a preview shows everything, and fails", async () => {
    const { world, messages } = govern(limit(1));
    const program = [{ name: "a", value: 1 }, { name: "b", value: 2, dependsOn: ["a"] }, { name: "c" }];
    expect((await world.up(program)).ok).toBe(false);
    expect(world.calls).not.toContain("create b");
    expect(messages()).toEqual(["error: mandatory policy limit (p@v1): above 1"]);
    expect((await world.up([{ name: "a", value: 1 }])).ok).toBe(true);

    const { ok, steps } = await world.preview([...program, { name: "d", value: 5 }]);
    expect([ok, steps]).toEqual([false, expect.arrayContaining(["create b", "create d"])]);
    expect(messages()).toHaveLength(4);
  });

  test("an advisory one is reported, and the update goes on; at the end the whole stack is analyzed", async () => {
    const pack = limit(1, "advisory");
    const { world, messages } = govern(pack);
    for (let run = 1; run <= 2; run++) {
      expect((await world.up([{ name: "a", value: 2 }])).ok).toBe(true);
      expect(messages()).toContain("warning: advisory policy limit (p@v1): above 1");
      expect(pack.seen.splice(0)).toEqual(["input a 2", "final a 2"]);
    }
  });

  test("a remediation changes what is analyzed, checked in and created", async () => {
    const pack = limit(1);
    pack.remediate = async ({ state, properties }) =>
      typeOf(state.urn).endsWith("Thing")
        ? [{ policy: "cap", pack: "p@v1", description: "caps it", properties: { ...properties, value: 1 } }]
        : [];
    const { world } = govern(pack);
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
    const folder = temporaryFolder({ "config.json": text });
    await expect(readPolicyConfigFile(path.join(folder, "config.json"))).rejects.toThrow(message);
  });

  test("a folder without a pack, or without @pulumi/policy, is refused with what to do", async () => {
    const directory = temporaryFolder();
    for (const [manifest, message] of [
      [undefined, /no PulumiPolicy.yaml/],
      ["runtime: python\n", /runtime is "python"/],
      ["runtime: nodejs\n", /npm install @pulumi\/policy/],
    ] as const) {
      if (manifest) save(directory, { "PulumiPolicy.yaml": manifest });
      await expect(startPolicyPack({ directory }, { env: {} } as never)).rejects.toThrow(message);
    }
  });
});
