import { testFleet } from "./fleet-kill";

testFleet(12);
