/** Open envelopes: a changed template changes what their parties will receive. */
import type { Client } from "../../../sdk";

/** Envelopes that may still send emails. */
export interface OpenEnvelopes {
  /** Sent, or about to be: each may still use any of the account's templates. */
  active: number;
  /** Not sent yet: they use the templates when they are sent. */
  drafts: number;
}

const ACTIVE = ["processing", "sent"];

/** Counts an account's open envelopes; reads the whole list, page by page. */
export async function countOpenEnvelopes(client: Client): Promise<OpenEnvelopes> {
  const count: OpenEnvelopes = { active: 0, drafts: 0 };
  for await (const envelope of client.envelopes.list()) {
    if (ACTIVE.includes(envelope.envelope_status)) count.active++;
    else if (envelope.envelope_status === "draft") count.drafts++;
  }
  return count;
}

/** What a change of a template means for open envelopes, in one sentence. */
export function describeOpenEnvelopes(type: string, { active, drafts }: OpenEnvelopes): string {
  if (type === "email-widget-verify") return "is sent to visitors of a widget, not for envelopes";
  const later = drafts > 0 ? ` (${drafts} more when ${drafts === 1 ? "its draft is" : "their drafts are"} sent)` : "";
  if (active === 0) return `no open envelope uses it${later}`;
  return `${active} open ${active === 1 ? "envelope" : "envelopes"} may still send it, with the new content${later}`;
}
