/** Credentials in URLs: before the host, and in parameters. */

/** Names of parameters whose values are secret. Short words count as the last one of a name only: `code`, not `codec`. */
const secretParameter =
  /token|secret|passw|passphrase|credential|signature|jwt|hmac|session|(?:key|sig|auth|code|pass|pwd)$/i;

/** Hides them: output ends up in pull requests and logs. */
export function redactUrl(text: string): string {
  return (
    text
      // A password may contain any number of @: the last one before the path ends it.
      .replace(/(:\/\/)[^/?#\s]*@/g, "$1…@")
      .replace(/([?&#;])([^=?&#;\s]{1,200})=[^&#;\s"]+/g, (parameter, mark: string, name: string) =>
        secretParameter.test(name) ? `${mark}${name}=…` : parameter,
      )
  );
}
