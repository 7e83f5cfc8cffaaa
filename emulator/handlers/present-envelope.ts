/** Envelopes in responses, as the edition has them. */
import { presentMeta } from "../domain/envelope-lifecycle";
import { signingUrl } from "../domain/notifications/members";
import type { Document, Envelope, Party } from "../domain/schema";
import type { HandlerRequest } from "./types";

type Request = Pick<HandlerRequest, "origin" | "id" | "context">;

const isCurrent = ({ context }: Request) => context.settings.edition === "current";

/** Of an envelope with documents; the URL returns 404 until all parties have signed. */
/** Address of the signed document; null without one. */
export function signedPdf({ origin }: Pick<Request, "origin">, { documents: [document] }: Envelope): string | null {
  return document ? `${origin}/documents/${document.fingerprint}.pdf?signed` : null;
}

/** In a list. */
export function presentSummary(request: Request, envelope: Envelope) {
  const summary = {
    envelope_fingerprint: envelope.fingerprint,
    envelope_title: envelope.title,
    envelope_status: envelope.status,
    envelope_redirect_url: envelope.redirectUrl ?? (isCurrent(request) ? "" : `${request.origin}/signed`),
    envelope_created: envelope.created,
    envelope_sent: envelope.sent ?? null,
  };
  if (!isCurrent(request)) return summary;
  return {
    ...summary,
    envelope_processed: envelope.processed ?? null,
    envelope_all_at_once_enabled: envelope.allAtOnce ?? false,
    envelope_requires_otp: requiresCode(envelope),
    envelope_parties: envelope.parties.map((party) => presentListParty(request, envelope, party)),
    ...(envelope.status === "signed" && { envelope_signed_pdf: signedPdf(request, envelope) }),
  };
}

/** On its own. */
export function presentEnvelope(request: Request, envelope: Envelope) {
  return {
    ...presentSummary(request, envelope),
    envelope_documents: envelope.documents.map((document) => presentDocument(request, envelope, document)),
    envelope_parties: envelope.parties.map((party) => presentParty(request, envelope, party)),
    ...(isCurrent(request) ? {} : { envelope_signed_pdf: signedPdf(request, envelope) }),
    envelope_history: envelope.history.map((entry) => ({
      history_detail: entry.detail,
      history_ip: entry.ip,
      history_user_agent: entry.userAgent,
      history_date: entry.date,
    })),
    envelope_meta: presentMeta(envelope),
  };
}

/** What the response to its creation has today besides. */
export function presentCreation(request: Request, envelope: Envelope) {
  if (!isCurrent(request)) return {};
  return {
    envelope_redirect_url: envelope.redirectUrl ?? "",
    envelope_password_protect: envelope.password !== undefined,
    envelope_requires_otp: requiresCode(envelope),
    envelope_all_at_once_enabled: envelope.allAtOnce ?? false,
    envelope_parties: envelope.parties.map((party) => presentListParty(request, envelope, party)),
  };
}

/** After an action. */
export function presentChange(request: Request, envelope: Envelope, message: string, status?: string) {
  const change = { message, envelope_fingerprint: envelope.fingerprint, envelope_title: envelope.title };
  if (!isCurrent(request)) return change;
  if (status === undefined) return { ...change, envelope_all_at_once_enabled: envelope.allAtOnce ?? false };
  const ended = status === "deleted" ? {} : { envelope_processed: envelope.processed ?? null };
  return { ...change, envelope_status: status, ...ended };
}

const requiresCode = ({ parties }: Envelope): boolean => parties.some((party) => party.mobile !== undefined);

function presentListParty(request: Request, envelope: Envelope, party: Party) {
  return {
    party_id: request.id(party.id),
    party_title: party.name,
    party_mobile_last4: party.mobile?.slice(-4) ?? null,
    party_password: envelope.password ?? null,
  };
}

function presentParty(request: Request, envelope: Envelope, party: Party) {
  const { id } = request;
  const isWaiting = isCurrent(request) && party.status === "waiting";
  return {
    ...(isCurrent(request) && presentListParty(request, envelope, party)),
    party_id: id(party.id),
    party_title: party.name,
    party_status: isWaiting ? "pending" : party.status,
    contact_id: id(party.contact),
    contact_email: party.email,
    ...(isCurrent(request) && {
      party_signature_type: party.inPerson ? "in person" : "remote",
      party_role: party.role,
      ...(request.context.settings.embeddedSigning &&
        party.role === "signer" && { party_signing_url: signingUrl(request.origin, envelope, party) }),
    }),
  };
}

function presentDocument(request: Request, envelope: Envelope, document: Document) {
  const { origin, id } = request;
  const base = `${origin}/documents/${document.fingerprint}`;
  const pages = Array.from({ length: document.pages }, (_, i) => i + 1);
  const signed = envelope.status === "signed" ? `${base}.pdf?signed` : null;
  return {
    document_fingerprint: document.fingerprint,
    document_title: document.title,
    document_page_total: String(document.pages),
    document_pdf_url: `${base}.pdf`,
    ...(isCurrent(request) && { document_signed_pdf: signed }),
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
