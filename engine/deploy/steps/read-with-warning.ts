/** Reads an object for a refresh or an import. */
import { messageOf } from "../../errors";
import { InitError, type Provider } from "../../resource/provider-interface";
import type { ResourceState } from "../../resource/resource-state";

type ReadObject = Awaited<ReturnType<Provider["read"]>> & { initErrors?: string[] };

/** An object that exists but was not initialised is recorded, and does not fail the refresh or import. */
export async function readWithWarning(
  provider: Provider,
  { urn, id, inputs = {}, outputs = {} }: ResourceState,
  warn: (message: string) => void,
): Promise<ReadObject> {
  try {
    return await provider.read(urn, id as string, inputs, outputs);
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    warn(`the refreshed resource is not healthy: ${messageOf(error)}`);
    return { id: error.id, outputs: error.properties, inputs: undefined, initErrors: error.reasons };
  }
}
