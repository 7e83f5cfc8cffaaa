/** The colour codes of terminals, as a pattern: the escape character, and what follows it. */
export const colourCode = `${String.fromCharCode(27)}\\[[\\d;]*m`;
