/** Request headers, in any of the shapes that servers and frameworks have. */

/** A plain object (as `IncomingHttpHeaders`), or pairs of name and value (as `Headers`). Names in any case. */
export type RequestHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

/** The value of a header; several are joined as `Headers` joins them. */
export function readHeader(headers: RequestHeaders, name: string): string | undefined {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const values = entries.flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? (value ?? []) : []));
  return values.length > 0 ? values.join(", ").trim() : undefined;
}
