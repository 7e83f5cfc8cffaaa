/**
 * Reports an explicit provider that the engine does not call in a preview: one of its settings, such as the key of a new company, has no
 * value yet. What its resources would do to the account is therefore not known.
 */

import { providerKind, unevaluated } from "../plan/effect";
import type { EffectReporter } from "./effect-reporter";

/** Reports it as an effect of the provider's URN where a display reads effects, else as a notice. */
export function reportUnevaluated(reporter: EffectReporter, urn: string, log: (notice: string) => void): void {
  if (reporter.hasReader) reporter.reportPlan(providerKind, { urn }, { ...unevaluated, writes: 0 });
  else
    log(
      "the key of this provider is not known before the update, so the preview does not read the account for its resources",
    );
}
