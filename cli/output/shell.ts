/** A word as a shell takes it. */
export const inShell = (word: string): string =>
  /^[\p{L}\p{N}_./+-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
