/**
 * Every act, form and victim, with other writes that are lost each: `RANDOM_SEED=7 RANDOM_TIMES=3` tries others, three times as many, which is the most. With the
 * Pulumi CLI a part of it, since what it does after a kill is documented to differ.
 */
import { describe, expect, it } from "vitest";
import { seed as first, times } from "../chance";
import { hasPulumi } from "../provider/programs";
import { acts, live, nextsOf } from "./lost-writes";

const seeds = Array.from({ length: Math.min(times, 3) }, (_, i) => first * 1000 + i);

describe.each(acts)("a run that is killed while it has to %s", (act) => {
  // The built-in engine has the provider in its own process, and a destroy runs no program.
  for (const victim of act === "destroy" ? (["engine"] as const) : (["engine", "program"] as const))
    for (const form of ["dynamic", "plugin"] as const)
      it.each(seeds)(`and loses its ${victim}, in the ${form} form, is followed by anything, seed %i`, async (seed) => {
        expect(await live({ engine: "embedded", form, act, victim, seed, nexts: nextsOf(act) })).toEqual([]);
      });

  it.runIf(hasPulumi).each(seeds)("of the Pulumi CLI is followed by a refresh or an up, seed %i", async (seed) => {
    const nexts = act === "destroy" ? (["refresh"] as const) : (["refresh", "up"] as const);
    expect(await live({ engine: "pulumi", form: "dynamic", act, victim: "engine", seed, nexts })).toEqual([]);
  });
});
