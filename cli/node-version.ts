/**
 * Loaded before everything else: an older Node cannot even read the rest, and its own error does not help. So this file and main.ts
 * have no syntax that is newer than ES2017.
 */
const oldest = "20.18.1";

/** What to say on a version that is too old; undefined on any other. */
export function olderNode(version: string): string | undefined {
  const has = version.split(".").map(Number);
  const wants = oldest.split(".").map(Number);
  const first = wants.findIndex((part, i) => part !== has[i]);
  if (first === -1 || Number(has[first]) > Number(wants[first])) return undefined;
  return `error: esign needs Node ${oldest} or newer, and this is ${version}. Install a newer one: https://nodejs.org`;
}

const message = olderNode(process.versions.node);
if (message !== undefined) {
  process.stderr.write(`${message}\n`);
  // Wrong usage, as everywhere.
  process.exit(2);
}
