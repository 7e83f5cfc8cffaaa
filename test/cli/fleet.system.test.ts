import { testFleet } from "./fleet-kill";

testFleet({ count: 2, engine: "embedded" });
