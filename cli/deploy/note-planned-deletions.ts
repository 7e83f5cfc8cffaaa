/** Records the deletions of a plan before its run, since engines do not call the provider for every deletion. */
import type { DeletionOptions } from "../../provider/lifecycle/dry-run/deletion-effects";
import type { EffectTracker } from "./effect-tracker";

/** `read`: the state, if anything is to be deleted. */
export async function notePlannedDeletions(
  tracker: EffectTracker,
  read: () => Promise<Omit<DeletionOptions, "adoptionOf">>,
): Promise<void> {
  const { deletions } = tracker;
  if (deletions.length === 0) return;
  const adoptionOf: DeletionOptions["adoptionOf"] = (...args) => tracker.adoptionOf(...args);
  const { deletionEffects } = await import("../../provider/lifecycle/dry-run/deletion-effects.js");
  const effects = await deletionEffects(deletions, { ...(await read()), adoptionOf });
  for (const [step, effect] of effects) tracker.expectDeletion(step, effect);
}
