/** What commands have left to do at the end of their process. */
import { expect, test, vi } from "vitest";
import { atExit } from "../../fs/at-exit";

const listeners = () => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((event) => process.listeners(event as "exit"));

test("many have one listener between them, and none is left of those that are done", () => {
  const all = listeners();
  const before = process.listeners("exit");
  const done: number[] = [];
  const cancels = Array.from({ length: 20 }, (_, i) => atExit(() => done.push(i)));
  const [listener, ...others] = process.listeners("exit").filter((one) => !before.includes(one));
  expect(others).toEqual([]);
  cancels[0]!();
  listener!(0);
  expect(done).toEqual(Array.from({ length: 19 }, (_, i) => i + 1));
  for (const cancel of cancels) cancel();
  expect(listeners()).toEqual(all);
});

test("one that fails keeps no other one from its work", () => {
  const before = process.listeners("exit");
  const done: string[] = [];
  const fail = () => {
    throw new Error("the first");
  };
  const cancels = [fail, () => done.push("the second")].map((work) => atExit(work));
  const listener = process.listeners("exit").find((one) => !before.includes(one))!;
  expect(() => listener(0)).toThrow("the first");
  expect(done).toEqual(["the second"]);
  for (const cancel of cancels) cancel();
});

test("a signal ends the process with what is left to do, unless another listener decides", () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const cancel = atExit(() => undefined);
  const decide = () => undefined;
  process.on("SIGTERM", decide);
  process.emit("SIGTERM", "SIGTERM");
  expect(exit).not.toHaveBeenCalled();
  process.off("SIGTERM", decide);
  process.emit("SIGTERM", "SIGTERM");
  expect(exit).toHaveBeenCalledExactlyOnceWith(143);
  cancel();
  exit.mockRestore();
});
