/** Halves of surrogate pairs, which no encoding has. Node 20 knows the methods, TypeScript's types for it do not. */
interface Text {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

export const isWellFormed = (text: string): boolean => (text as unknown as Text).isWellFormed();

export const toWellFormed = (text: string): string => (text as unknown as Text).toWellFormed();
