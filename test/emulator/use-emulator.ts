/** Emulators that end with the tests that they are for. */
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type Emulator, type Options, start } from "../../emulator";
import { EmulatorServer } from "../../emulator/server";

/** An emulator for the tests around: it listens from before the first of them until after the last one. */
export function useEmulator(options: Options = {}): Emulator {
  const emulator = new EmulatorServer(options);
  beforeAll(() => emulator.listen());
  afterAll(() => emulator.close());
  return emulator;
}

/** An emulator for the test that runs: it is closed when that has ended. */
export async function emulatorForTest(options: Options = {}): Promise<Emulator> {
  const emulator = await start(options);
  onTestFinished(() => emulator.close());
  return emulator;
}
