/** Starts the policy packs of a run. */
import { type RunningPolicyPack, startPolicyPack } from "../plugin/policy-pack";
import type { RemoteServices } from "./services/run-services";
import { environmentOf } from "./start-program";
import type { LoadedUpdate, UpdateRun } from "./update-context";

/** The configured packs that an update has to comply with. A refresh or destroy has none, since it declares no resource. */
export async function startPolicyPacks(
  { stack, preview, operation, options, events }: UpdateRun,
  { config }: LoadedUpdate,
  remote: RemoteServices | undefined,
): Promise<RunningPolicyPack[]> {
  const sources = operation === "update" ? (options.policyPacks ?? []) : [];
  // A run with packs always has services: see `servicesOptions`.
  if (sources.length === 0 || remote === undefined) return [];
  const environment = {
    env: environmentOf({ stack, options }),
    engineAddress: remote.server.address,
    ...{ sdk: remote.sdk, config, stack: stack.name, dryRun: preview, project: stack.settings },
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
