/** Envelopes. */
import { randomInt } from "node:crypto";
import { hasLargeNumbers } from "../domain/big-ids-json";
import { EnvelopeLifecycle, presentMeta, signingUrl } from "../domain/envelope-lifecycle";
import { throwApiError } from "../domain/errors";
import { omitEmptyFields } from "../domain/form";
import type { Account, Document, Envelope, Party } from "../domain/schema";
import { newSecret } from "../domain/seed";
import type { FieldErrorCodes, GroupHandlers, HandlerRequest } from "./types";

/** Members of a document that belong to one of the two forms. */
const TEMPLATE_MEMBERS = ["document_template_fingerprint", "document_merge_fields"];
const FILE_MEMBERS = ["document_url", "document_file_content", "document_file_name"];
/** The documents of a form that has not been checked yet, as far as they can be read. */
function rawDocuments(form: Record<string, string>): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(form.envelope_documents ?? "");
    return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
  } catch {
    return [];
  }
}

const hasAny = (members: string[]) => (document: Record<string, unknown>) =>
  members.some((name) => !isBlank(name, document[name]));

/** Whether a member says that there is none, as clients do whose records have every member: null, or an empty text or list. */
const isBlank = (name: string, value: unknown) =>
  (value ?? null) === null || (value === "" && name !== "field_value") || (Array.isArray(value) && value.length === 0);

/** Chooses the form by the contents of `envelope_documents`. */
export function chooseCreate(form: Record<string, string>): "createFromTemplate" | "createFromFiles" {
  return rawDocuments(form).some(hasAny(TEMPLATE_MEMBERS)) ? "createFromTemplate" : "createFromFiles";
}

/**
 * Refuses a mix of the two forms, and brings what clients of other languages write to one notation: members that are null or
 * empty are none, the lines that many encoders break base64 into are one, and a flag is not told by its capitals.
 */
function normalizeForm(given: Record<string, string>): Record<string, string> {
  const form = omitEmptyFields(given);
  const documents = rawDocuments(form);
  if (documents.some(hasAny(TEMPLATE_MEMBERS)) && documents.some(hasAny(FILE_MEMBERS))) throwApiError(10263);
  const plain = { ...form };
  for (const name of ["envelope_documents", "envelope_parties"]) {
    if (form[name] !== undefined) plain[name] = normalizeJson(form[name]);
  }
  if (form.envelope_password_protect !== undefined) {
    plain.envelope_password_protect = form.envelope_password_protect.toLowerCase();
  }
  return plain;
}

function normalizeJson(json: string): string {
  const plain = (name: string, value: unknown) => {
    if (isBlank(name, value)) return undefined;
    return name === "document_file_content" && typeof value === "string" ? value.replace(/[\r\n]+/g, "") : value;
  };
  try {
    return JSON.stringify(JSON.parse(json, plain)) ?? json;
  } catch {
    return json;
  }
}

const errorCodes: FieldErrorCodes = {
  envelope_title: 10250,
  envelope_documents: [10251, 10256],
  envelope_parties: [10255, 10257],
  user_id: 10258,
  envelope_auto_expire_hours: 10259,
  envelope_auto_remind_hours: 10260,
  envelope_meta: 10261,
  envelope_redirect_url: 10267,
  envelope_password_protect: 10267,
  // Inside of documents.
  document_file_name: 10266,
  document_file_content: 10266,
};

/** Fields that both forms share, after their check. */
interface CommonForm {
  envelope_title: string;
  user_id?: number | undefined;
  envelope_password_protect?: boolean | undefined;
  envelope_redirect_url?: string | undefined;
  envelope_auto_expire_hours?: number | undefined;
  envelope_auto_remind_hours?: number | undefined;
  /** JSON text. */
  envelope_meta?: string | undefined;
}

interface PartyInput {
  party_name: string;
  party_email: string;
  party_message?: string | undefined;
}

/** Makes the parties of an envelope; a contact is known by the email address and told of when it is new. */
function createParty(request: HandlerRequest, given: PartyInput, role: Party["role"], before: readonly Party[]): Party {
  const { account, context } = request;
  const email = given.party_email.toLowerCase();
  const known = [...account.envelopes.flatMap((envelope) => envelope.parties), ...before].find(
    (party) => party.email.toLowerCase() === email,
  );
  const contact = known?.contact ?? context.newId();
  if (!known) {
    const parts = {
      contact: { contact_id: contact, contact_name: given.party_name, contact_email: given.party_email },
    };
    context.emit(account, "add-contact", context.timestamp, parts);
  }
  return {
    id: context.newId(),
    name: given.party_name,
    email: given.party_email,
    role,
    contact,
    ...(given.party_message === undefined ? {} : { message: given.party_message }),
    status: role === "copy" ? "copy" : "waiting",
  };
}

function create(
  request: HandlerRequest<unknown & Record<string, unknown>, CommonForm & Record<string, unknown>>,
  status: "draft" | "processing",
  documents: Document[],
  parties: Party[],
) {
  const { context, account, form, origin } = request;
  if (form.user_id !== undefined && String(form.user_id) !== account.user.id) throwApiError(10258);
  if (!parties.some((party) => party.role === "signer")) throwApiError(10257, "at least one party must sign");
  const created = context.timestamp;
  const envelope: Envelope = {
    fingerprint: newSecret(""),
    title: form.envelope_title,
    status,
    user: account.user.id,
    ...(form.envelope_password_protect ? { password: String(randomInt(100_000, 1_000_000)) } : {}),
    ...(form.envelope_redirect_url === undefined ? {} : { redirectUrl: form.envelope_redirect_url }),
    created,
    ready: new Date(context.now.getTime() + context.settings.processingTime).toISOString(),
    ...(form.envelope_auto_expire_hours === undefined ? {} : { expireHours: form.envelope_auto_expire_hours }),
    ...(form.envelope_auto_remind_hours === undefined ? {} : { remindHours: form.envelope_auto_remind_hours }),
    ...storeMeta(form.envelope_meta),
    documents,
    parties,
    history: [{ detail: `Created by ${account.user.name}`, ...request.actor, date: created }],
  };
  account.envelopes.push(envelope);
  context.markChanged(account);
  context.recordWrite(account, "envelopes", envelope.fingerprint);
  return {
    envelope,
    answer: {
      message: "The envelope has been queued.",
      href: `${origin}/v1/envelopes/${envelope.fingerprint}`,
      envelope_title: envelope.title,
      envelope_fingerprint: envelope.fingerprint,
      envelope_queued: created,
    },
  };
}

function storeMeta(text: string | undefined): Pick<Envelope, "meta" | "metaText"> {
  if (text === undefined) return { meta: null };
  return hasLargeNumbers(text) ? { meta: null, metaText: text } : { meta: JSON.parse(text) };
}

/** A field that is filled with the day when its party signs. */
function dateField(request: HandlerRequest, party: Party) {
  const title = `Date, ${party.name}`;
  return { id: Number(request.context.newId()), title, type: "date", value: null, party: party.id, merge: null };
}

/**
 * Endings of files that are surely no PDF, Word or Excel file. Any other says nothing of what is answered there: documents come
 * from addresses such as `/download.php` and `/lease-1.2`.
 */
const OTHER_FILES =
  /\.(txt|rtf|csv|md|html?|css|js|json|xml|png|jpe?g|gif|svgz?|webp|bmp|tiff?|hei[cf]|pptx?|od[tsp]|pages|numbers|eps|zip|gz|tar|7z|rar|mp[34]|exe)$/i;

/** Of a document that is given by its address only the name can be judged. */
function checkDocumentUrl(address: string, path: string): void {
  const [ending] = OTHER_FILES.exec(new URL(address).pathname) ?? [];
  if (ending !== undefined) throwApiError(10266, `${path}.document_url ends with ${ending}`);
}

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

type Act = HandlerRequest<{ envelope_fingerprint: string }>;

function act(request: Act, done: string, change: (process: EnvelopeLifecycle) => void) {
  const { envelope, index } = findEnvelope(request.account, request.params.envelope_fingerprint);
  const before = { record: structuredClone(envelope), index };
  change(new EnvelopeLifecycle(request.context, request.account, envelope, request.actor));
  request.context.recordWrite(request.account, "envelopes", envelope.fingerprint, before);
  return acted(envelope, done);
}

function acted(envelope: Envelope, done: string) {
  return {
    message: `The envelope has been ${done}.`,
    envelope_fingerprint: envelope.fingerprint,
    envelope_title: envelope.title,
  };
}

export const envelopes: GroupHandlers<"envelopes"> = {
  createFromTemplate: {
    errorCodes,
    normalize: normalizeForm,
    run(request) {
      const { account, form, context } = request;
      if (!context.settings.multipleTemplates && form.envelope_documents.length > 1) throwApiError(10262);
      const templates = form.envelope_documents.map(
        (document) =>
          account.templates.find((t) => t.fingerprint === document.document_template_fingerprint) ??
          throwApiError(10264, document.document_template_fingerprint),
      );
      const parties: Party[] = [];
      const byTemplateId = new Map<number, Party>();
      for (const given of form.envelope_parties) {
        const known = templates.some((template) => template.parties.some((party) => party.id === given.party_id));
        // A copy goes to somebody who has no part in the template.
        if (!known && given.party_role !== "copy") throwApiError(10272, `party_id ${given.party_id}`);
        if (byTemplateId.has(given.party_id)) throwApiError(10257, `party_id ${given.party_id} is given twice`);
        const party = createParty(request, given, given.party_role ?? "signer", parties);
        byTemplateId.set(given.party_id, party);
        parties.push(party);
      }
      const documents = form.envelope_documents.map((given, i): Document => {
        const template = templates[i]!;
        const values = new Map(given.document_merge_fields?.map((field) => [field.field_id, field.field_value]));
        const unknown = [...values.keys()].find((id) => !template.fields.some((field) => field.id === id));
        if (unknown !== undefined) throwApiError(10265, `field_id ${unknown}`);
        const merged = template.fields.map((field) => ({
          id: field.id,
          title: field.title,
          type: field.type,
          value: values.get(field.id) ?? null,
          party: byTemplateId.get(field.party)?.id ?? "0",
          // Not null, which says that a field is no merge field.
          merge: values.get(field.id) ?? "",
        }));
        const dates = parties.filter((party) => party.role === "signer").map((party) => dateField(request, party));
        return {
          fingerprint: newSecret(""),
          title: given.document_title,
          pages: template.pages,
          fields: [...merged, ...dates],
        };
      });
      // In the order of the template, whatever the order of the request.
      const order = [...byTemplateId].sort(([a], [b]) => a - b).map(([, party]) => party);
      const { envelope, answer } = create(request, "draft", documents, order);
      const first = order.find((party) => party.role === "signer")!;
      const address = signingUrl(request.origin, envelope, first);
      return {
        ...answer,
        envelope_signing_embed: `<iframe src="${address}" width="100%" height="800" frameborder="0"></iframe>`,
      };
    },
  },
  createFromFiles: {
    errorCodes,
    normalize: normalizeForm,
    run(request) {
      const { form } = request;
      const number = (role: string) => (role === "copy" ? Number.POSITIVE_INFINITY : Number(role.slice(6)));
      const ordered = form.envelope_parties.toSorted((a, b) => number(a.party_role) - number(b.party_role));
      const parties: Party[] = [];
      for (const given of ordered) {
        parties.push(createParty(request, given, given.party_role === "copy" ? "copy" : "signer", parties));
      }
      const documents = form.envelope_documents.map((given, i): Document => {
        if (given.document_url !== undefined) checkDocumentUrl(given.document_url, `envelope_documents[${i}]`);
        const content = Buffer.from(given.document_file_content ?? "", "base64").toString("latin1");
        return {
          fingerprint: newSecret(""),
          title: given.document_title,
          pages: Math.max(1, content.match(/\/Type\s*\/Page\b/g)?.length ?? 0),
          fields: parties.filter((party) => party.role === "signer").map((party) => dateField(request, party)),
        };
      });
      return create(request, "processing", documents, parties).answer;
    },
  },
  get: {
    run(request) {
      const { envelope } = findEnvelope(request.account, request.params.envelope_fingerprint);
      const [first] = envelope.documents;
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
        // Always an address, as §2.6 has it: before the signing it leads to nothing yet.
        envelope_signed_pdf: first ? `${request.origin}/documents/${first.fingerprint}.pdf?signed` : null,
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
  remind: { run: (request) => act(request, "reminded of", (process) => process.remind()) },
  cancel: { run: (request) => act(request, "cancelled", (process) => process.cancel()) },
  expire: { run: (request) => act(request, "expired", (process) => process.expire()) },
  delete: {
    run(request) {
      const { context, account } = request;
      const { envelope, index } = findEnvelope(account, request.params.envelope_fingerprint);
      if (envelope.status === "processing" || envelope.status === "sent") throwApiError(10277);
      account.envelopes.splice(index, 1);
      context.markChanged(account);
      context.recordWrite(account, "envelopes", envelope.fingerprint, { record: envelope, index });
      return acted(envelope, "deleted");
    },
  },
};
