/** The Pulumi CLI with a generated SDK, whose packages come from a registry. */
import { describe, it } from "vitest";
import { livesOf } from "./acceptance";
import { engines, formsOf } from "./programs";

const runs = engines.flatMap((engine) => formsOf(engine, "python").map((form) => [engine, form] as const));
for (const [engine, form] of runs) livesOf(engine, form);

describe.runIf(runs.length === 0)("the life of every resource in other languages", () => {
  it.skip("needs the Pulumi CLI with the language host of Python", () => undefined);
});
