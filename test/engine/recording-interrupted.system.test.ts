import { replay } from "./recording";

replay("interrupted");
