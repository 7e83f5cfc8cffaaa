/** What is known of the subject of an event. */
import { createHash } from "node:crypto";
import { formatTimestamp } from "../../../sdk/api/scalars";
import { toRoleName } from "../../../sdk/roles";
import { ownerOf } from "../account-owner";
import { JsonText } from "../big-ids-json";
import type { Account, Envelope, Party, Template, User } from "../data-schema";
import { pdfUrl, pictureUrls } from "../document-urls";
import { verificationSession } from "../limits";
import type { Members } from "./payload";

/** The parts of an envelope that notifications are about. */
type Subject = Pick<Envelope, "fingerprint" | "title" | "status" | "documents" | "meta" | "metaText" | "user">;
type Contact = Pick<Party, "id" | "name" | "email" | "contact">;

const digest = (...parts: string[]) => createHash("sha256").update(parts.join(" ")).digest("hex");

export function contactMembers({ contact, name, email }: Omit<Contact, "id">): Members {
  return { contact_id: contact, contact_name: name, contact_email: email };
}

export function userMembers({ id, name, email, role }: Pick<User, "id" | "name" | "email" | "role">): Members {
  // Of administrators the words are not documented.
  return { user_id: id, user_name: name, user_email: email, role: toRoleName(role) };
}

/** An envelope, and the party that did something; `url` is the emulator's. */
export function envelopeMembers(url: string, envelope: Subject, party?: Contact): Members {
  const isSigned = envelope.status === "signed";
  const [document] = envelope.documents;
  return {
    envelope_fingerprint: envelope.fingerprint,
    envelope_title: envelope.title,
    envelope_documents: envelope.documents.map(({ title, fingerprint }) => {
      const address = pdfUrl(url, fingerprint, isSigned);
      return {
        document_title: title,
        document_fingerprint: fingerprint,
        document_pdf: address,
        document_download: address,
      };
    }),
    envelope_download: pdfUrl(url, envelope.fingerprint, isSigned),
    envelope_fields: envelope.documents.flatMap(({ fields }) =>
      fields.map(({ id, title, type, value }) => ({
        field_id: id,
        field_name: title,
        field_type: type,
        field_value: value ?? "",
      })),
    ),
    envelope_meta: envelope.metaText === undefined ? envelope.meta : new JsonText(envelope.metaText),
    user_id: envelope.user,
    ...(document && {
      document_id: Number.parseInt(digest(document.fingerprint).slice(0, 7), 16),
      document_title: document.title,
    }),
    ...(party && {
      ...contactMembers(party),
      party_id: party.id,
      signature_fingerprint: digest(envelope.fingerprint, party.id).slice(0, 32),
      failure_reason: "qes_signing_failed",
      failure_message: "The signer could not be identified.",
      envelope_bounce_email: party.email,
      envelope_bounce_reason: "550 5.1.1 The mailbox does not exist.",
      envelope_bounce_url: `${url}/`,
    }),
  };
}

function templateMembers(url: string, template: Pick<Template, "fingerprint" | "title" | "pages">) {
  return {
    template_fingerprint: template.fingerprint,
    template_title: template.title,
    template_page_total: template.pages,
    template_pages: [],
    template_thumbnails: pictureUrls(url, template, "thumbnail"),
  };
}

/** A subject for an event that a test or a person sends: the account's newest envelope and first template, or made-up ones. */
export function sampleMembers(url: string, account: Account, now: Date): Members {
  const envelope = account.envelopes.at(-1);
  const fingerprint = digest("sample", account.id).slice(0, 32);
  const subject = envelope ?? {
    fingerprint,
    title: "Sample agreement",
    status: "sent" as const,
    documents: [{ fingerprint, title: "Sample agreement", pages: 1, fields: [] }],
    meta: null,
    user: ownerOf(account).id,
  };
  const party = envelope?.parties[0] ?? {
    id: "10000001",
    name: "Clara Client",
    email: "clara@example.com",
    contact: "10000002",
  };
  const template = account.templates[0] ?? { fingerprint, title: "Sample template", pages: 1 };
  const link = signingUrl(url, subject, party);
  return {
    ...envelopeMembers(url, subject, party),
    ...templateMembers(url, template),
    user_id: ownerOf(account).id,
    user_name: ownerOf(account).name,
    user_email: ownerOf(account).email,
    role: "user",
    envelope_signing_embed: link,
    signing_page_link: link,
    verification_session_expires_at: formatTimestamp(new Date(now.getTime() + verificationSession)),
  };
}

/** Where a party signs. */
export function signingUrl(
  origin: string,
  { fingerprint }: Pick<Envelope, "fingerprint">,
  { id }: Pick<Party, "id">,
): string {
  return `${origin}/sign/${fingerprint}/${id}`;
}
