/** Starts the policy packs of a run. */
import { type RunningPolicyPack, startPolicyPack } from "../plugin/policy-pack";
import type { LoadedUpdate, UpdateRun } from "./update-context";

/** The packs that an update has to comply with, configured; a refresh or a destruction declares nothing. */
export async function startPolicyPacks(
  { stack, preview, operation, options, events }: UpdateRun,
  { sdk, config }: LoadedUpdate,
  settings: { env: NodeJS.ProcessEnv; engineAddress: string },
): Promise<RunningPolicyPack[]> {
  const sources = operation === "update" ? (options.policyPacks ?? []) : [];
  const environment = {
    ...settings,
    ...{ sdk, config, stack: stack.name, dryRun: preview, project: stack.settings },
    onLine: (line: string, stream: "stdout" | "stderr") => events.processOutput("program", line, stream),
  };
  const started = await Promise.allSettled(sources.map((source) => startPolicyPack(source, environment)));
  const packs = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failure = started.find((result) => result.status === "rejected");
  if (failure !== undefined) {
    await Promise.all(packs.map((pack) => pack.close()));
    throw failure.reason;
  }
  for (const { label } of packs) events.diagnostic("info", `enforcing the policy pack ${label}`);
  return packs;
}
