import { replay } from "./recording";

replay("basics");
