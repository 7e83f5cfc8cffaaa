/** Envelopes. Creating them is in create-envelope.ts. */

import { throwApiError } from "../domain/api-errors";
import type { Account, Envelope } from "../domain/data-schema";
import { EnvelopeLifecycle } from "../domain/envelope-lifecycle";
import { createFromFiles, createFromTemplate } from "./create-envelope";
import type { GroupHandlers, HandlerRequest } from "./handler";
import { presentChange, presentEnvelope, presentSummary } from "./present-envelope";

export function findEnvelope(account: Account, fingerprint: string): { envelope: Envelope; index: number } {
  const index = account.envelopes.findIndex((envelope) => envelope.fingerprint === fingerprint);
  return index < 0 ? throwApiError(10253) : { envelope: account.envelopes[index]!, index };
}

type EnvelopeRequest = HandlerRequest<{ envelope_fingerprint: string }>;

const lifecycleOf = ({ context, account, actor }: EnvelopeRequest, envelope: Envelope): EnvelopeLifecycle =>
  new EnvelopeLifecycle(context, account, envelope, actor);

/** Does something with an envelope, and returns it. */
function change(request: EnvelopeRequest, run: (lifecycle: EnvelopeLifecycle) => void): Envelope {
  const { envelope, index } = findEnvelope(request.account, request.params.envelope_fingerprint);
  const previous = { record: structuredClone(envelope), index };
  run(lifecycleOf(request, envelope));
  request.context.recordWrite(request.account, "envelopes", envelope.fingerprint, previous);
  return envelope;
}

const presentEnd = (envelope: Envelope, message: string) => ({
  ...presentChange(envelope, message),
  envelope_status: envelope.status,
  envelope_processed: envelope.processed,
});

/** Today's filters. The status has two names in the documentation. */
function filter({ context, query }: Pick<HandlerRequest, "context" | "query">, envelopes: readonly Envelope[]) {
  if (context.settings.edition === "specification") return envelopes;
  const status = query.status ?? query.envelope_status;
  const part = query.q?.toLowerCase() ?? "";
  return envelopes.filter(
    (envelope) => (status === undefined || envelope.status === status) && envelope.title.toLowerCase().includes(part),
  );
}

type UpdateParty = GroupHandlers<"envelopes">["updateParty"];

const updateParty: UpdateParty = {
  errorCodes: { "": "nothing to update" },
  run(request) {
    const { account, params, form } = request;
    const { envelope } = findEnvelope(account, params.envelope_fingerprint);
    const party = envelope.parties.find((each) => each.id === params.party_id) ?? throwApiError("no party");
    lifecycleOf(request, envelope).updateParty(party, { name: form.party_title, email: form.party_email });
    return { party_id: party.id, party_title: party.name, party_email: party.email, party_role: party.role };
  },
};

export const envelopes: GroupHandlers<"envelopes"> = {
  createFromTemplate,
  createFromFiles,
  get: {
    run(request) {
      return presentEnvelope(request, findEnvelope(request.account, request.params.envelope_fingerprint).envelope);
    },
  },
  list: {
    run: (request) => ({
      records: filter(request, request.context.listVisible(request.account, "envelopes", request.account.envelopes)),
      item: (envelope: Envelope) => presentSummary(request, envelope),
      members: { href: `${request.origin}/v1/envelopes` },
    }),
  },
  remind: {
    run(request) {
      const envelope = change(request, (lifecycle) => lifecycle.remind(request.context.settings.edition === "current"));
      return {
        ...presentChange(envelope, "A reminder has been sent."),
        envelope_all_at_once_enabled: envelope.allAtOnce ?? false,
      };
    },
  },
  cancel: {
    run: (request) =>
      presentEnd(
        change(request, (lifecycle) => lifecycle.cancel()),
        "The envelope has been cancelled.",
      ),
  },
  expire: {
    run: (request) =>
      presentEnd(
        change(request, (lifecycle) => lifecycle.expire()),
        "The envelope has been expired.",
      ),
  },
  delete: {
    run(request) {
      const { context, account } = request;
      const { envelope, index } = findEnvelope(account, request.params.envelope_fingerprint);
      lifecycleOf(request, envelope).assertDeletable();
      account.envelopes.splice(index, 1);
      context.markChanged(account);
      context.recordWrite(account, "envelopes", envelope.fingerprint, { record: envelope, index });
      return { ...presentChange(envelope, "The envelope has been deleted."), envelope_status: "deleted" };
    },
  },
  updateParty,
};
