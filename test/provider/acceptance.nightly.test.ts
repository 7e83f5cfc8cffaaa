/** The Pulumi CLI with a generated SDK, whose packages come from a registry. */
import { describe, it } from "vitest";
import { livesOf } from "./acceptance";
import { engines, formsOf } from "./programs";

for (const form of ["typescript", "python", "go", "java", "csharp"] as const) {
  const runs = engines.filter((engine) => formsOf(engine, form).length > 0);
  for (const engine of runs) livesOf(engine, form);

  describe.runIf(runs.length === 0)(`the life of every resource in the ${form} form`, () => {
    it.skip("needs the Pulumi CLI with the language host, and the language's tools, on PATH", () => undefined);
  });
}
