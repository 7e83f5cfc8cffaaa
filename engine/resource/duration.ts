/** `1h30m`, `5m`, `30s`, `1.5h`, `300ms` in seconds; undefined when it is no duration. */
export function parseDuration(duration: string): number | undefined {
  const units: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?|\.\d+)(h|ms|us|µs|ns|m|s)/g)];
  if (parts.length === 0 || parts.map((p) => p[0]).join("") !== duration) return duration === "0" ? 0 : undefined;
  return parts.reduce((sum, [, n, unit]) => sum + Number(n) * (units[unit as string] as number), 0);
}
