/** A semaphore, which grants requests in their order, and a permit that is released at most once. */

/** Number of operations that are announced in the state for each one that runs: one write then announces several. */
export const PENDING_PER_CALL = 2;

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  constructor(count: number) {
    this.#free = count;
  }
  get available(): number {
    return this.#free;
  }
  get queued(): number {
    return this.#waiting.length;
  }
  async acquire(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((granted) => this.#waiting.push(granted));
  }
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await task();
    } finally {
      this.release();
    }
  }
}

/** A permit of the semaphore. Acquiring or releasing it twice has no effect. */
export class Permit {
  #isHeld = false;
  readonly #limit: Semaphore;

  constructor(limit: Semaphore) {
    this.#limit = limit;
  }
  async acquire(): Promise<void> {
    if (this.#isHeld) return;
    await this.#limit.acquire();
    this.#isHeld = true;
  }
  release(): void {
    if (this.#isHeld) this.#limit.release();
    this.#isHeld = false;
  }
}
