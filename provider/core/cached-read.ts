/** A reading that hooks share: those that ask at about the same time get the same one. */

/**
 * Loads a value at most once at a time and hands it to everybody who asks while it loads, and afterwards as long as it
 * is young enough for the asker. Writes of this process are told to it with `change`, so that they are never undone by
 * a reading that began before them.
 */
export class Recent<T> {
  #value: { of: T; begun: number } | undefined;
  #loading: Loading<T> | undefined;

  constructor(readonly load: () => Promise<T>) {}

  /** The value, at most `age` milliseconds old, counted from the begin of its reading. */
  get(age: number): Promise<T> {
    // Not by the machine's clock, which may be put back.
    const oldest = performance.now() - age;
    if (this.#value !== undefined && this.#value.begun >= oldest) return Promise.resolve(this.#value.of);
    if (this.#loading !== undefined && this.#loading.begun >= oldest) return this.#loading.of;
    return this.#begin();
  }

  /** The value if there is one at all. */
  get current(): T | undefined {
    return this.#value?.of;
  }

  /** Applies a write of this process. */
  change(apply: (value: T) => void): void {
    if (this.#value !== undefined) apply(this.#value.of);
    this.#loading?.changes.push(apply);
  }

  /** The next who asks gets a new reading. */
  forget(): void {
    this.#value = undefined;
    this.#loading = undefined;
  }

  #begin(): Promise<T> {
    const loading: Loading<T> = {
      // One turn later, so that everybody who asks in this one shares the request.
      of: Promise.resolve().then(() => this.#load(loading)),
      begun: Number.POSITIVE_INFINITY,
      changes: [],
    };
    this.#loading = loading;
    return loading.of;
  }

  async #load(loading: Loading<T>): Promise<T> {
    loading.begun = performance.now();
    try {
      const of = await this.load();
      for (const apply of loading.changes) apply(of);
      if (this.#loading === loading) this.#value = { of, begun: loading.begun };
      return of;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }
}

interface Loading<T> {
  of: Promise<T>;
  begun: number;
  /** Writes of this process meanwhile. */
  changes: ((value: T) => void)[];
}
