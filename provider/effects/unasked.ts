/** Explicit providers that no engine asks in a preview, since a setting, such as the key of a new company, has no value yet. */

import { providerKind, unasked } from "../plan/effect";
import type { EffectReporter } from "./report";

/** Says it of the provider with the URN: to who reads effects, else as a notice. */
export function reportUnasked(reporter: EffectReporter, urn: string, log: (notice: string) => void): void {
  if (reporter.hasReader) reporter.reportPlan(providerKind, { urn }, { ...unasked, writes: 0 });
  else log("the key is not known before the update: the plan of what this provider serves does not read the account");
}
