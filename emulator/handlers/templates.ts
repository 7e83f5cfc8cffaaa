/** Templates. The API only reads and deletes them; the seed creates them. */

import { createHash } from "node:crypto";
import { isFinal } from "../../sdk/envelopes/final-statuses";
import { throwApiError } from "../domain/api-errors";
import type { Account, Template, TemplateField } from "../domain/data-schema";
import { pdfUrl, pictureUrls } from "../domain/document-urls";
import type { GroupHandlers, HandlerRequest } from "./handler";

function findTemplate(account: Account, fingerprint: string): { template: Template; index: number } {
  const index = account.templates.findIndex((template) => template.fingerprint === fingerprint);
  return index < 0 ? throwApiError(10153) : { template: account.templates[index]!, index };
}

/** Follows from the fingerprint. */
const numberOf = ({ fingerprint }: Template) =>
  String(10_000_000 + (createHash("sha256").update(fingerprint).digest().readUInt32BE() % 90_000_000));

/** Envelopes of the template that are not finished. */
function inProgress({ envelopes }: Account, { fingerprint }: Template): string {
  const open = envelopes.filter(
    ({ status, documents }) => !isFinal(status) && documents.some(({ template }) => template === fingerprint),
  );
  return String(open.length);
}

/** Where a field is unless its place is known, in pixels: one below the other. */
const placeOf = (at: number) => ({ x: 60, y: 60 + 40 * (at % 20), width: 200, height: 30 });

/** A field with its place, in the response for one template. */
function presentField(field: TemplateField, at: number) {
  const { x, y, width, height } = field.place ?? placeOf(at);
  const isDate = field.type === "date" || field.type === "date-signed";
  return {
    field_id: String(field.id),
    field_title: field.title,
    field_type: field.type,
    party_id: String(field.party),
    field_merge: field.signerOnly ? null : field.title,
    field_required: field.optional !== true,
    field_format: field.format ?? (isDate ? "dd/mm/yyyy" : null),
    field_page: field.page ?? 1,
    field_x: x,
    field_y: y,
    field_width: width,
    field_height: height,
    field_preset: field.preset ?? null,
    field_runs: (field.runs ?? []).map(({ cells, cellGap, runGap }) => ({
      cell_count: cells,
      cell_gap: cellGap,
      run_gap: runGap,
    })),
  };
}

function present({ account, origin }: Pick<HandlerRequest, "account" | "origin">, template: Template, isList = false) {
  const { fingerprint, title, pages, parties, fields } = template;
  const widget = `${origin}/widget/${fingerprint}`;
  return {
    template_id: numberOf(template),
    template_fingerprint: fingerprint,
    template_title: title,
    template_page_total: String(pages),
    template_in_progress: inProgress(account, template),
    template_parties_total: String(parties.length),
    ...(parties.length === 1 && {
      template_widget_url: widget,
      template_widget_embed: `<iframe src="${widget}" width="100%" height="800" frameborder="0"></iframe>`,
    }),
    template_pdf_url: pdfUrl(origin, fingerprint),
    template_thumbnails: pictureUrls(origin, template, "thumbnail"),
    template_pages: pictureUrls(origin, template, "page"),
    template_uploaded: account.created,
    template_parties: parties.map((party) => ({
      party_id: String(party.id),
      party_name: party.title,
      party_merge_fields: fields
        .filter((field) => field.party === party.id && !field.signerOnly)
        .map((field) => ({ field_id: String(field.id), field_merge: field.title, field_type: field.type })),
      party_fields: isList
        ? undefined
        : fields.map(presentField).filter(({ party_id }) => party_id === String(party.id)),
    })),
  };
}

export const templates: GroupHandlers<"templates"> = {
  get: {
    run: (request) => present(request, findTemplate(request.account, request.params.template_fingerprint).template),
  },
  list: {
    run: (request) => ({
      records: request.context.listVisible(request.account, "templates", request.account.templates),
      item: (template: Template) => present(request, template, true),
    }),
  },
  delete: {
    run({ context, account, params }) {
      const { template, index } = findTemplate(account, params.template_fingerprint);
      account.templates.splice(index, 1);
      context.markChanged(account);
      context.recordWrite(account, "templates", template.fingerprint, { record: template, index });
      return {
        message: `${template.title} has been removed from your template list.`,
        template_id: numberOf(template),
        template_fingerprint: template.fingerprint,
        template_title: template.title,
      };
    },
  },
};
