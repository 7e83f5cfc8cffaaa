import { describe } from "vitest";
import { chain, lives } from "./acceptance";
import { hasPulumi } from "./programs";

// The same programs on the Pulumi CLI, on machines that have it.
describe.runIf(hasPulumi)("Pulumi CLI", () => {
  lives("pulumi");
  chain("pulumi");
});
