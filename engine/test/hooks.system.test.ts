import { expect, test } from "vitest";
import type { EngineEvent } from "../index";
import { newStack, RESOURCES, readState } from "./scratch";

/** A program whose hooks write down what they get: each name, with the values that it gets. */
const program = (resources: string, hook = "") => `${RESOURCES}
const fs = require("fs");
const hook = (name, options) => new pulumi.ResourceHook(name, (args) => {
  const of = (v) => v === undefined ? "-" : v.value ?? "none";
  fs.appendFileSync(process.env.CALLS, [name, args.name, args.id || "no id",
    ...[args.oldInputs, args.newInputs, args.oldOutputs, args.newOutputs].map(of)].join(" ") + "\\n");
  ${hook}
}, options);
const types = ["beforeCreate", "afterCreate", "beforeUpdate", "afterUpdate", "beforeDelete", "afterDelete"];
const hooks = Object.fromEntries(types.map((type) => [type, [hook(type)]]));
class Group extends pulumi.ComponentResource {
  constructor(name, opts) { super("test:index:Group", name, {}, opts); this.registerOutputs({ value: "group" }); }
}
${resources}`;
const thing = (value: string) => `const a = new Thing("a", { value: "${value}" }, { hooks });`;

async function open(code: string) {
  const p = await newStack({ "index.js": code });
  let seen = 0;
  return {
    ...p,
    state: () => readState(p.dir).checkpoint.latest.resources as { type: string; resourceHooks?: object }[],
    /** The calls since the last read. */
    calls: () => {
      const from = seen;
      seen = p.calls().length;
      return p.calls().slice(from);
    },
  };
}

test("resource hooks run before and after each operation, with the values of that time", async () => {
  const { stack, up, write, state, calls } = await open(program(`${thing("1")} new Group("g", { hooks });`));
  expect((await up({ preview: true })).result.ok).toBe(true);
  expect(calls()).toEqual([]);

  expect((await up()).result).toMatchObject({ ok: true, changes: { create: 3 } });
  const created = calls();
  expect(created.filter((line) => / a /.test(line) || line === "create a")).toEqual([
    "beforeCreate a no id - 1 - -",
    "create a",
    "afterCreate a a - 1 - 1",
  ]);
  expect(created.filter((line) => / g /.test(line))).toEqual([
    "beforeCreate g no id - none - -",
    "afterCreate g no id - none - group",
  ]);
  expect(state().find(({ type }) => type.endsWith("Thing"))?.resourceHooks).toEqual({
    BeforeCreate: ["beforeCreate"],
    AfterCreate: ["afterCreate"],
    BeforeUpdate: ["beforeUpdate"],
    AfterUpdate: ["afterUpdate"],
    BeforeDelete: ["beforeDelete"],
    AfterDelete: ["afterDelete"],
  });

  write(program(`${thing("2")} new Group("g", { hooks });`));
  expect((await up()).result.changes).toEqual({ same: 2, update: 1 });
  expect(calls()).toEqual(["beforeUpdate a a 1 2 1 -", "update a", "afterUpdate a a 1 2 1 2"]);

  write(program(`new Group("g", { hooks });`));
  expect((await up()).result.changes).toEqual({ same: 2, delete: 1 });
  expect(calls()).toEqual(["beforeDelete a a 2 - 2 -", "delete a", "afterDelete a a 2 - 2 -"]);

  const said: string[] = [];
  const onEvent = (event: EngineEvent) => event.type === "diagnostic" && said.push(event.message);
  expect(await stack.run("destroy", { onEvent })).toMatchObject({ ok: false });
  expect(said.join()).toMatch(/nothing was deleted: the program has hooks .*::g\. Run it with --run-program/);
  expect(state()).toHaveLength(2);
  expect(await stack.run("destroy", { runProgram: true })).toMatchObject({ ok: true, changes: { delete: 2 } });
  expect(calls()).toEqual(["beforeDelete g no id none - group -", "afterDelete g no id none - group -"]);
});

test("a hook that fails stops what it runs before; what it runs after stays recorded", async () => {
  const { up, write, state, calls } = await open(
    program(thing("1"), `if (name === "beforeCreate") throw new Error("closed")`),
  );
  const before = await up();
  expect(before.result.ok).toBe(false);
  expect(before.said).toContain('the resource hook "beforeCreate" (BeforeCreate) failed: closed');
  expect(calls()).toEqual(["beforeCreate a no id - 1 - -"]);
  expect(state()).toHaveLength(2);

  write(
    program(
      `${thing("1")} new Thing("b", { value: "1" }, { hooks, dependsOn: a });`,
      `if (name === "afterCreate") throw new Error("late")`,
    ),
  );
  const after = await up({ parallel: 1 });
  expect(after.result).toMatchObject({ ok: false, changes: { create: 1 } });
  expect(after.said).toContain("late");
  expect(calls()).toEqual(["beforeCreate a no id - 1 - -", "create a", "afterCreate a a - 1 - 1"]);

  write(
    program(
      thing("2").replace(
        "hooks }",
        "hooks: { beforeUpdate: [hook('soft', { ignoreErrors: true, onDryRun: true })] } }",
      ),
      `throw new Error("never mind")`,
    ),
  );
  for (const options of [{ preview: true }, {}]) {
    const { result, said } = await up(options);
    expect(result.ok).toBe(true);
    expect(said).toContain("never mind");
  }
  expect(calls()).toEqual(["soft a a 1 2 1 -", "soft a a 1 2 1 -", "update a"]);
});

test("hooks need a name of their own, and a program that registers them", async () => {
  const { up, write, calls } = await open(program(`${thing("1")} hook("beforeCreate");`));
  const twice = await up();
  expect(twice.result.ok).toBe(false);
  expect(twice.said).toContain('there are two resource hooks with the name "beforeCreate"');
  write(program(thing("1")));
  expect((await up()).result.ok).toBe(true);
  calls();
  write(RESOURCES);
  const { result, said } = await up();
  expect(result.ok).toBe(false);
  expect(said).toContain('the program has not registered its resource hook "beforeDelete" (BeforeDelete)');
  expect(calls()).toEqual([]);
});
