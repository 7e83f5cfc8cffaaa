import { replay } from "./recording";

replay("explicit-providers");
