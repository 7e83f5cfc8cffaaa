/** A clock on which all waits of the provider take a tenth of their time. */
import { type Clock, systemClock } from "../../provider/core/clock";

const speed = 10;

export const fastClock: Clock = {
  now: () => systemClock.now() * speed,
  date: () => systemClock.date() * speed,
  sleep: (ms) => systemClock.sleep(ms / speed),
};
