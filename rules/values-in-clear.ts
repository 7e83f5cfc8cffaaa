/** The values of a configuration that are not encrypted, also those in lists, objects and texts that contain others. */
import { tryParseJson } from "../fs/json-text";
import { parseUrl } from "../sdk/text/url";

interface ClearValue {
  /** As `config set --path` takes it: `shop:values.apiKey`, `shop:keys[0].token`. */
  path: string;
  /** The names on the path: what is below the name of a secret is secret, too. */
  names: readonly string[];
  value: unknown;
}

/** Where a value is. */
interface Place {
  path: string;
  names: readonly string[];
  /** Of the names of lists and objects around: `tokens` has a token in each item. */
  singulars: readonly string[];
}

/** All values in clear. What a text contains has the path of the text. */
export function valuesInClear(value: unknown, place: Place = { path: "", names: [], singulars: [] }): ClearValue[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object")
    return [clearValue(value, place), ...(typeof value === "string" ? valuesInText(value, place) : [])];
  const members = value as Record<string, unknown>;
  if (typeof members.secure === "string" && Object.keys(members).length === 1) return [];
  const { path, names } = place;
  const singulars = [...place.singulars, ...names.slice(-1).flatMap(singularOf)];
  if (Array.isArray(value))
    return value.flatMap((item, index) => valuesInClear(item, { path: `${path}[${index}]`, names, singulars }));
  // In `{ name: apiKey, value: … }` the name is a member.
  const label = [members.name, members.key].filter((each) => typeof each === "string");
  return Object.entries(members).flatMap(([name, inner]) =>
    valuesInClear(inner, {
      path: path === "" ? name : `${path}.${name}`,
      names: [...names, name, ...(name === "value" ? label : [])],
      singulars,
    }),
  );
}

/** Design tokens are colours and fonts. */
const singularOf = (name: string): string[] =>
  /s$/i.test(name) && !/design[-_]?tokens$/i.test(name) ? [name.slice(0, -1)] : [];

/** A number or a colour among `tokens` is a limit, or a part of a design. */
const clearValue = (value: unknown, { path, names, singulars }: Place): ClearValue => ({
  path,
  names: typeof value === "number" || /^#[\da-f]{3,8}$/i.test(String(value)) ? names : [...names, ...singulars],
  value,
});

/** `NAME=value` and `name: value`, as in files of settings. A value with spaces or a placeholder is a sentence, or filled in elsewhere. */
const LINE = /^[ \t]*(?:export[ \t]+)?["']?([\w.-]+)["']?[ \t]*[:=][ \t]*["']?([^\s"'{}$]{6,})["']?[ \t]*$/gm;

/** What a text contains: JSON, lines of settings, the credentials of a URL or of an HTTP header, each of them in base64, too. */
function valuesInText(text: string, place: Place, isDecoded = false): ClearValue[] {
  const { path, names } = place;
  const found = (name: string, value: unknown) => clearValue(value, { ...place, names: [...names, name] });
  const json = /^\s*[{[]/.test(text) ? tryParseJson(text) : undefined;
  if (json !== undefined) return valuesInClear(json, place).map((each) => ({ ...each, path }));
  const authorization = authorizationIn(text);
  if (authorization !== undefined) return [found("token", authorization)];
  const url = /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) ? parseUrl(text.trim()) : undefined;
  if (url !== undefined) {
    const password = passwordIn(url, text);
    const query = [...url.searchParams].filter(([, value]) => !PLACEHOLDER.test(value));
    return [...(password ? [found("password", password)] : []), ...query.map(([name, value]) => found(name, value))];
  }
  const lines = [...text.matchAll(LINE)].map(([, name, value]) => found(name!, value));
  if (lines.length > 0 || isDecoded) return lines;
  const decoded = fromBase64(text);
  return decoded === undefined ? [] : valuesInText(decoded, place, true);
}

/** What is filled in elsewhere: `${NAME}`, `{{name}}`, `<name>`. */
const PLACEHOLDER = /[{}<>]/;

/** The credentials of an HTTP header. `Basic monthly` is the name of a plan. */
function authorizationIn(text: string): string | undefined {
  const [, scheme = "", credentials = ""] = /^\s*(Basic|Bearer)\s+(\S{6,})\s*$/i.exec(text) ?? [];
  const isSecret = /^basic$/i.test(scheme)
    ? fromBase64(credentials)?.includes(":")
    : /\d|^.{16}/.test(credentials) && !PLACEHOLDER.test(credentials);
  return isSecret ? credentials : undefined;
}

/** The password of a URL as it is written: a parsed one has its placeholders encoded. */
function passwordIn(url: URL, written: string): string | undefined {
  const userInfo = /^[^:]*:\/\/([^/?#]*)@/.exec(written)?.[1] ?? "";
  if (PLACEHOLDER.test(userInfo)) return undefined;
  // The API takes its key as the user name. A name alone is a key if it has digits in several places: `contoso2024` is an organization.
  const isKey = /^https?:/.test(url.protocol) && /^(?=\d+$|.*\d\D+\d)[\w-]{10,}$/.test(url.username);
  return url.password || (isKey ? url.username : undefined);
}

/** The text that is encoded; undefined if it is no text. */
function fromBase64(text: string): string | undefined {
  const written = text.replace(/\s+/g, "");
  if (!/^[\w+/-]{12,}={0,2}$/.test(written)) return undefined;
  const decoded = Buffer.from(written, "base64").toString("utf8");
  return /[^\t\r\n -~\u00a0-\ufffc]/.test(decoded) ? undefined : decoded;
}
