/** Envelopes. Creating them is in create-envelope.ts. */
import { EnvelopeLifecycle, presentMeta } from "../domain/envelope-lifecycle";
import { throwApiError } from "../domain/errors";
import type { Account, Document, Envelope } from "../domain/schema";
import { createFromFiles, createFromTemplate } from "./create-envelope";
import type { GroupHandlers, HandlerRequest } from "./types";

function findEnvelope(account: Account, fingerprint: string): { envelope: Envelope; index: number } {
  const index = account.envelopes.findIndex((envelope) => envelope.fingerprint === fingerprint);
  return index < 0 ? throwApiError(10253) : { envelope: account.envelopes[index]!, index };
}

function presentSummary({ origin }: Pick<HandlerRequest, "origin">, envelope: Envelope) {
  return {
    envelope_fingerprint: envelope.fingerprint,
    envelope_title: envelope.title,
    envelope_status: envelope.status,
    envelope_redirect_url: envelope.redirectUrl ?? `${origin}/signed`,
    envelope_created: envelope.created,
    envelope_sent: envelope.sent ?? null,
  };
}

function presentDocument({ origin, id }: Pick<HandlerRequest, "origin" | "id">, document: Document) {
  const base = `${origin}/documents/${document.fingerprint}`;
  const pages = Array.from({ length: document.pages }, (_, i) => i + 1);
  return {
    document_fingerprint: document.fingerprint,
    document_title: document.title,
    document_page_total: String(document.pages),
    document_pdf_url: `${base}.pdf`,
    document_thumbnails: pages.map((page) => `${base}/thumbnail-${page}.png`),
    document_pages: pages.map((page) => `${base}/page-${page}.png`),
    document_fields: document.fields.map((field) => ({
      field_id: id(String(field.id)),
      field_title: field.title,
      field_type: field.type,
      field_value: field.value,
      party_id: id(field.party),
      field_merge: field.merge,
    })),
  };
}

type EnvelopeRequest = HandlerRequest<{ envelope_fingerprint: string }>;

function change(request: EnvelopeRequest, message: string, run: (lifecycle: EnvelopeLifecycle) => void) {
  const { envelope, index } = findEnvelope(request.account, request.params.envelope_fingerprint);
  const previous = { record: structuredClone(envelope), index };
  run(new EnvelopeLifecycle(request.context, request.account, envelope, request.actor));
  request.context.recordWrite(request.account, "envelopes", envelope.fingerprint, previous);
  return presentChange(envelope, message);
}

function presentChange(envelope: Envelope, message: string) {
  return { message, envelope_fingerprint: envelope.fingerprint, envelope_title: envelope.title };
}

export const envelopes: GroupHandlers<"envelopes"> = {
  createFromTemplate,
  createFromFiles,
  get: {
    run(request) {
      const { envelope } = findEnvelope(request.account, request.params.envelope_fingerprint);
      const [firstDocument] = envelope.documents;
      return {
        ...presentSummary(request, envelope),
        envelope_documents: envelope.documents.map((document) => presentDocument(request, document)),
        envelope_parties: envelope.parties.map((party) => ({
          party_id: request.id(party.id),
          party_title: party.name,
          party_status: party.status,
          contact_id: request.id(party.contact),
          contact_email: party.email,
        })),
        // Never null for an envelope with documents; the URL returns 404 until all parties have signed.
        envelope_signed_pdf: firstDocument
          ? `${request.origin}/documents/${firstDocument.fingerprint}.pdf?signed`
          : null,
        envelope_history: envelope.history.map((entry) => ({
          history_detail: entry.detail,
          history_ip: entry.ip,
          history_user_agent: entry.userAgent,
          history_date: entry.date,
        })),
        envelope_meta: presentMeta(envelope),
      };
    },
  },
  list: {
    run: (request) => ({
      records: request.context.listVisible(request.account, "envelopes", request.account.envelopes),
      item: (envelope: Envelope) => presentSummary(request, envelope),
      members: { href: `${request.origin}/v1/envelopes` },
    }),
  },
  remind: { run: (request) => change(request, "A reminder has been sent.", (lifecycle) => lifecycle.remind()) },
  cancel: { run: (request) => change(request, "The envelope has been cancelled.", (lifecycle) => lifecycle.cancel()) },
  expire: { run: (request) => change(request, "The envelope has been expired.", (lifecycle) => lifecycle.expire()) },
  delete: {
    run(request) {
      const { context, account } = request;
      const { envelope, index } = findEnvelope(account, request.params.envelope_fingerprint);
      if (envelope.status === "processing" || envelope.status === "sent") throwApiError(10277);
      account.envelopes.splice(index, 1);
      context.markChanged(account);
      context.recordWrite(account, "envelopes", envelope.fingerprint, { record: envelope, index });
      return presentChange(envelope, "The envelope has been deleted.");
    },
  },
};
