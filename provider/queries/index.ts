/** The functions of every language: reads of an account by name. */
import type { Client } from "../../sdk/client";
import type { Properties } from "../core/pulumi-values";
import { plainArguments } from "../resources/account-argument";
import type { Session } from "../session/session";
import { accountQueries } from "./account-queries";
import { issuesOfCall } from "./check-call";
import { getTemplate, getTemplates } from "./envelope-templates";
import type { Queries, QueryName } from "./function-types";

const queries: { [N in QueryName]: (client: Client, args: Queries[N]["args"]) => Promise<Queries[N]["result"]> } = {
  ...accountQueries,
  getTemplates,
  getTemplate,
};

export const queryNames = Object.keys(queries) as QueryName[];

/** The result of a call, or what is wrong with its arguments. Throws a message without keys. */
export async function runQuery<N extends QueryName>(
  { connection, accounts, reporting }: Session,
  name: N,
  args: Properties,
): Promise<{ issues: string[] } | { issues?: undefined; result: Queries[N]["result"] }> {
  const plain = plainArguments(args);
  const issues = issuesOfCall(name, plain, connection.config.allowUnknownValues);
  if (issues.length > 0) return { issues };
  try {
    const account = plain.account === undefined ? undefined : String(plain.account);
    const { client } = accounts.of(account);
    return { result: await queries[name](client, plain as unknown as Queries[N]["args"]) };
  } catch (error) {
    throw new Error(reporting.redact(error instanceof Error ? error.message : String(error)));
  }
}
