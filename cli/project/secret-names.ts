/** Which values of a stack's configuration should be encrypted, by their names. */

/** Keys whose values should be encrypted, also at the end of a path: `values["token"]`. */
export const secretName = /(api-?_?key|password|passphrase|secret|token)(["']?\])*$/i;
