import { openProject } from "../index";
import { replayBasics, replaySmooth, replayTroubled } from "./recordings";

// Each program and each provider runs in a process of its own, as for users.
replayBasics(openProject);
replaySmooth(openProject);
replayTroubled(openProject);
