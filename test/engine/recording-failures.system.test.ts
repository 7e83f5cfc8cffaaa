import { replay } from "./recording";

// In step 26 the diff of one resource fails; whether another one was updated before that is chance.
replay("failures", { leaveOut: [26] });
