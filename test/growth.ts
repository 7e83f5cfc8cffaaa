/** How the time of some work grows with its size: ratios hold on any machine. */

/** Work of a size; what it prepares before returning is not measured. */
type Prepare = (size: number) => () => unknown;

async function cpuTime(prepare: Prepare, size: number, runs: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const work = prepare(size);
    const begin = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begin);
    times.push(user + system);
  }
  return Math.min(...times);
}

/**
 * How many times as long eight times the size takes: about 8 if the time grows with the size, 64 with its square. The best of three
 * runs and of two, in CPU time.
 */
export async function growth(size: number, prepare: Prepare): Promise<number> {
  await cpuTime(prepare, size, 1);
  const small = await cpuTime(prepare, size, 3);
  const large = await cpuTime(prepare, 8 * size, 2);
  // Not below a millisecond, where a measurement is mostly noise.
  return large / Math.max(small, 1000);
}

/** Between linear and quadratic. */
export const LINEAR = 24;
