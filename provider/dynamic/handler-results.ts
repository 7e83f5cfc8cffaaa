/** The members of results that the SDK reads. */
import type { Properties } from "../core/pulumi-values";

export interface CheckResult {
  inputs: Properties;
  failures: { property: string; reason: string }[];
}
export interface DiffResult {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}
