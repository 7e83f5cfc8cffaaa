/** Readings that hooks share, and the clock of the machine, which may be set back while hooks run. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { CachedRead } from "../../provider/core/cached-read";
import { systemClock } from "../../provider/core/clock";
import { Registrations } from "../../provider/session/registrations";

afterEach(() => void vi.restoreAllMocks());

const setBack = () => {
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() - 3_600_000);
};

describe("a shared reading", () => {
  it("is one for all who ask in the same turn, and another for who asks later", async () => {
    let loads = 0;
    const recent = new CachedRead(async () => ++loads, systemClock);
    expect(await Promise.all([recent.get(0), recent.get(0), recent.get(0)])).toEqual([1, 1, 1]);
    expect(await recent.get(60_000)).toBe(1);
    expect(await recent.get(0)).toBe(2);
  });

  it("is not taken for a new one when the clock is set back", async () => {
    let loads = 0;
    const recent = new CachedRead(async () => ++loads, systemClock);
    await recent.get(0);
    setBack();
    expect(await recent.get(0)).toBe(2);
  });
});

it("the end of registrations is waited for as long as ever when the clock is set back", async () => {
  const registrations = new Registrations(systemClock);
  registrations.noteCall();
  setBack();
  await registrations.settled();
});
