/** Rejects configuration keys that are not settings: a misspelt `esign:expectAccount` would protect nothing. */
import * as pulumi from "@pulumi/pulumi";
import { errorMessage } from "../core/error-codes";
import { unknownConfigIssue } from "../session/unknown-settings";
import { runError } from "./program-error";

/** The runs of programs that were checked. */
const checked = new WeakSet<object>();

/** @throws {pulumi.RunError} once for a run of a program */
export function rejectUnknownSettings(): void {
  const run = pulumi.runtime.getStackResource();
  if (run === undefined || checked.has(run)) return;
  checked.add(run);
  const issue = unknownConfigIssue(Object.keys(pulumi.runtime.allConfig()), pulumi.getProject());
  if (issue === undefined) return;
  throw runError(errorMessage("ESIGN1001", issue, "Correct its name with `config set`, or remove it with `config rm`"));
}
