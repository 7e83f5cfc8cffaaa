/**
 * Values as a provider takes and returns them. If a provider does not support secrets, its results are marked as secret where the inputs
 * were.
 */
import {
  annotateSecrets,
  type KnownKinds,
  restoreAssetContents,
  toProviderInputs,
  toProviderState,
  type ValueMap,
} from "./property-value";
import { InitError } from "./provider-interface";

export class ValueForms {
  readonly #knows: KnownKinds;

  constructor(knows: KnownKinds) {
    this.#knows = knows;
  }

  /** For creates and updates. */
  inputs(values: ValueMap): ValueMap {
    return toProviderInputs(values, this.#knows);
  }

  /** For diffs, reads and deletes. */
  state(values: ValueMap): ValueMap {
    return toProviderState(values, this.#knows);
  }

  /** The returned values, marked as secret like those of `like`. Assets get their contents from `sources`. */
  outputs(answer: ValueMap, like: ValueMap, ...sources: ValueMap[]): ValueMap {
    const values = sources.length > 0 ? restoreAssetContents(answer, ...sources) : answer;
    return this.#knows.secrets ? values : annotateSecrets(values, like);
  }
}

/** The result of the call. A partial result in an error is converted like a complete one. */
export async function partial<T>(answer: Promise<T>, made: (properties: ValueMap) => ValueMap): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    throw new InitError(error.id, made(error.properties), error.reasons);
  }
}
