import { test } from "vitest";
import { hasCli, replay } from "./recording";

// The Pulumi CLI and the built-in engine take turns on one stack: each has to continue what the other has left.
if (hasCli)
  for (const scenario of ["basics", "config-and-secrets", "explicit-providers"]) replay(scenario, { alternate: true });
else test.skip("taking turns with the Pulumi CLI, which is not on PATH", () => undefined);
