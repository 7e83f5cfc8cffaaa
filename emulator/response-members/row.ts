/** How the table of response members is written: rows of members that are known from one source. */
import type { Edition } from "../../sdk/edition";
import type { CodeSource } from "../../sdk/error-codes";

/** What a member is known from. */
export interface MemberSource {
  /**
   * The specification, or what codes are known from: the service's documentation, an example of it, a recorded response, services with this API,
   * or nothing but the emulator.
   */
  readonly kind: "specification" | CodeSource;
  /** The section, the page, or why it is invented. */
  readonly where: string;
}

const memberTypes = ["string", "integer", "boolean", "null", "object", "list", "any"] as const;
export type MemberType = (typeof memberTypes)[number];

/** One member of a response, or of an object in it. */
export interface Member {
  readonly name: string;
  /** JSON types that it has in this edition. `any`: none is documented. */
  readonly types: readonly MemberType[];
  /** Whether it is not in every response. */
  readonly isOptional: boolean;
  readonly source: MemberSource;
  /** Members of the object, or of each object in the list. */
  readonly members: ReadonlyMap<string, Member>;
}

/** Members of one source. */
export interface Row {
  readonly edition: Edition | "both";
  readonly source: MemberSource;
  /** `name`, `name:type`, `name:type|null`, and a question mark after one that is not in every response. The type is string unless named; `id` is string or integer. */
  readonly members: string;
  /** The object or list whose members they are: `envelope_documents.document_fields`. */
  readonly parent: string;
}

const rowOf =
  (edition: Row["edition"], kind: MemberSource["kind"]) =>
  (where: string, members: string, parent = ""): Row => ({ edition, source: { kind, where }, members, parent });

/** Of a section of the specification. */
export const specification = rowOf("specification", "specification");
/** Of a page of today's documentation. */
export const page = rowOf("current", "documented");
/** Of a page about the interface of the specification's time. */
export const olderPage = (name: string, members: string, parent?: string): Row =>
  rowOf("specification", "documented")(`older edition, ${name}`, members, parent);
/** Of examples of today's documentation. */
export const example = rowOf("current", "example");
/** Of services with this API at the specification's time. */
export const observation = rowOf("specification", "observed");
/** Of recorded responses, all of the specification's time. */
export const recording = rowOf("specification", "recorded");
/** Of no source; `where` says why the emulator has them. */
export const invention = rowOf("both", "invented");
/** What is known of one edition, in the other as well, where nothing else is known of it. */
export const both = (row: Row): Row => ({ ...row, edition: "both" });
/** What is known of the specification's time, in today's edition. */
export const today = (row: Row): Row => ({ ...row, edition: "current" });

/** Of every list but at its first page. */
export const previousPage = both(recording("lists with an offset", "prev?"));

/** The members of an edition, by name. */
export function membersOf(rows: readonly Row[], edition: Edition): ReadonlyMap<string, Member> {
  const root = new Map<string, Member>();
  for (const row of rows) {
    if (row.edition !== "both" && row.edition !== edition) continue;
    const members = membersAt(root, row.parent);
    for (const text of row.members.split(/\s+/)) {
      const member = parseMember(text, row.source);
      if (members.has(member.name)) throw new Error(`${row.parent} ${member.name} has two sources in ${edition}`);
      members.set(member.name, member);
    }
  }
  return root;
}

function membersAt(root: Map<string, Member>, parent: string): Map<string, Member> {
  let members = root;
  for (const name of parent === "" ? [] : parent.split(".")) {
    const member = members.get(name);
    if (member === undefined) throw new Error(`${parent} is not a member`);
    members = member.members as Map<string, Member>;
  }
  return members;
}

function parseMember(text: string, source: MemberSource): Member {
  const [, name, type = "string", mark] = /^(\w+)(?::([\w|]+))?(\?)?$/.exec(text) ?? [];
  const types = (type === "id" ? "string|integer" : type).split("|") as MemberType[];
  if (name === undefined || !types.every((one) => memberTypes.includes(one)))
    throw new Error(`${text} is not a member`);
  return { name, types, isOptional: mark !== undefined, source, members: new Map() };
}
