/**
 * Values as a provider takes and returns them. Of one that knows no secrets, what comes back is marked as secret again where the question
 * was.
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

  /** For what is created or updated. */
  inputs(values: ValueMap): ValueMap {
    return toProviderInputs(values, this.#knows);
  }

  /** For what is only compared, read again or deleted. */
  state(values: ValueMap): ValueMap {
    return toProviderState(values, this.#knows);
  }

  /** What came back, as secret as `like`. Assets get their contents from `sources`. */
  outputs(answer: ValueMap, like: ValueMap, ...sources: ValueMap[]): ValueMap {
    const values = sources.length > 0 ? restoreAssetContents(answer, ...sources) : answer;
    return this.#knows.secrets ? values : annotateSecrets(values, like);
  }
}

/** The answer. A partial result in an error is made like a whole one. */
export async function partial<T>(answer: Promise<T>, made: (properties: ValueMap) => ValueMap): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    throw new InitError(error.id, made(error.properties), error.reasons);
  }
}
