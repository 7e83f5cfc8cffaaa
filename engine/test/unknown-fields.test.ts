/** Resource options that the engine does not know. */
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { unknownField } from "../monitor/unknown-fields";

const require = createRequire(__filename);

// When a newer SDK is added, its new fields have to be read, rejected by a rule of their own, or ignored on purpose.
test.each(["pulumi-oldest", "@pulumi/pulumi", "pulumi-newest"])("are none in %s but what only the CLI sets", (sdk) => {
  const messages = require(`${sdk}/proto/resource_pb.js`);
  const alias = require(`${sdk}/proto/alias_pb.js`);
  const all = {
    registration: messages.RegisterResourceRequest,
    reading: messages.ReadResourceRequest,
    timeouts: messages.RegisterResourceRequest.CustomTimeouts,
    alias: alias.Alias.Spec,
  };
  const found = Object.entries(all).flatMap(([kind, type]) => {
    const names = Object.getOwnPropertyNames(type.prototype).filter((name) => /^get[A-Z]/.test(name));
    expect(names.length).toBeGreaterThan(2);
    // Each field by itself, as if it were the only one that is set.
    return names.flatMap((name) => {
      const alone = Object.create({ [name]: () => "set" });
      return unknownField(alone, kind as keyof typeof all) ?? [];
    });
  });
  expect(found).toEqual(sdk === "pulumi-newest" ? ["snippetid"] : []);
});

test("are reported by their names when they are set", () => {
  class Message {
    constructor(readonly value: unknown) {}
    getName = undefined;
    getNovelty() {
      return this.value;
    }
  }
  for (const unset of [undefined, null, "", 0, false, [], { getLength: () => 0 }])
    expect(unknownField(new Message(unset), "registration")).toBeUndefined();
  for (const set of ["x", 1, true, ["x"], { getLength: () => 1 }, {}])
    expect(unknownField(new Message(set), "registration")).toBe("novelty");
});
