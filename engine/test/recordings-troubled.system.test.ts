import { replayTroubled } from "./recordings";

replayTroubled();
