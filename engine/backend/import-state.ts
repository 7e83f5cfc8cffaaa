/** What is imported into a stack: a deployment as `export` writes it, and what it must not replace without `--force`. */
import type { ExportedDeployment } from "../api";
import { EngineError } from "../errors";
import { isObject } from "../resource/property-value";
import { stackOf, typeOf } from "../resource/urn";
import { type Checkpoint, checkDeployment, checkVersion } from "../state/checkpoint";
import { type StateSource, throwIfAny } from "../state/damaged-state";
import type { Snapshot } from "../state/snapshot";

export const importSource: StateSource = {
  what: "what is to be imported",
  remedy: "Nothing was imported; export it again, or repair it there",
};

/** The deployment in the output of `export`; rejects any other content, and unsupported deployments. */
export function checkImport(exported: unknown): Record<string, unknown> {
  const { version, features, deployment } = (exported ?? {}) as Partial<ExportedDeployment> & { features?: unknown };
  if (!isObject(deployment))
    throw new EngineError(
      'a deployment to import is an object {"version": 3, "deployment": {…}}, as exported',
      "invalid",
    );
  const fail = (what: string): never => {
    throw new EngineError(
      `this deployment ${what}, which is not supported by the built-in engine. Import it with the Pulumi CLI`,
    );
  };
  checkVersion(version, features, fail);
  checkDeployment(deployment, importSource, fail);
  const resources = (deployment.resources ?? []) as { urn: string; type: string }[];
  const contradictions = resources
    .filter(({ urn, type }) => typeOf(urn) !== type)
    .map(({ urn, type }) => `the type of ${urn} is ${JSON.stringify(type)}, which its URN contradicts`);
  throwIfAny(contradictions, importSource);
  return deployment;
}

/** @throws {EngineError} if an import would take another stack's resources, or forget all of this one */
export function rejectLoss(stack: string, checkpoint: Checkpoint, snapshot: Snapshot): void {
  const foreign = snapshot.resources.filter((r) => stackOf(r.urn) !== stack).map((r) => r.urn);
  if (foreign.length > 0)
    throw new EngineError(
      `${foreign.length} resources of this deployment belong to another stack, first ${foreign[0]}. Use --force to import them`,
    );
  const count = (checkpoint.latest?.resources as unknown[] | undefined)?.length ?? 0;
  if (snapshot.resources.length === 0 && count > 0)
    throw new EngineError(
      `this deployment holds no resources, and the state of stack ${stack} has ${count}, which would be forgotten and left in the account. Use --force to import it`,
    );
}
