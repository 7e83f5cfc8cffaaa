/** CPU time of commands, measured in rounds. */

/** Seconds of all children, from what the shell's `times` says: its second line is theirs, "0m1.234s 0m0.123s". */
export function secondsOfChildren(line: string): number {
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
}

/** Whatever else the machine does only adds to it: the mean of the lower half is near to what it takes, and not one lucky round. */
export function undisturbed(costs: number[]): number {
  const least = costs.toSorted((a, b) => a - b).slice(0, Math.ceil(costs.length / 2));
  return least.reduce((sum, cost) => sum + cost, 0) / least.length;
}
