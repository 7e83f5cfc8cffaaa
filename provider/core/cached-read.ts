/** A reading that hooks share: those that ask at about the same time get the same one. */

/**
 * Loads a value at most once at a time and hands it to everybody who asks while it loads, and afterwards as long as it
 * is young enough for the asker. Writes of this process are told to it with `change`, so that they are never undone by
 * a reading that began before them.
 */
export class CachedRead<T> {
  #cached: { value: T; startedAt: number } | undefined;
  #loading: Loading<T> | undefined;

  constructor(readonly load: () => Promise<T>) {}

  /** The value, at most `age` milliseconds old, counted from the begin of its reading. */
  get(maxAge: number): Promise<T> {
    // Not by the machine's clock, which may be put back.
    const oldest = performance.now() - maxAge;
    if (this.#cached !== undefined && this.#cached.startedAt >= oldest) return Promise.resolve(this.#cached.value);
    if (this.#loading !== undefined && this.#loading.startedAt >= oldest) return this.#loading.value;
    return this.#start();
  }

  /** The value if there is one at all. */
  get cached(): T | undefined {
    return this.#cached?.value;
  }

  /** Applies a write of this process. */
  patch(apply: (value: T) => void): void {
    if (this.#cached !== undefined) apply(this.#cached.value);
    this.#loading?.patches.push(apply);
  }

  /** The next who asks gets a new reading. */
  invalidate(): void {
    this.#cached = undefined;
    this.#loading = undefined;
  }

  #start(): Promise<T> {
    const loading: Loading<T> = {
      // One turn later, so that everybody who asks in this one shares the request.
      value: Promise.resolve().then(() => this.#load(loading)),
      startedAt: Number.POSITIVE_INFINITY,
      patches: [],
    };
    this.#loading = loading;
    return loading.value;
  }

  async #load(loading: Loading<T>): Promise<T> {
    loading.startedAt = performance.now();
    try {
      const value = await this.load();
      for (const apply of loading.patches) apply(value);
      if (this.#loading === loading) this.#cached = { value, startedAt: loading.startedAt };
      return value;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }
}

interface Loading<T> {
  value: Promise<T>;
  startedAt: number;
  /** Writes of this process meanwhile. */
  patches: ((value: T) => void)[];
}
