/** Quotes a word for the shell. */
export const inShell = (word: string): string =>
  /^[\p{L}\p{N}_./+-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
