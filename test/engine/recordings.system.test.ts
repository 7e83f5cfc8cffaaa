import { vi } from "vitest";
import { replaySmooth } from "./recordings";

vi.mock("../../engine/plugin/node-process", async (load) => {
  const real = await load<typeof import("../../engine/plugin/node-process")>();
  return { ...real, startNode: (await import("./warm-processes.js")).startWarm(real) };
});

replaySmooth();
