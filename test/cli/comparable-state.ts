/** States of two engines, to be compared. */
export interface StateResource {
  urn: string;
  id?: string;
  [member: string]: unknown;
}

/** A set to the Pulumi CLI: it writes them in any order. */
const sorted = (urns: unknown) => (Array.isArray(urns) ? [...urns].sort() : urns);

/** Without times, places in sources, the order of dependencies, and what each creation makes: by its order. */
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
  for (const resource of read) {
    delete (resource.outputs as Record<string, unknown> | undefined)?.__esign;
    if (resource.dependencies !== undefined) resource.dependencies = sorted(resource.dependencies);
    const byProperty = (resource.propertyDependencies ?? {}) as Record<string, unknown>;
    for (const [name, urns] of Object.entries(byProperty)) byProperty[name] = sorted(urns);
  }
  return Object.fromEntries(read.map((resource) => [resource.urn, resource]));
}
