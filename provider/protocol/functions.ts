/** The functions of every language. */
import { isUnknown, type Properties, unwrapAll } from "../core/pulumi-values";
import { redactValues } from "../core/redact-values";
import type { QueryName } from "../queries/function-types";
import { queryNames, runQuery } from "../queries/index";
import type { Session } from "../session/session";
import { secretTexts } from "./mark-secrets";
import { tokenPrefix } from "./tokens";

/** The result of a function, or what is wrong with its arguments. Lists are the member `items`: a result is an object. */
export async function invoke(
  session: Session,
  token: string,
  properties: Properties,
): Promise<{ issues: string[]; result?: undefined } | { issues?: undefined; result: Properties }> {
  const name = token.slice(tokenPrefix.length) as QueryName;
  if (!token.startsWith(tokenPrefix) || !queryNames.includes(name)) {
    throw new Error(`${token} is not a function of this plugin (functions: ${queryNames.join(", ")})`);
  }
  const args = unwrapAll(properties);
  if (isUnknown(args)) throw new Error(`${name}: the value of an argument is not known yet`);
  if (session.connection.configIssue !== undefined)
    throw new Error(`${name}: settings: ${session.connection.configIssue}`);
  const answer = await runQuery(session, name, args).catch(({ message }: Error) => {
    // The service repeats what it was asked for.
    throw new Error(redactValues(message, secretTexts(properties)));
  });
  if (answer.issues !== undefined) return { issues: answer.issues };
  const { result } = answer;
  return { result: (Array.isArray(result) ? { items: result } : result) as Properties };
}
