/** Taking turns: a lock that is granted in the order of asking, and a limit on how many do something at once. */

/** How many operations are announced in the state for each one that runs: so that fewer writes serve more of them. */
export const LOOKAHEAD = 2;

export class Limit {
  private free: number;
  private readonly waiting: (() => void)[] = [];
  constructor(count: number) {
    this.free = count;
  }
  get available(): number {
    return this.free;
  }
  get queued(): number {
    return this.waiting.length;
  }
  async take(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((granted) => this.waiting.push(granted));
  }
  give(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.take();
    try {
      return await task();
    } finally {
      this.give();
    }
  }
}

/** One place within a limit, which is taken and given back at most once at a time. */
export class Slot {
  private held = false;
  constructor(private readonly limit: Limit) {}
  async take(): Promise<void> {
    if (this.held) return;
    await this.limit.take();
    this.held = true;
  }
  give(): void {
    if (this.held) this.limit.give();
    this.held = false;
  }
}
