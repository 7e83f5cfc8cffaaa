import { findPulumi } from "../../cli/engine/find-pulumi";
import { testFleet } from "./fleet-kill";

for (const engine of findPulumi() === undefined ? (["embedded"] as const) : (["embedded", "pulumi"] as const)) {
  testFleet({ count: 12, engine });
  testFleet({ count: 30, stacks: 4, engine });
}
