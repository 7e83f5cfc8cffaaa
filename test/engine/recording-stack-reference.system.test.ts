import { replay } from "./recording";

replay("stack-reference");
