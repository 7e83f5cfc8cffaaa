import { replay } from "./recording";

replay("refresh");
