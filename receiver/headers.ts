/** Request headers, in any of the shapes that servers and frameworks have. */

/** A plain object (as `IncomingHttpHeaders`), or pairs of name and value (as `Headers`). Names in any case. */
export type RequestHeaders =
  | Readonly<Record<string, string | readonly string[] | null | undefined>>
  | Iterable<readonly [string, string]>;

/** The value of a header; several are joined as `Headers` joins them. Headers of another shape have none. */
export function readHeader(headers: RequestHeaders | null | undefined, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const entries: Iterable<unknown> = Symbol.iterator in headers ? headers : Object.entries(headers);
  const values: string[] = [];
  for (const entry of entries) {
    if (!Array.isArray(entry) || String(entry[0]).toLowerCase() !== name.toLowerCase()) continue;
    for (const value of [entry[1] ?? []].flat()) values.push(String(value));
  }
  return values.length > 0 ? values.join(", ").trim() : undefined;
}
