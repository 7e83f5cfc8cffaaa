/** The members that a response has in the edition, and the types of its IDs: the table in `emulator/response-members` decides. */
import { settingName } from "../../sdk/api/settings";
import { JsonText } from "../domain/big-ids-json";
import type { Settings } from "../domain/emulator-settings";
import { hasSource, type Member, responseMembers } from "../response-members/index";
import type { Route } from "./router";

type Body = Record<string, unknown>;
type Members = ReadonlyMap<string, Member>;

/**
 * Handlers return all that is known of an object; what the edition does not have is left out here. Throws for a member that is in neither
 * edition's table: it has no source.
 */
export function selectMembers(body: Body, { name, group, endpoint }: Route, settings: Settings): Body {
  const isTextOfMixed = endpoint.method === "POST" || endpoint.list !== undefined;

  function selectFrom(object: Body, members: Members, parent: string): Body {
    const entries = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
      if (value === undefined) return [];
      // An account may have settings that no version knows.
      if (group === "settings" && settingName.test(key)) return [[key, value]];
      const member = members.get(key);
      if (member !== undefined) return isSent(member, settings) ? [[key, select(value, member, parent + key)]] : [];
      if (!hasSource(name, parent + key)) throw new Error(`${name}: ${parent}${key} has no source`);
      return [];
    });
    return Object.fromEntries(entries);
  }

  function select(value: unknown, member: Member, path: string): unknown {
    if (isIdentifier(member)) return asIdentifier(value, member, settings, isTextOfMixed);
    if (!Array.isArray(value) || member.members.size === 0) return value;
    return value.map((item) => selectFrom(item, member.members, `${path}[].`));
  }

  return selectFrom(body, responseMembers(name, settings.edition), "");
}

const isSent = ({ source }: Member, { inventedMembers }: Settings): boolean =>
  inventedMembers || source.kind !== "invented";

const isIdentifier = ({ name }: Member): boolean => name.endsWith("_id") && name !== "role_id";

/** Where the table allows strings and integers, they are strings on create and in lists; a setting changes all. */
function asIdentifier(value: unknown, { types }: Member, { idStyle }: Settings, isTextOfMixed: boolean): unknown {
  if (typeof value !== "string") return value;
  const isText = types.includes("string") && (!types.includes("integer") || isTextOfMixed);
  if (idStyle === "mixed" ? isText : idStyle === "string") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : new JsonText(value);
}
