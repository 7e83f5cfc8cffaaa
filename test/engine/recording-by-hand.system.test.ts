import { replay } from "./recording";

replay("by-hand", { refused: { 19: "has the option import" } });
