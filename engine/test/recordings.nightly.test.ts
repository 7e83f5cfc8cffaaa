import { openProject } from "../index";
import { replaySmooth, replayTroubled } from "./recordings";

// Each program and each provider in a process of its own, as users have them.
replaySmooth(openProject);
replayTroubled(openProject);
