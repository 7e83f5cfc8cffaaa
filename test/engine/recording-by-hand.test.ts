import { replay } from "./recording";

replay("by-hand", { 19: "has the option import" });
