import { replay } from "./recording";

replay("failed-replace");
