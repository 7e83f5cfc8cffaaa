/** Creating envelopes: from templates, and from files. */
import { randomInt } from "node:crypto";
import { ownerOf } from "../domain/account-owner";
import { throwApiError } from "../domain/api-errors";
import { hasLargeNumbers } from "../domain/big-ids-json";
import type { Document, Envelope, Party, Template } from "../domain/data-schema";
import { hasCurrentValues } from "../domain/enums-by-edition";
import { newFingerprint } from "../domain/identifiers";
import { mostDateFields } from "../domain/limits";
import type { Context } from "../domain/request-context";
import { refuse } from "../domain/strictness";
import { addContact } from "./contacts";
import { errorCodes, normalizeForm } from "./envelope-form";
import type { GroupHandlers, HandlerRequest } from "./handler";
import { embedOfSigner, embedOfTemplate, presentCreation } from "./present-envelope";

type CreateHandlers = Pick<GroupHandlers<"envelopes">, "createFromTemplate" | "createFromFiles">;
type TemplateForm = Parameters<CreateHandlers["createFromTemplate"]["run"]>[0]["form"];
type TemplateDocument = TemplateForm["envelope_documents"][number];
type FileForm = Parameters<CreateHandlers["createFromFiles"]["run"]>[0]["form"];
type FileDocument = FileForm["envelope_documents"][number];

/** Fields that both forms share, after validation. */
interface CommonForm {
  envelope_title: string;
  user_id?: number | undefined;
  envelope_password_protect?: boolean | undefined;
  envelope_redirect_url?: string | undefined;
  envelope_auto_expire_hours?: number | undefined;
  envelope_auto_remind_hours?: number | undefined;
  /** JSON text. */
  envelope_meta?: string | undefined;
  is_draft?: boolean | undefined;
  envelope_all_at_once_enabled?: boolean | undefined;
}

interface PartyInput {
  party_name: string;
  party_email: string;
  party_message?: string | undefined;
  party_mobile?: string | undefined;
  signature_in_person?: boolean | undefined;
}

export const createFromTemplate: CreateHandlers["createFromTemplate"] = {
  errorCodes,
  normalize: normalizeForm,
  run(request) {
    const { form, context } = request;
    if (!context.settings.multipleTemplates && form.envelope_documents.length > 1) throwApiError(10262);
    limitDateFields(context, form.envelope_documents.length, form.envelope_parties.length);
    const templates = form.envelope_documents.map((document) => findTemplate(request, document));
    const parts = createTemplateParties(request, form, templates);
    for (const { template, party } of parts)
      if (isQualified(request, template, party)) party.qes = { status: "waiting" };
    // In the order of the templates, whatever the order of the request.
    const parties = partiesOf(parts.toSorted((a, b) => a.position - b.position || a.id - b.id));
    const documents = form.envelope_documents.map((document, i) =>
      createTemplateDocument(request, document, templates[i]!, parts),
    );
    const { envelope, response } = createEnvelope(request, "draft", documents, parties);
    return {
      ...response,
      envelope_redirect_url: form.envelope_redirect_url ?? "",
      ...embedOfTemplate(request, envelope),
      ...embedOfSigner(request, envelope),
    };
  },
};

export const createFromFiles: CreateHandlers["createFromFiles"] = {
  errorCodes,
  normalize: normalizeForm,
  run(request) {
    const { form, context } = request;
    limitDateFields(context, form.envelope_documents.length, form.envelope_parties.length);
    // A role that only `plainRoles` allows has no number.
    const position = (role: string, at: number) =>
      role === "copy" ? Number.POSITIVE_INFINITY : Number(/^signer(\d+)$/.exec(role)?.[1] ?? at + 1);
    const inputs = form.envelope_parties
      .map((input, at) => ({ input, position: position(input.party_role, at) }))
      .sort((a, b) => a.position - b.position || 0)
      .map(({ input }) => input);
    const parties: Party[] = [];
    for (const input of inputs) {
      parties.push(createParty(request, input, input.party_role === "copy" ? "copy" : "signer", parties));
    }
    const documents = form.envelope_documents.map((document) => createFileDocument(request, document, parties));
    const { envelope, response } = createEnvelope(request, "processing", documents, parties);
    return { ...response, ...embedOfSigner(request, envelope) };
  },
};

/** Whether the template asks for a qualified signature of the party, and the account has them. */
const isQualified = ({ account, context }: HandlerRequest, { qualified }: Template, { role }: Party): boolean =>
  qualified === true &&
  role === "signer" &&
  account.settings.setting_qes_enabled === true &&
  hasCurrentValues(context.settings);

function findTemplate({ account }: HandlerRequest, { document_template_fingerprint }: TemplateDocument): Template {
  return (
    account.templates.find((template) => template.fingerprint === document_template_fingerprint) ??
    throwApiError(10153, document_template_fingerprint)
  );
}

/** What a party is in one of the templates. */
interface Part {
  template: Template;
  /** The party's ID in the template. */
  id: number;
  /** Parties sign in this order, then in that of their IDs. */
  position: number;
  party: Party;
}

const partiesOf = (parts: readonly Part[]): Party[] => [...new Set(parts.map(({ party }) => party))];

/** The parts of the parties, in the order of the request. */
function createTemplateParties(request: HandlerRequest, form: TemplateForm, templates: readonly Template[]): Part[] {
  let parts: Part[] = [];
  for (const input of form.envelope_parties) {
    const found = findParts(input, templates);
    const isSame = (part: Part) => found.some(({ template, id }) => part.template === template && part.id === id);
    const twice = parts.find(isSame);
    if (twice) refuse(request.context.settings, "partyTwice", `party_id ${twice.id} is set twice`);
    const party = createParty(request, input, input.party_role ?? "signer", partiesOf(parts));
    parts = [...parts.filter((part) => !isSame(part)), ...found.map((part) => ({ ...part, party }))];
  }
  return parts;
}

type PartyForm = TemplateForm["envelope_parties"][number];

/** A `party_id` is that of every template; with `party_documents` each template has its own. */
function findParts(input: PartyForm, templates: readonly Template[]): Omit<Part, "party">[] {
  // A recipient of a copy is not a party of the template.
  const isPart = ({ parties }: Template, id: number) =>
    input.party_role === "copy" || parties.some((party) => party.id === id);
  const { party_id, party_documents: documents } = input;
  if (documents === undefined) {
    const id = party_id!;
    if (!templates.some((template) => isPart(template, id))) throwApiError(10272, `party_id ${id}`);
    return templates.map((template) => ({ template, id, position: 0 }));
  }
  return documents.map(({ party_id: id, document_template_fingerprint: fingerprint }) => {
    const position = templates.findIndex((template) => template.fingerprint === fingerprint);
    const template = templates[position];
    if (!template || !isPart(template, id)) throwApiError(10272, `party_id ${id} of ${fingerprint}`);
    return { template, id, position };
  });
}

function createTemplateDocument(
  request: HandlerRequest,
  input: TemplateDocument,
  template: Template,
  parts: readonly Part[],
): Document {
  const values = new Map(input.document_merge_fields?.map((field) => [field.field_id, field.field_value]));
  const unknownId = [...values.keys()].find(
    (id) => !template.fields.some((field) => field.id === id && !field.signerOnly),
  );
  if (unknownId !== undefined) throwApiError(10010, `field_id ${unknownId}`);
  const mergeFields = template.fields.map((field) => ({
    id: field.id,
    title: field.title,
    type: field.type,
    value: values.get(field.id) ?? null,
    party: parts.find((part) => part.template === template && part.id === field.party)?.party.id ?? "0",
    merge: field.signerOnly ? null : field.title,
  }));
  return {
    fingerprint: newFingerprint(),
    title: input.document_title,
    template: template.fingerprint,
    pages: template.pages,
    fields: [...mergeFields, ...createDateFields(request, partiesOf(parts))],
  };
}

function createFileDocument(request: HandlerRequest, input: FileDocument, parties: readonly Party[]): Document {
  const content = Buffer.from(input.document_file_content ?? "", "base64").toString("latin1");
  return {
    fingerprint: newFingerprint(),
    title: input.document_title,
    pages: Math.max(1, content.match(/\/Type\s*\/Page\b/g)?.length ?? 0),
    fields: createDateFields(request, parties),
  };
}

/** A field for each signer, filled with the day of the signature. */
function createDateFields({ context }: HandlerRequest, parties: readonly Party[]): Document["fields"] {
  return parties
    .filter((party) => party.role === "signer")
    .map((party) => ({
      id: Number(context.newId()),
      title: `Date, ${party.name}`,
      type: "date",
      value: null,
      party: party.id,
      merge: null,
    }));
}

function limitDateFields({ settings }: Context, documents: number, parties: number): void {
  if (documents * parties > mostDateFields)
    refuse(settings, "dateFields", `${parties} parties of ${documents} documents are too many`);
}

/** Creates a party. Its email address identifies the contact. */
function createParty(
  { account, context }: HandlerRequest,
  input: PartyInput,
  role: Party["role"],
  otherParties: readonly Party[],
): Party {
  const email = input.party_email.toLowerCase();
  const isSame = (other: { email: string }) => other.email.toLowerCase() === email;
  return {
    id: context.newId(),
    name: input.party_name,
    email: input.party_email,
    role,
    contact: account.contacts.find(isSame)?.id ?? otherParties.find(isSame)?.contact ?? context.newId(),
    ...(input.party_message === undefined ? {} : { message: input.party_message }),
    ...(input.party_mobile === undefined ? {} : { mobile: input.party_mobile }),
    ...(input.signature_in_person ? { inPerson: true } : {}),
    status: role === "copy" ? "copy" : "waiting",
  };
}

function createEnvelope(
  request: HandlerRequest<unknown & Record<string, unknown>, CommonForm & Record<string, unknown>>,
  status: "draft" | "processing",
  documents: Document[],
  parties: Party[],
) {
  const { context, account, form, origin } = request;
  const sender =
    form.user_id === undefined ? ownerOf(account) : account.users.find(({ id }) => id === String(form.user_id));
  if (sender === undefined) throwApiError(10010, "user_id does not refer to a user of the account");
  if (!parties.some((party) => party.role === "signer"))
    refuse(context.settings, "signerRequired", "at least one party must sign");
  const created = context.timestamp;
  const envelope: Envelope = {
    fingerprint: newFingerprint(),
    title: form.envelope_title,
    status: form.is_draft ? "draft" : status,
    user: sender.id,
    ...(form.envelope_password_protect ? { password: String(randomInt(100_000, 1_000_000)) } : {}),
    ...(form.envelope_redirect_url === undefined ? {} : { redirectUrl: form.envelope_redirect_url }),
    created,
    ...(form.is_draft
      ? {}
      : { ready: new Date(context.now.getTime() + context.settings.processingTime).toISOString() }),
    ...(form.envelope_all_at_once_enabled ? { allAtOnce: true } : {}),
    ...(form.envelope_auto_expire_hours === undefined ? {} : { expireHours: form.envelope_auto_expire_hours }),
    ...(form.envelope_auto_remind_hours === undefined ? {} : { remindHours: form.envelope_auto_remind_hours }),
    ...storeMeta(form.envelope_meta),
    documents,
    parties,
    history: [{ detail: `Created by ${sender.name}`, ...request.actor, date: created }],
  };
  for (const { contact: id, name, email } of parties) {
    if (!account.contacts.some((contact) => contact.id === id)) addContact(request, { id, name, email, created });
  }
  account.envelopes.push(envelope);
  context.markChanged(account);
  context.recordWrite(account, "envelopes", envelope.fingerprint);
  const response = {
    message: form.is_draft ? "The envelope is processed and saved as a draft." : "The envelope has been queued.",
    href: `${origin}/v1/envelopes/${envelope.fingerprint}`,
    envelope_title: envelope.title,
    envelope_fingerprint: envelope.fingerprint,
    envelope_queued: created,
    ...presentCreation(envelope),
  };
  return { envelope, response };
}

function storeMeta(json: string | undefined): Pick<Envelope, "meta" | "metaText"> {
  if (json === undefined) return { meta: null };
  return hasLargeNumbers(json) ? { meta: null, metaText: json } : { meta: JSON.parse(json) };
}
