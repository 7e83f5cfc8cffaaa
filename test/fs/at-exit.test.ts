/** What commands have left to do at the end of their process. */
import { expect, test } from "vitest";
import { atExit } from "../../fs/at-exit";

test("many have one listener between them, and none is left of those that are done", () => {
  const before = process.listeners("exit");
  const done: number[] = [];
  const cancels = Array.from({ length: 20 }, (_, i) => atExit(() => done.push(i)));
  const [listener, ...others] = process.listeners("exit").filter((one) => !before.includes(one));
  expect(others).toEqual([]);
  cancels[0]!();
  listener!(0);
  expect(done).toEqual(Array.from({ length: 19 }, (_, i) => i + 1));
  for (const cancel of cancels) cancel();
  expect(process.listeners("exit")).toEqual(before);
});
