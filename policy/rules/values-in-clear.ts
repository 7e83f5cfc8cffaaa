/** The values of a configuration that are not encrypted, also those in lists, objects and texts that contain others. */
import { parseUrl } from "../../sdk/text/url";

export interface ClearValue {
  /** As `config set --path` takes it: `shop:values.apiKey`, `shop:keys[0].token`. */
  path: string;
  /** The names on the path: what is below the name of a secret is secret, too. */
  names: readonly string[];
  value: unknown;
}

/** All values in clear. What a text contains has the path of the text. */
export function valuesInClear(value: unknown, path = "", names: readonly string[] = []): ClearValue[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "string") return [{ path, names, value }, ...valuesInText(value, path, names)];
  if (typeof value !== "object") return [{ path, names, value }];
  const members = value as Record<string, unknown>;
  if (typeof members.secure === "string" && Object.keys(members).length === 1) return [];
  // `tokens` has a token in each item.
  const outer = [...names, ...names.slice(-1).map((name) => name.replace(/s$/i, ""))];
  if (Array.isArray(value)) return value.flatMap((item, index) => valuesInClear(item, `${path}[${index}]`, outer));
  // In `{ name: apiKey, value: … }` the name is a member.
  const label = [members.name, members.key].filter((each) => typeof each === "string");
  return Object.entries(members).flatMap(([name, inner]) =>
    valuesInClear(inner, path === "" ? name : `${path}.${name}`, [...outer, name, ...(name === "value" ? label : [])]),
  );
}

/** `NAME=value` and `name: value`, as in files of settings. A value with spaces or a placeholder is a sentence, or filled in elsewhere. */
const LINE = /^[ \t]*(?:export[ \t]+)?["']?([\w.-]+)["']?[ \t]*[:=][ \t]*["']?([^\s"'{}$]{6,})["']?[ \t]*$/gm;

/** What a text contains: JSON, lines of settings, the credentials of a URL or of an HTTP header, each of them in base64, too. */
function valuesInText(text: string, path: string, names: readonly string[], isDecoded = false): ClearValue[] {
  const found = (name: string, value: unknown): ClearValue => ({ path, names: [...names, name], value });
  const json = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  if (json !== undefined) return valuesInClear(json, path, names).map((each) => ({ ...each, path }));
  const authorization = /^\s*(?:Basic|Bearer)\s+(\S{6,})\s*$/i.exec(text)?.[1];
  if (authorization !== undefined) return [found("token", authorization)];
  const url = /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) ? parseUrl(text.trim()) : undefined;
  if (url !== undefined) {
    // The API takes its key as the user name.
    const userInfo = url.password || (/^https?:/.test(url.protocol) ? url.username : "");
    const query = [...url.searchParams].filter(([, value]) => !/[{}]/.test(value));
    return [...(userInfo ? [found("password", userInfo)] : []), ...query.map(([name, value]) => found(name, value))];
  }
  const lines = [...text.matchAll(LINE)].map(([, name, value]) => found(name!, value));
  if (lines.length > 0 || isDecoded) return lines;
  const decoded = fromBase64(text);
  return decoded === undefined ? [] : valuesInText(decoded, path, names, true);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text that is encoded; undefined if it is no text. */
function fromBase64(text: string): string | undefined {
  const written = text.replace(/\s+/g, "");
  if (!/^[\w+/-]{12,}={0,2}$/.test(written)) return undefined;
  const decoded = Buffer.from(written, "base64").toString("utf8");
  return /[^\t\r\n -~\u00a0-\ufffc]/.test(decoded) ? undefined : decoded;
}
