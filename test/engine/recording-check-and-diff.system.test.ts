import { replay } from "./recording";

replay("check-and-diff");
