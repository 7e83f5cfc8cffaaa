/**
 * Names of the writes to an object: the instance ID of its resource, and a number that starts at 1. The numbers continue across machines,
 * so that a state which was deployed elsewhere meanwhile includes what this machine sent before.
 */
import type { Metadata } from "../state/metadata";

/** The name of the next write to an object. */
export function nextWrite({ instanceId = "", lastWrite = "" }: Metadata): string {
  return `${instanceId}.${1 + numberOf(lastWrite, instanceId)}`;
}

/** A name for a write to an instance whose state is not at hand: later than all that it has. `now`: the time of day, in milliseconds. */
export const laterWrite = (instanceId: string, now: number): string => `${instanceId}.${Math.round(now)}`;

/** `included`: the state has what it led to. `later`: it does not. `foreign`: a write to another instance of the object. */
export function compareToState({ instanceId = "", lastWrite = "" }: Metadata, write: string) {
  if (write === lastWrite) return "included";
  const number = numberOf(write, instanceId);
  if (!(number > 0)) return "foreign";
  return number > numberOf(lastWrite, instanceId) ? "later" : "included";
}

/** True for two writes to the same instance, in this order. */
export function isEarlier(write: string, next: string): boolean {
  const number = numberOf(write, instanceOf(next));
  return number > 0 && number < numberOf(next, instanceOf(next));
}

export const instanceOf = (write: string): string => write.slice(0, Math.max(0, write.lastIndexOf(".")));

/** The number of a write to this instance; 0 for another instance's. */
function numberOf(write: string, instanceId: string): number {
  return write.startsWith(`${instanceId}.`) ? Number(write.slice(instanceId.length + 1)) : 0;
}
