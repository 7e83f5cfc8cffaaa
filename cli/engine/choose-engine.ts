/**
 * Which engine runs a deployment: the Pulumi CLI where it is installed, else the built-in one. Both keep the same state,
 * so the choice may differ from run to run.
 */
import { UsageError } from "../output/errors";
import { findPulumi } from "./find-pulumi";

export type EngineChoice = {
  /** One line that says which engine runs, and how to get the other. */
  note: string;
} & ({ engine: "pulumi"; path: string } | { engine: "embedded" });

export const engineNames = ["auto", "pulumi", "embedded"] as const;
export type EngineName = (typeof engineNames)[number];

export function chooseEngine(wanted: EngineName, env: NodeJS.ProcessEnv = process.env): EngineChoice {
  if (wanted === "embedded") {
    return {
      engine: "embedded",
      note: "Engine: built-in (--engine embedded; by default it is the Pulumi CLI, where that is installed)",
    };
  }
  const path = findPulumi(env);
  if (path !== undefined)
    return { engine: "pulumi", path, note: `Engine: the Pulumi CLI, ${path} (--engine embedded: the built-in one)` };
  if (wanted === "pulumi")
    // Not fetched here: what it is would be decided by the network, in a process that has the account's key.
    throw new UsageError(
      "the Pulumi CLI is not installed.\nInstall it (https://www.pulumi.com/docs/install), or leave --engine out to use the built-in engine.",
    );
  return { engine: "embedded", note: "Engine: built-in, no Pulumi CLI found" };
}
