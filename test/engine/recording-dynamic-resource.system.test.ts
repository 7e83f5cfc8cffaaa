import { replay } from "./recording";

replay("dynamic-resource");
