import { replay } from "./recording";

replay("by-hand");
