/**
 * What each response contains, by operation and edition: names, types, and what each member is known from. The emulator sends these members
 * and no others; the reference lists them with their sources.
 */
import type { Api, GroupName } from "../../sdk/api/index";
import { type Edition, editions } from "../../sdk/edition";
import { accountRows } from "./account";
import { envelopeRows } from "./envelopes";
import { partnerRows } from "./partner";
import { peopleRows } from "./people";
import { both, example, type Member, membersOf, page, type Row, specification } from "./row";

export type { Member, MemberSource, MemberType } from "./row";

/** `webhooks.create` */
export type OperationName = { [G in GroupName]: `${G}.${Extract<keyof Api[G], string>}` }[GroupName];

/** Of every response to a request that succeeded. */
const common: Row[] = [both(specification("1", "http:integer")), both(page("testing", "test:boolean?"))];

const rows: Record<OperationName, readonly Row[]> = { ...accountRows, ...partnerRows, ...envelopeRows, ...peopleRows };

/** Of every response to a request that was refused. One that finds no such URL has a message only. */
const errorRows: Row[] = [
  both(page("errors/general-errors", "http:integer? code:integer? message")),
  example("errors/general-errors", "company:string|null? url:string? detail:string|null?"),
];

const cache = new Map<string, ReadonlyMap<string, Member>>();

/** Members of a successful response, by name. */
export function responseMembers(operation: OperationName, edition: Edition): ReadonlyMap<string, Member> {
  const key = `${operation} ${edition}`;
  const members = cache.get(key) ?? membersOf([...common, ...rows[operation]], edition);
  cache.set(key, members);
  return members;
}

/** Members of an error, by name. */
export const errorMembers = (edition: Edition): ReadonlyMap<string, Member> => membersOf(errorRows, edition);

/** Members with those of objects and lists in them, each with its path: `webhooks[].webhook_id`. */
export function withPaths(members: ReadonlyMap<string, Member>, prefix = ""): { path: string; member: Member }[] {
  return [...members.values()].flatMap((member) => {
    const path = prefix + member.name;
    return [{ path, member }, ...withPaths(member.members, `${path}${member.types.includes("list") ? "[]" : ""}.`)];
  });
}

const paths = new Map<OperationName, ReadonlySet<string>>();

/** Whether a member of the operation's responses has a source in any edition. */
export function hasSource(operation: OperationName, path: string): boolean {
  let sources = paths.get(operation);
  if (sources === undefined) {
    sources = new Set(
      editions.flatMap((edition) => withPaths(responseMembers(operation, edition)).map((one) => one.path)),
    );
    paths.set(operation, sources);
  }
  return sources.has(path);
}
