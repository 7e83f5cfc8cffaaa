/** Which names and values of a service may be in a report: what an API's words make up, never what a customer chose. */

import { type OperationName, responseMembers, withPaths } from "../emulator/response-members";
import { allEndpoints } from "../sdk/api/index";
import { editions } from "../sdk/edition";

/** Words that names of members are often made of, in any API. */
const generalWords = `
  access account action active address amount api archived assigned attempts auto body branding bulk can category channel client code color colour comment
  completed content count country created currency custom data date day default deleted delivery description detail details disabled display domain
  download draft due duration embed embedded enabled end ends error errors event events expired expires expiry external failed failure field fields file
  files first flag footer format group groups has hash header hidden history host icon id ids image images index info internal invited ip is item items
  key kind label language last length level limit link links list locale location locked logo max message meta metadata method min mobile mode modified
  month more name next note notes number object offset open opened order origin owner owners page pages parent password path pdf permissions phone
  plan position prev preview previous price private progress public qes quota read reason received recipient redirect ref reference region rejected
  reminder reply request required response result results retry review revision role roles schedule scheduled scope secret seen self sender sent
  sequence session shared sign signature signed signer size sort source start started state status step subject suspended tag tags target team text thumbnail
  time times timestamp timezone title token total type types unit updated upload uploaded uri url usage used user users uuid value values verified
  version view viewed visible web width workflow year zone`;

const words: ReadonlySet<string> = new Set([
  ...generalWords.trim().split(/\s+/),
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
 * The name of a member that is not documented, with a question mark for each word that is not one of an API: a service may name a setting after
 * the customer for whom it was made. A name made otherwise than the API's, such as an email address, is not shown: the object's names are data.
 */
export function nameToShow(name: string): string {
  const isMadeLikeOurs = name.length <= longestName && /^[a-z]+([_A-Z][a-z]+)*\d?$/.test(name);
  if (!isMadeLikeOurs) return hidden;
  const shown = name.split(/(?=[A-Z_])|(?<=_)/).map((part) => (part === "_" || isApiWord(part) ? part : "?"));
  return shown.some((part) => isApiWord(part)) ? shown.join("") : hidden;
}

const isApiWord = (part: string): boolean => words.has(part.toLowerCase().replace(/\d$/, ""));

/** A value of an enum that is not documented: shown if it is an identifier. */
export const valueToShow = (value: string): string =>
  value.length <= longestName && /^([a-z]+([-_][a-z]+)*|\d{1,2})$/.test(value) ? value : hidden;
