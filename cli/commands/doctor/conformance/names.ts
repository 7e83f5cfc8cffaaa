/** Which names and values of a service may be in a report: those that the API's own words make up, never those that customers chose. */
import { allEndpoints } from "../../../../sdk/api/index";
import { editions } from "../../../../sdk/edition";
import { type OperationName, responseMembers, withPaths } from "../../../../sdk/response-members";

/** Words of paging and of responses in general that the API does not use yet. */
const generalWords =
  "data error errors first has last links list meta more page pages prev previous result results self status";

const words: ReadonlySet<string> = new Set([
  ...generalWords.split(" "),
  ...allEndpoints.flatMap(({ group, operation }) =>
    editions.flatMap((edition) => {
      const members = responseMembers(`${group}.${operation}` as OperationName, edition);
      return withPaths(members).flatMap(({ member }) => wordsOf(member.name));
    }),
  ),
]);

/** `webhookUrl` and `webhook_url` are two words each. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
}

/** What is written instead of a name or value that is not shown. */
export const hidden = "(not shown)";

const longestName = 40;

/**
 * The name of a member that is not documented, if it is surely the API's own: it begins with a word of the API, and is made like its names. An object
 * whose names are data, such as email addresses by names of people, has others.
 */
export function nameToShow(name: string): string {
  const isMadeLikeOurs = name.length <= longestName && /^[a-z]+([_A-Z][a-z]+)*\d?$/.test(name);
  return isMadeLikeOurs && words.has(wordsOf(name)[0]!) ? name : hidden;
}

/** A value of an enum that is not documented: shown if it is an identifier. */
export const valueToShow = (value: string): string =>
  value.length <= longestName && /^([a-z]+([-_][a-z]+)*|\d{1,2})$/.test(value) ? value : hidden;
