import { replaySmooth } from "./recordings";

replaySmooth();
