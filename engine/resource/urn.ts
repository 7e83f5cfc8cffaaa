/**
 * Parses and builds URNs: `urn:pulumi:<stack>::<project>::<qualified type>::<name>`. The qualified type joins the types of all parents
 * (except the stack) and of the resource by `$`. The name may contain anything, including `::`.
 */

export const STACK_TYPE = "pulumi:pulumi:Stack";
export const STACK_REFERENCE_TYPE = "pulumi:pulumi:StackReference";
/** The package that dynamic resources belong to. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";
const PROVIDER_PREFIX = "pulumi:providers:";

export const createUrn = (stack: string, project: string, parentType: string, type: string, name: string): string =>
  `urn:pulumi:${stack}::${project}::${parentType === "" || parentType === STACK_TYPE ? "" : `${parentType}$`}${type}::${name}`;

/** The URN of a resource with this parent; without one, directly below the stack. */
export const childUrn = (stack: string, project: string, parent: string | undefined, type: string, name: string) =>
  createUrn(stack, project, parent === undefined || parent === "" ? "" : qualifiedType(parent), type, name);

/** Splits at the first three separators only, since the name may contain more. */
function part(urn: string, index: 1 | 2): string {
  let from = 0;
  for (let i = 0; i < index; i++) {
    const at = urn.indexOf("::", from);
    if (at < 0) return "";
    from = at + 2;
  }
  const to = urn.indexOf("::", from);
  return to < 0 ? urn.slice(from) : urn.slice(from, to);
}
export const qualifiedType = (urn: string): string => part(urn, 2);
export const typeOf = (urn: string): string => qualifiedType(urn).split("$").at(-1) as string;
export const projectOf = (urn: string): string => part(urn, 1);
export const stackOf = (urn: string): string => urn.slice("urn:pulumi:".length, urn.indexOf("::"));
export const nameOf = (urn: string): string => {
  const type = qualifiedType(urn);
  const head = urn.indexOf("::", urn.indexOf("::") + 2) + 2 + type.length + 2;
  return urn.slice(head);
};
/** What a message begins with that says what is wrong with a resource. */
export const problemPrefix = (urn: string): string =>
  `${typeOf(urn)} resource ${JSON.stringify(nameOf(urn))} has a problem: `;
export const isUrn = (text: string): boolean => /^urn:pulumi:[^:]+::[^:]+::.+::.*$/s.test(text);

export const isProviderType = (type: string): boolean => type.startsWith(PROVIDER_PREFIX);
export const providerType = (pkg: string): string => PROVIDER_PREFIX + pkg;
/** The package of a resource type or a provider type. */
export const packageOf = (type: string): string =>
  isProviderType(type) ? type.slice(PROVIDER_PREFIX.length) : (type.split(":")[0] as string);

/**
 * True for the provider that an engine creates for resources that name none: it has no parent, while one that a program declares has the
 * stack or a component, whatever its name.
 */
export const isDefaultProvider = ({ urn, parent }: { urn: string; parent?: string | null | undefined }): boolean =>
  isProviderType(typeOf(urn)) && !parent;

/** The URN in a reference to a provider, which is `<urn>::<id>`. */
export const providerUrnOf = (reference: string): string => reference.slice(0, reference.lastIndexOf("::"));
export const providerIdOf = (reference: string): string => reference.slice(reference.lastIndexOf("::") + 2);

/** Converts a pattern of URNs to a regular expression: `*` matches anything without a colon, `**` matches anything. */
export function urnPattern(pattern: string): RegExp {
  const quote = (text: string): string => text.replace(/[.+?^${}()|[\]\\*]/g, "\\$&");
  const parts = pattern.split("**").map((part) => part.split("*").map(quote).join("[^:]*"));
  return new RegExp(`^${parts.join(".*")}$`);
}
