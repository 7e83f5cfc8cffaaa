import { replay } from "./recording";

replay("options");
