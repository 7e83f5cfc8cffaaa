/** The parts of a URN: `urn:pulumi:<stack>::<project>::<types of the parents, and its own>::<name>`. */

export interface Urn {
  stack: string;
  project: string;
  /** The types of its parents and its own, joined by `$`. */
  qualifiedType: string;
  type: string;
  /** It may contain anything, `::` included. */
  name: string;
}

const prefix = "urn:pulumi:";

/** Undefined for what is no URN of a resource. */
export function readUrn(text: string): Urn | undefined {
  const [head = "", project = "", qualifiedType = "", ...name] = text.split("::");
  if (!head.startsWith(prefix) || name.length === 0) return undefined;
  return {
    ...{ stack: head.slice(prefix.length), project, qualifiedType },
    type: qualifiedType.slice(qualifiedType.lastIndexOf("$") + 1),
    name: name.join("::"),
  };
}

/** @throws if the text is no URN of a resource */
export function parseUrn(text: string): Urn {
  const urn = readUrn(text);
  if (urn === undefined) throw new Error("the message has no URN of a resource");
  return urn;
}
