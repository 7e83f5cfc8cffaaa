/** Works on a list, some items at a time. */

/**
 * The results, in the order of the items. After a failure no more items begin, since the others would often fail as well, and it is
 * thrown when those in progress have ended, so that nothing keeps running in the background.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const rest = items.entries();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of rest) {
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
