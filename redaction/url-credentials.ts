/** Credentials in URLs: before the host, and in parameters. */

/** Hides them: output ends up in pull requests and logs. */
export const redactUrl = (text: string): string => redactParameters(redactUserinfo(text));

/** User and password end at the last @ of the authority, as URL parsers have it: a password may contain @. */
function redactUserinfo(text: string): string {
  if (/^\s*\S+\s*$/.test(text) && isWithUserinfo(text)) {
    // A web address may begin with backslashes, more slashes or none.
    const userinfo = isOfWeb(text.split(":", 1)[0]!) ? /^([^:]*:[\\/]*)[^\\/?#]*(?=@)/ : /^([^:]*:\/\/)[^/?#]*(?=@)/;
    return text.replace(userinfo, "$1…");
  }
  const url = /(?<=(?:(["'`<>]?)([a-z][a-z0-9+.-]{0,30}))?:)\/\/([^/?#\s]*)/gi;
  return text.replace(url, (whole, begin = "", scheme = "", authority = "") => {
    const ends = [closing[begin], isOfWeb(scheme) ? "\\" : undefined].filter((end) => end !== undefined);
    const own = ends.reduce((rest, end) => rest.split(end, 1)[0]!, authority);
    const host = own.lastIndexOf("@");
    return host <= 0 ? whole : `//…${authority.slice(host)}`;
  });
}

/** What ends a URL that begins after it. */
const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "<": ">", ">": "<" };

/** True where URL parsers take a backslash for a slash. */
const isOfWeb = (scheme: string): boolean => /^\s*(https?|wss?|ftp)$/i.test(scheme);

function isWithUserinfo(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    return username !== "" || password !== "";
  } catch {
    return false;
  }
}

const secretName =
  /(?:token|key|secret|sig|signature|pass|password|passwd|passphrase|pwd|auth|authorization|code|credential|jwt|bearer|hmac|otp|session)s?(?![a-z])/;

/** True for `token`, `access_token`, `token_v2`, `apiKeyId`; not for `keyword`. */
const isSecret = (name: string): boolean => secretName.test(name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase());

function redactParameters(text: string): string {
  const parameter = /[?&#;]([^=?&#;\s]{1,200})=/g;
  const value = /[^&#\s"]*/y;
  let shown = "";
  let end = 0;
  for (let match = parameter.exec(text); match !== null; match = parameter.exec(text)) {
    if (!isSecret(match[1]!)) {
      // Its value may begin another one's name.
      parameter.lastIndex = match.index + 1;
      continue;
    }
    value.lastIndex = parameter.lastIndex;
    if (value.exec(text)![0] === "") continue;
    shown += `${text.slice(end, parameter.lastIndex)}…`;
    end = parameter.lastIndex = value.lastIndex;
  }
  return shown + text.slice(end);
}
