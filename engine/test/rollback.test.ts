import { describe, expect, test } from "vitest";
import { save, temporaryFolder } from "../../test/files";
import { FileBackend } from "../backend/file-backend";
import { type EarlierStack, findVersion, loadEarlierState } from "../backend/rollback/earlier-state";
import { SIG_KEY, SignatureKind } from "../resource/signatures";
import { wrapCheckpoint } from "../state/checkpoint";
import { type Options, type Wish, World } from "./world";

/** A world with the deployments `first` and `last`, and a function that rolls back to the first. */
async function deploy(first: Wish[], last: Wish[]) {
  const world = new World();
  await world.up(first);
  const earlier = world.state.resources;
  await world.up(last);
  const options: Options = { earlier };
  return { world, earlier, preview: () => world.preview([], options), rollback: () => world.up([], options) };
}

test("an earlier deployment is declared again: changed back, deleted, created with the new ids and outputs", async () => {
  const first: Wish[] = [
    { name: "a", value: 1 },
    { name: "b", value: 1 },
    { name: "c", belongsTo: "b" },
    { name: "d", uses: "b", parent: "a" },
  ];
  const { world, earlier, preview, rollback } = await deploy(first, [{ name: "a", value: 2 }, { name: "new" }]);
  const planned = await preview();
  expect(planned.said).toEqual([]);
  const { ok, steps, said } = await rollback();
  expect({ ok, said }).toEqual({ ok: true, said: [] });
  expect(steps).toEqual(["create b", "create c", "create d", "delete new", "update a"]);
  expect(steps).toEqual(planned.steps);
  const owner = world.resource("b")!.id;
  expect(world.resource("c")!.inputs!.owner).toBe(owner);
  expect(earlier.map(({ id }) => id)).not.toContain(owner);
  // The earlier program then changes nothing.
  expect((await world.up(first)).changes).toEqual({ same: 5 });
  expect(world.breaches).toEqual([]);
});

test("what is protected and was created since is not deleted", async () => {
  const { world, preview, rollback } = await deploy([{ name: "a" }], [{ name: "a" }, { name: "new", protect: true }]);
  expect((await preview()).ok).toBe(false);
  expect((await rollback()).ok).toBe(false);
  expect(world.calls).toEqual([]);
});

test("protection and other options are those of the earlier deployment", async () => {
  const first: Wish[] = [{ name: "a", protect: true, additionalSecretOutputs: ["token"] }];
  const { world, rollback } = await deploy(first, [{ name: "a" }]);
  expect((await rollback()).ok).toBe(true);
  expect(world.resource("a")).toMatchObject({ protect: true });
});

test("what has another name by now is the same object", async () => {
  const last: Wish[] = [{ name: "z", key: "a", alias: "a", value: 1 }];
  const { world, rollback } = await deploy([{ name: "a", value: 1 }], last);
  expect((await rollback()).ok).toBe(true);
  expect(world.calls).toEqual([]);
  expect(world.resource("a")).toBeDefined();
});

test("a value that derives from a deleted one is refused, and nothing is written of it", async () => {
  const { world, earlier, preview, rollback } = await deploy([{ name: "b" }, { name: "c", uses: "b" }], []);
  const made = earlier.find(({ urn }) => urn.endsWith("::c"))!;
  made.inputs = { ...made.inputs, uses: `prefix-${made.inputs!.uses}` };
  expect((await preview()).ok).toBe(false);
  const { ok, said } = await rollback();
  expect(ok).toBe(false);
  expect(said.join()).toMatch(/"c": uses contains values of .*::b, which was recreated and has new ones/);
  expect(world.calls).not.toContain("create c");
});

describe("a version that is not a complete deployment is refused:", () => {
  const folder = temporaryFolder();
  const backend = new FileBackend(`file://${folder}`, "p");
  const target = { name: "s", backend, settings: { programDirectory: folder } } as EarlierStack;
  const thing = { urn: "urn:pulumi:s::p::t:t:T::a", type: "t:t:T", custom: true, id: "1" };
  let stamp = 100;

  function add(entry: Record<string, unknown>, resource: Record<string, unknown> | undefined): number {
    const name = `s-${++stamp}`;
    const state = wrapCheckpoint("organization/p/s", {}, { resources: resource ? [resource] : [] }, []);
    save(backend.historyFolder("s"), {
      [`${name}.history.json`]: JSON.stringify({ kind: "update", result: "succeeded", ...entry }),
      [`${name}.checkpoint.json`]: JSON.stringify(state),
    });
    return stamp - 100;
  }

  const asset = { [SIG_KEY]: SignatureKind.asset, path: "logo.png", hash: "1" };
  test.each<[string, Record<string, unknown>, Record<string, unknown> | undefined, string]>([
    ["a destroy", { kind: "destroy" }, thing, "is a destroy"],
    ["a failure", { result: "failed" }, thing, "failed"],
    ["an empty one", {}, undefined, "has no resources"],
    ["another stack's", {}, { ...thing, urn: thing.urn.replace(":s:", ":old:") }, "when the stack was called old"],
    ["a file that is missing", {}, { ...thing, inputs: { logo: asset } }, "needs a file of"],
  ])("%s", async (_, entry, resource, message) => {
    await expect(loadEarlierState(target, add(entry, resource))).rejects.toThrow(message);
  });

  test("one that does not exist, and a complete one is taken", async () => {
    await expect(loadEarlierState(target, 99)).rejects.toThrow("is not in the history");
    expect(await loadEarlierState(target, add({}, thing))).toEqual([thing]);
  });
});

test("without a version it is the deployment before the last update", () => {
  const entry = (version: number, kind: string, result = "succeeded") => ({ version, kind, result }) as never;
  const failed = [entry(5, "update", "failed"), entry(4, "update", "failed")];
  const history = [entry(6, "refresh"), ...failed, entry(3, "destroy"), entry(2, "update")];
  expect(findVersion("dev", history, "previous").version).toBe(2);
  expect(findVersion("dev", history, 3).version).toBe(3);
  expect(() => findVersion("dev", history, 99)).toThrow("version 99 of dev is not in the history");
  expect(() => findVersion("dev", history.slice(0, 2), "previous")).toThrow("no deployment before the last update");
});
