/** What a check of an account has found. */
import { withAllNames } from "../../../provider/core/setting-names";
import { EsignError } from "../../../sdk/index";

export interface CheckResult {
  check: string;
  /** `skip`: could not be checked. */
  state: "ok" | "warn" | "fail" | "skip";
  finding: string;
  /** What to do about it. */
  advice?: string;
}

export function resultOfError(error: unknown): { finding: string; advice?: string } {
  if (!(error instanceof EsignError)) throw error;
  return { finding: error.message, advice: withAllNames(error.explain().fix) };
}
