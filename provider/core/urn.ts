/** The parts of a URN: `urn:pulumi:<stack>::<project>::<parents$type>::<name>`. */

export interface Urn {
  stack: string;
  project: string;
  type: string;
  name: string;
}

/** @throws if the text is no URN of a resource */
export function parseUrn(urn: string): Urn {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  const prefix = "urn:pulumi:";
  if (!head.startsWith(prefix) || name.length === 0) throw new Error("the message has no URN of a resource");
  return {
    stack: head.slice(prefix.length),
    project,
    type: types.slice(types.lastIndexOf("$") + 1),
    name: name.join("::"),
  };
}
