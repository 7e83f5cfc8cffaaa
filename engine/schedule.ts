/** Taking turns: a lock that is granted in the order of asking, and a limit on how many do something at once. */

export class Limit {
  private free: number;
  private readonly waiting: (() => void)[] = [];
  constructor(count: number) {
    this.free = count;
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
