/** Envelopes that are on their way: whoever changes an e-mail changes what their parties are going to get. */
import type { Client } from "../../../sdk";

/** Envelopes by what may still happen to them (§3). */
export interface OpenEnvelopes {
  /** Sent, or about to be: each may still send any of the account's e-mails. */
  active: number;
  /** Not sent yet: they use the e-mails once somebody sends them. */
  drafts: number;
}

const ACTIVE = ["processing", "sent"];

/** Counts an account's envelopes in flight; reads the whole list (§4.4), page by page. */
export async function countOpenEnvelopes(client: Client): Promise<OpenEnvelopes> {
  const count: OpenEnvelopes = { active: 0, drafts: 0 };
  for await (const envelope of client.envelopes.list()) {
    if (ACTIVE.includes(envelope.envelope_status)) count.active++;
    else if (envelope.envelope_status === "draft") count.drafts++;
  }
  return count;
}

/** What a change of an e-mail means for envelopes in flight, one sentence. */
export function describeOpenEnvelopes(type: string, { active, drafts }: OpenEnvelopes): string {
  if (type === "email-widget-verify") return "is sent to visitors of a widget, not for an envelope";
  const later = drafts > 0 ? ` (${drafts} more when ${drafts === 1 ? "its draft is" : "their drafts are"} sent)` : "";
  if (active === 0) return `no envelope in flight uses it${later}`;
  return `${active} ${active === 1 ? "envelope" : "envelopes"} in flight may still send it, with the new text${later}`;
}
