import { describe, it } from "vitest";
import { lags, runWithLag, stacks } from "./lagging";

describe.each(stacks)("the %s engine, with the %s form", (engine, form) => {
  it.each(lags)("loses and doubles nothing where %s", async (_, lag) => runWithLag(engine, form, lag));
});
