/** Repeats a read until it shows a recent write. */
import type { Clock } from "./clock";
import { readPause } from "./time-limits";

interface LaggingRead<T> {
  clock: Clock;
  /** Milliseconds for which reads may still lag behind. 0: what is read first counts. */
  left: number;
  /** What is waited for, for people. */
  what: string;
  /** Reads, at most so many milliseconds old. Reads of the same at about the same time may be one. */
  read(maxAge: number): Promise<T>;
  /** True for what shows the write. */
  isShown(value: T): boolean | Promise<boolean>;
}

/** What is read once it shows the write, or when it would surely show it: then it was undone. `maxAge`: of the first read. */
export async function readUntil<T>({ clock, left, what, read, isShown }: LaggingRead<T>, maxAge: number): Promise<T> {
  const end = clock.now() + left;
  let value = await read(maxAge);
  let pause = readPause.first;
  while (left > 0 && clock.now() < end && !(await isShown(value))) {
    const rest = end - clock.now();
    await clock.sleep(Math.min(pause, rest), what, rest);
    // What was read since this wait began, by whoever, will do.
    value = await read(Math.max(0, clock.now() >= end ? clock.now() - end : pause));
    pause = Math.min(2 * pause, readPause.longest);
  }
  return value;
}
