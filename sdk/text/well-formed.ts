/**
 * Replaces halves of surrogate pairs, which no encoding can represent. Node 20 has methods for it, but TypeScript's types for Node 20
 * lack them.
 */
interface Text {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

export const isWellFormed = (text: string): boolean => (text as unknown as Text).isWellFormed();

export const toWellFormed = (text: string): string => (text as unknown as Text).toWellFormed();
