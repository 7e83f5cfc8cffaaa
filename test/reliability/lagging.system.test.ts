/** All lags, in both forms: `lagging.nightly.test.ts`. */
import { it } from "vitest";
import { engines } from "../provider/programs";
import { lags, runWithLag } from "./lagging";

it.each(engines)("the %s engine loses and doubles nothing where all reads lag", async (engine) =>
  runWithLag(engine, "dynamic", lags.at(-1)![1]),
);
