/** Messages for a protected resource that would be deleted: alone, by its own replacement, or by that of another one. */

/** How to unprotect it. Names both options, since a component or a class may have set one of them without the user's knowledge. */
const UNPROTECT_HINT = "Set `protect: false` (or `deletionProtection: false`), run an update";

/** A resource was not deleted because it is protected; other deletions continue. */
export class ProtectedError extends Error {
  constructor() {
    super(
      `it is protected and was not deleted. ${UNPROTECT_HINT}, then delete it (\`state unprotect\` is enough for \`protect\` alone). If it only has another name now, an alias or \`state rename\` keeps it`,
    );
  }
}

export const replacesProtected = `it is protected, and replacing it would delete it. ${UNPROTECT_HINT} first`;

/** `cause`: the URN of the resource that is replaced. */
export const deletesProtected = (cause: string) =>
  `it is protected, but it must be deleted because ${cause}, which it depends on, is replaced. ${UNPROTECT_HINT} first`;
