import { vi } from "vitest";
import { replayAll } from "./recordings";

vi.mock("../../engine/plugin/node-process", async (load) => ({
  ...(await load<typeof import("../../engine/plugin/node-process")>()),
  startNode: (await import("./warm-processes.js")).startWarm,
}));

replayAll();
