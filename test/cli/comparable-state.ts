/** States of two engines, to be compared. */
export interface StateResource {
  urn: string;
  id?: string;
  [member: string]: unknown;
}

/** Without times, places in sources, and what each creation makes: by its order. */
export function comparable(state: StateResource[]): Record<string, unknown> {
  const resources = [...state].sort((a, b) => (a.urn < b.urn ? -1 : 1));
  const text = JSON.stringify(
    resources.map(({ created: _, modified: __, sourcePosition: ___, stackTrace: ____, ...resource }) => resource),
  );
  // Not what a stack exports: numbers of its program may be as long.
  const made = resources.filter(({ urn }) => !urn.includes("pulumi:pulumi:Stack"));
  const values = made.flatMap(({ id, outputs }) => [
    id,
    ...Object.values((outputs ?? {}) as object).filter((value) => /^\d{6,}$/.test(String(value))),
  ]);
  let plain = text;
  for (const [at, value] of [...new Set(values)].entries())
    if (value) plain = plain.replaceAll(String(value), `value ${at}`);
  plain = plain.replace(/"(createdAt|updatedAt)":"[^"]*"/g, '"$1":"time"').replace(/key_[a-z0-9]+/g, "a key");
  const read = JSON.parse(plain) as StateResource[];
  for (const { outputs } of read) delete (outputs as Record<string, unknown> | undefined)?.__esign;
  return Object.fromEntries(read.map((resource) => [resource.urn, resource]));
}
