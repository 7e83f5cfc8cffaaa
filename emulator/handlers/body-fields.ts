/** Fields of a request's body, before validation: text in a form, any value in JSON. */
export type Fields = Record<string, unknown>;

/** Drops fields that are null, as JSON may have them. */
export function omitNullFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Drops empty fields: they count as missing. */
export function omitEmptyFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? "") !== ""));
}
