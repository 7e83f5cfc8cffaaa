/** A cache of one read, shared by all calls that need it at about the same time. */
import type { Clock } from "./clock";

/**
 * Loads a value at most once at a time. Whoever needs it while it loads gets the same one, and so does everyone after
 * that for whom it is young enough. Writes of this process are applied with `patch`, so that a read that began before
 * them does not undo them.
 */
export class CachedRead<T> {
  #cached: { value: T; startedAt: number } | undefined;
  #loading: Loading<T> | undefined;

  constructor(
    readonly load: () => Promise<T>,
    readonly clock: Pick<Clock, "now">,
  ) {}

  /** The value, at most `maxAge` milliseconds old, counted from the start of its reading. */
  get(maxAge: number): Promise<T> {
    const oldest = this.clock.now() - maxAge;
    if (this.#cached !== undefined && this.#cached.startedAt >= oldest) return Promise.resolve(this.#cached.value);
    if (this.#loading !== undefined && this.#loading.startedAt >= oldest) return this.#loading.value;
    return this.#start();
  }

  /** Takes a value that another process has read, so many milliseconds ago, where there is none yet. */
  seed(value: T, age: number): void {
    this.#cached ??= { value, startedAt: this.clock.now() - age };
  }

  /** The last value, of any age. */
  get cached(): T | undefined {
    return this.#cached?.value;
  }

  /** Applies a write of this process. */
  patch(apply: (value: T) => void): void {
    if (this.#cached !== undefined) apply(this.#cached.value);
    this.#loading?.patches.push(apply);
  }

  /** The next `get` reads again. */
  invalidate(): void {
    this.#cached = undefined;
    this.#loading = undefined;
  }

  #start(): Promise<T> {
    const loading: Loading<T> = {
      // One turn later, so that all calls of this turn share the request.
      value: Promise.resolve().then(() => this.#load(loading)),
      startedAt: Number.POSITIVE_INFINITY,
      patches: [],
    };
    this.#loading = loading;
    return loading.value;
  }

  async #load(loading: Loading<T>): Promise<T> {
    loading.startedAt = this.clock.now();
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
