/** What people see of a fleet on a terminal. */
import { expect, it, onTestFinished, vi } from "vitest";
import { FleetDisplay } from "../../cli/commands/fleet/fleet-display";

it("a stack's row has what it waits for, until something else happens or a wait has ended; when it is closed, lines are plain", () => {
  vi.useFakeTimers();
  const frames: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => frames.push(String(text)) > 0);
  vi.stubEnv("CI", "");
  vi.stubEnv("TERM", "xterm");
  const { isTTY } = process.stderr;
  Object.assign(process.stderr, { isTTY: true });
  const display = new FleetDisplay("Fleet up", 1, 1);
  onTestFinished(() => {
    display.close();
    write.mockRestore();
    Object.assign(process.stderr, { isTTY });
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });
  const acme = { stack: "acme", ids: ["acme"], config: {}, unset: [], suspended: false };
  display.begin(acme);
  const frame = () => {
    vi.advanceTimersByTime(500);
    return frames.at(-1);
  };
  for (const next of ["", undefined]) {
    display.wait(acme, "no response\nfor 2 s");
    expect(frame()).toContain("0.5s ago: no response for 2 s");
    display.wait(acme, next);
    expect(frame()).not.toContain("no response");
  }
  display.close();
  display.say("what all stacks wait for");
  expect(frames.at(-1)).toBe("what all stacks wait for\n");
});
