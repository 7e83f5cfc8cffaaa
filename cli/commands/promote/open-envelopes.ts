/** Open envelopes: a changed email template changes what their parties will receive. */
import type { Comparison } from "../../../account-folder/diff/comparison";
import type { Client } from "../../../sdk";
import { isFinal } from "../../../sdk/envelopes/final-statuses";
import { UsageError } from "../../output/errors";
import { openAccount } from "../../references/open-reference";
import { parseReference, type Reference } from "../../references/reference";
import type { Destination } from "./destination";

/** Envelopes that may still send emails. */
export interface OpenEnvelopes {
  /** Sent, or about to be: each may still use any of the account's email templates. */
  active: number;
  /** Not sent yet: they use the email templates when they are sent. */
  drafts: number;
}

/** Counts the open envelopes of each account whose email templates change, where possible. */
export async function countFor(
  target: Destination,
  account: string | undefined,
  comparison: Comparison,
): Promise<Map<string, OpenEnvelopes | string>> {
  const emails = comparison.changes.filter((change) => change.kind === "BrandingEmail");
  const counts = new Map<string, OpenEnvelopes | string>();
  const name = account ?? (target.stack === undefined ? undefined : `account:${target.stack}`);
  const named = name === undefined ? undefined : parseReference(name);
  if (named !== undefined && named.kind !== "account") {
    throw new UsageError(`--target-account takes an account, not "${name}"`);
  }
  for (const company of new Set(emails.map((change) => change.company ?? ""))) {
    if (named === undefined) counts.set(company, "use --target-account to count them");
    else counts.set(company, await countOf(company === "" ? named : { ...named, company }, account === undefined));
  }
  return counts;
}

async function countOf(named: Reference & { kind: "account" }, tolerant: boolean): Promise<OpenEnvelopes | string> {
  try {
    const connection = await openAccount(named);
    try {
      return await countOpenEnvelopes(connection.client);
    } finally {
      await connection.close();
    }
  } catch (error) {
    // The plan is about files, and useful without the count. A subaccount may be new.
    if (!tolerant && named.company === undefined) throw error;
    const which = named.company === undefined ? named.text : `${named.text}/${named.company}`;
    return `${which} cannot be read: ${(error as Error).message.split("\n")[0]}`;
  }
}

/** Counts an account's open envelopes; reads the whole list, page by page. */
async function countOpenEnvelopes(client: Client): Promise<OpenEnvelopes> {
  const count: OpenEnvelopes = { active: 0, drafts: 0 };
  for await (const envelope of client.envelopes.list()) {
    if (envelope.envelope_status === "draft") count.drafts++;
    else if (!isFinal(envelope.envelope_status)) count.active++;
  }
  return count;
}

/** What a change of an email template means for open envelopes, in one sentence. */
export function describeOpenEnvelopes(type: string, { active, drafts }: OpenEnvelopes): string {
  if (type === "email-widget-verify") return "is sent to visitors of a widget, not for envelopes";
  const later = drafts > 0 ? ` (${drafts} more when ${drafts === 1 ? "its draft is" : "their drafts are"} sent)` : "";
  if (active === 0) return `no open envelope uses it${later}`;
  return `${active} open ${active === 1 ? "envelope" : "envelopes"} may still send it, with the new content${later}`;
}
