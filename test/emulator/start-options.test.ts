/** What programs without types pass to `start`: refused before anything listens, all of it at once. */
import { expect, test } from "vitest";
import { type Options, start } from "../../emulator";
import { emulatorForTest } from "./use-emulator";

test.each<[object | null | string, ...members: string[]]>([
  // From the environment: as a text it would be the name of a socket file.
  [{ port: "4600" }, "port"],
  [{ port: "esign" }, "port"],
  [{ port: 65_536, logSize: -1 }, "port", "logSize"],
  [{ port: 1.5, host: "" }, "port", "host"],
  [{ allowHosts: "app", notifyHosts: [7] }, "allowHosts", "notifyHosts[0]"],
  [
    { allowHosts: ["esign", "http://esign", "*.test", "a b", "esign:4010"] },
    "allowHosts[1]",
    "allowHosts[2]",
    "allowHosts[3]",
  ],
  [{ log: "requests.log", clock: 1_700_000_000_000 }, "clock", "log"],
  [{ tls: { cert: "a.pem", key: "b.pem" } }, "tls"],
  [{ file: "", controlToken: 5 }, "controlToken", "file"],
])("%j is refused", async (options, ...members) => {
  const error = await start(options as Options).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error?.message).toMatch(/^Options of the emulator: /);
  expect([...error!.message.matchAll(/→ at (\S+)/g)].map(([, name]) => name)).toEqual(members);
});

test.each([null, "x", 5])("%j is not options", async (options) => {
  await expect(start(options as never)).rejects.toThrow("Options of the emulator: ");
});

test("options that are undefined are missing", async () => {
  const none = undefined;
  const emulator = await emulatorForTest({
    port: none,
    host: none,
    allowHosts: none,
    tls: none,
    file: none,
    log: none,
  });
  expect(emulator.port).toBeGreaterThan(0);
});

test("settings that are undefined are not changed", async () => {
  const emulator = await emulatorForTest({ latency: 1, faults: [{ kind: "latency", ms: 1 }] });
  emulator.configure({ processingTime: 5 });
  emulator.configure({ latency: undefined, faults: undefined, processingTime: undefined });
  expect(emulator.settings).toMatchObject({ latency: 1, faults: [{ kind: "latency", ms: 1 }], processingTime: 5 });
});

test.each(["5", Number.NaN, -1, null, Number.POSITIVE_INFINITY])("the clock is not advanced by %j", async (step) => {
  const emulator = await emulatorForTest({ clock: () => 1_700_000_000_000 });
  await expect(emulator.advance(step as number)).rejects.toThrow("The clock can only be advanced");
  expect(emulator.now.getTime()).toBe(1_700_000_000_000);
});

test.each([Number.NaN, -1, Date.UTC(10_000, 1), "now"])("a clock that returns %j is refused", async (time) => {
  await expect(start({ clock: () => time as number })).rejects.toThrow("clock must return milliseconds since 1970");
});

test("the clock ends with the last year of four digits, and goes on until then", async () => {
  const emulator = await emulatorForTest({ clock: () => Date.UTC(9999, 11, 30) });
  await expect(emulator.advance(3 * 24 * 3600_000)).rejects.toThrow("The clock ends with the year 9999");
  await emulator.advance(3600_000);
  expect(emulator.now.toISOString()).toBe("9999-12-30T01:00:00.000Z");
});
