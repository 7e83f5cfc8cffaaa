/** Credentials in URLs: before the host, and in parameters. */

/** Hides them: output ends up in pull requests and logs. */
export function redactUrl(text: string): string {
  return text
    .replace(/(https?:\/\/)[^/\s@]+@/g, "$1…@")
    .replace(/([?&][^=?&\s]{0,200}(?<=token|key|secret|sig|signature|pass|password|auth|code)=)[^&\s#"]+/gi, "$1…");
}
