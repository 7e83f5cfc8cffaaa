/** All lags: `lagging.nightly.test.ts`. */
import { it } from "vitest";
import { lags, runWithLag, stacks } from "./lagging";

it.each(stacks)(
  "the %s engine, with the %s form, loses and doubles nothing where all reads lag",
  async (engine, form) => runWithLag(engine, form, lags.at(-1)![1]),
);
