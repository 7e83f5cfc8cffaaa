"use strict";
// The program of the engine's benchmark: N resources of a provider that does nothing, in the shape SHAPE.
const pulumi = require("@pulumi/pulumi");

class Item extends pulumi.CustomResource {
  constructor(name, args, opts) {
    const code = 'exports.handler = () => require("./engine-provider").item;';
    super("pulumi-nodejs:dynamic/bench:Item", name, { value: undefined, ...args, __provider: code }, opts);
  }
}

const count = Number(process.env.N ?? 10);
const deep = process.env.SHAPE === "deep";
let last;
for (let i = 0; i < count; i++) {
  const args = { name: `item-${i}`, text: `the text of item ${i}`, tags: ["a", "b"] };
  last = new Item(`item-${i}`, deep && i % 10 !== 0 ? { ...args, before: last.value } : args);
}
exports.last = last?.id;
