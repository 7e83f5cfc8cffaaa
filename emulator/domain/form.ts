/** The form of a request. */

/** The fields that hold something: a form cannot say "nothing" otherwise than by an empty field. */
export function omitEmptyFields(form: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ""));
}
