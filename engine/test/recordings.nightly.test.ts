import { openProject } from "../index";
import { replaySmooth, replayTroubled } from "./recordings";

// Each program and each provider runs in a process of its own, as for users.
replaySmooth(openProject);
replayTroubled(openProject);
