import { replay } from "./recording";

replay("replace");
