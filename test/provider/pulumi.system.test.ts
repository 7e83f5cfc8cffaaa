import { describe } from "vitest";
import { acceptance } from "./acceptance";
import { hasPulumi } from "./programs";

// The same program on the Pulumi CLI, on machines that have it.
describe.runIf(hasPulumi)("Pulumi CLI", () => {
  acceptance("pulumi");
});
