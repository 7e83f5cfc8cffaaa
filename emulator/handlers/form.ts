/** Form fields of a request. */

/** Drops empty fields: they count as missing. */
export function omitEmptyFields(form: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ""));
}
