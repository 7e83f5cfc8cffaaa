import { replay } from "./recording";

replay("config-and-secrets");
