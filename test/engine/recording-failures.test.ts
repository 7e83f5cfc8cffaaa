import { replay } from "./recording";

replay("failures");
