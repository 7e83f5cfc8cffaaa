/** Envelopes in responses: all that is known of them. The table of members leaves out what the edition does not have. */

import { JsonText } from "../domain/big-ids-json";
import type { Document, Envelope, Party } from "../domain/data-schema";
import { pdfUrl, pictureUrls } from "../domain/document-urls";
import { colonDate } from "../domain/notifications/payload";
import { signingUrl } from "../domain/notifications/subject-members";
import type { HandlerRequest } from "./handler";

type Request = Pick<HandlerRequest, "origin" | "context">;

const isCurrent = ({ context }: Request) => context.settings.edition === "current";

/** URL of the signed document, once all parties have signed. */
export const signedPdf = ({ origin }: Pick<Request, "origin">, { status, documents: [document] }: Envelope) =>
  status === "signed" && document ? pdfUrl(origin, document.fingerprint, true) : undefined;

/** In a list. */
export function presentSummary(request: Request, envelope: Envelope) {
  return {
    envelope_fingerprint: envelope.fingerprint,
    envelope_title: envelope.title,
    envelope_status: envelope.status,
    envelope_redirect_url: envelope.redirectUrl ?? "",
    envelope_created: envelope.created,
    envelope_sent: envelope.sent ?? null,
    envelope_processed: envelope.processed ?? null,
    envelope_all_at_once_enabled: envelope.allAtOnce ?? false,
    envelope_requires_otp: requiresCode(envelope),
    envelope_parties: envelope.parties.map((party) => presentListParty(envelope, party)),
    envelope_signed_pdf: signedPdf(request, envelope),
  };
}

/** On its own. */
export function presentEnvelope(request: Request, envelope: Envelope) {
  return {
    ...presentSummary(request, envelope),
    envelope_redirect_url: envelope.redirectUrl ?? (isCurrent(request) ? "" : null),
    envelope_parties: envelope.parties.map((party) => presentParty(request, envelope, party)),
    envelope_documents: envelope.documents.map((document) => presentDocument(request, envelope, document)),
    envelope_history: inOrder(request, envelope.history).map((entry) => ({
      history_detail: entry.detail,
      history_ip: entry.ip,
      history_user_agent: entry.userAgent,
      history_date: entry.date,
    })),
    envelope_meta: presentMeta(envelope),
  };
}

/**
 * The specification has the newest entry first, today's examples the oldest. Recorded entries of one second are in the order in which they
 * happened.
 */
function inOrder(request: Request, newestFirst: Envelope["history"]): Envelope["history"] {
  const asHappened = newestFirst.toReversed();
  return isCurrent(request) ? asHappened : asHappened.sort((a, b) => b.date.localeCompare(a.date));
}

/** What the response to its creation has besides. */
export function presentCreation(envelope: Envelope) {
  return {
    envelope_password_protect: envelope.password !== undefined,
    envelope_requires_otp: requiresCode(envelope),
    envelope_all_at_once_enabled: envelope.allAtOnce ?? false,
    envelope_parties: envelope.parties.map((party) => presentListParty(envelope, party)),
  };
}

const signersOf = ({ parties }: Envelope) => parties.filter(({ role }) => role === "signer");

/** By the specification, the response for an envelope from templates has a frame for the first signer. */
export function embedOfTemplate(request: Request, envelope: Envelope) {
  const [first] = signersOf(envelope);
  if (isCurrent(request) || first === undefined) return {};
  const url = signingUrl(request.origin, envelope, first);
  return { envelope_signing_embed: `<iframe src="${url}" width="100%" height="800" frameborder="0"></iframe>` };
}

/** Today, with embedded signing, the response has the page of the signer if there is only one. */
export function embedOfSigner(request: Request, envelope: Envelope) {
  const [first, ...others] = signersOf(envelope);
  const { embeddedSigning } = request.context.settings;
  if (!isCurrent(request) || !embeddedSigning || first === undefined || others.length > 0) return {};
  return { envelope_signing_embed: signingUrl(request.origin, envelope, first) };
}

/** After an action. */
export const presentChange = ({ fingerprint, title }: Envelope, message: string) => ({
  message,
  envelope_fingerprint: fingerprint,
  envelope_title: title,
});

const requiresCode = ({ parties }: Envelope): boolean => parties.some((party) => party.mobile !== undefined);

const presentListParty = (envelope: Envelope, party: Party) => ({
  party_id: party.id,
  party_title: party.name,
  party_mobile_last4: party.mobile?.slice(-4) ?? null,
  party_password: envelope.password ?? null,
});

function presentParty(request: Request, envelope: Envelope, party: Party) {
  const isWaiting = ["waiting", "copy"].includes(party.status);
  const isEmbedded = request.context.settings.embeddedSigning && party.role === "signer";
  return {
    ...presentListParty(envelope, party),
    contact_id: party.contact,
    contact_email: party.email,
    party_status: isWaiting ? "pending" : party.status,
    party_signature_type: party.inPerson ? "in person" : "remote",
    party_role: party.role,
    ...(party.qes && {
      party_qes_status: party.qes.status,
      party_qes_session_expires_at: party.qes.expires === undefined ? null : colonDate(party.qes.expires),
    }),
    party_signing_url: isEmbedded ? signingUrl(request.origin, envelope, party) : undefined,
  };
}

function presentDocument({ origin }: Request, envelope: Envelope, document: Document) {
  return {
    document_fingerprint: document.fingerprint,
    document_title: document.title,
    document_page_total: String(document.pages),
    document_pdf_url: pdfUrl(origin, document.fingerprint),
    document_thumbnails: pictureUrls(origin, document, "thumbnail"),
    document_pages: pictureUrls(origin, document, "page"),
    document_fields: document.fields.map((field) => ({
      field_id: String(field.id),
      field_title: field.title,
      field_type: field.type,
      field_value: field.value ?? "",
      party_id: field.party,
      // Its label: the value is beside it.
      field_merge: field.merge === null ? null : field.title,
    })),
    document_signed_pdf: envelope.status === "signed" ? pdfUrl(origin, document.fingerprint, true) : null,
  };
}

/** The metadata as the client sent it; an empty text without any. */
function presentMeta({ meta, metaText }: Envelope): unknown {
  return metaText === undefined ? (meta ?? "") : new JsonText(metaText);
}
