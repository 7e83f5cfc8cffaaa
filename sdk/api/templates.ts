/** Envelope templates. Only the web app creates and changes them. */
import { z } from "zod";
import { endpoint, lenient, pageBase, responseBase } from "./endpoint";
import { count, id, optionalCount, optionalTimestamp, text, total } from "./scalars";

const mergeField = z.looseObject({
  /** Identifier, for `document_merge_fields`. */
  field_id: id,
  /** The field's label. */
  field_merge: z.string().nullish(),
  /** Type of the field, such as `text`. */
  field_type: z.string().nullish(),
});

/** A field with its place. Edition `current`. */
const partyField = z.looseObject({
  field_id: id,
  field_title: z.string().nullish(),
  /** Types are added by the service: `split`, for instance, is a text in groups of cells. */
  field_type: z.string().nullish(),
  party_id: id.nullish(),
  /** The label of a merge field, or null. */
  field_merge: lenient(z.string()),
  field_required: lenient(z.boolean()),
  /** Format of a date, or null. */
  field_format: lenient(z.string()),
  /** Page on which it is, from 1. */
  field_page: lenient(count),
  /** Place and size in pixels, on a page of 675 by 875. */
  field_x: lenient(z.number()),
  field_y: lenient(z.number()),
  field_width: lenient(z.number()),
  field_height: lenient(z.number()),
  /** What the cells of a split field accept, such as `numeric`, or null. */
  field_preset: lenient(z.string()),
  /** Groups of cells of a split field, each with `cell_count`, `cell_gap` and `run_gap`. */
  field_runs: lenient(z.array(z.looseObject({}))),
});

const party = z.looseObject({
  /** Identifier, for `envelope_parties`. */
  party_id: id,
  /** What the template calls the party. */
  party_name: z.string().nullish(),
  /** Fields of the party that can be filled when an envelope is created. */
  party_merge_fields: z.array(mergeField).nullish(),
  /** All fields of the party. Only of `get`, edition `current`. */
  party_fields: lenient(z.array(partyField)),
});

/** An envelope template as the API returns it. */
export const template = z.looseObject({
  /** Number of the template. Requests name it by its fingerprint. */
  template_id: id.nullish(),
  /** Identifier. */
  template_fingerprint: z.string(),
  template_title: z.string().nullish(),
  template_page_total: optionalCount,
  /** Envelopes of the template that are not finished. */
  template_in_progress: optionalCount,
  template_parties_total: optionalCount,
  /** URL at which anyone can sign a template with one party. */
  template_widget_url: z.string().nullish(),
  /** HTML iframe markup of the widget. */
  template_widget_embed: z.string().nullish(),
  /** Temporary URL of the document. */
  template_pdf_url: z.string().nullish(),
  template_thumbnails: z.array(z.string()).nullish().catch(undefined),
  template_pages: z.array(z.string()).nullish().catch(undefined),
  template_uploaded: optionalTimestamp,
  template_parties: z.array(party).nullish(),
});
export type TemplateRecord = z.output<typeof template>;

const params = z.object({
  /** Fingerprint of the template. */
  template_fingerprint: text,
});

const base = { section: "current 1.8", optional: "templates" } as const;

export const get = endpoint({
  ...base,
  method: "GET",
  path: "/v1/templates/{template_fingerprint}",
  summary: "Returns one envelope template with its parties and fields.",
  params,
  missingCode: 10153,
  response: responseBase.extend(template.shape),
});

export const list = endpoint({
  ...base,
  method: "GET",
  path: "/v1/templates",
  summary: "Lists the account's envelope templates.",
  response: pageBase.extend({
    /** Total number of templates. */
    total_templates: total,
    templates: z.array(template),
  }),
  list: { items: "templates", total: "total_templates", id: "template_fingerprint", emptyCode: 10158 },
});

const remove = endpoint({
  ...base,
  method: "DELETE",
  path: "/v1/templates/{template_fingerprint}",
  summary: "Deletes an envelope template.",
  params,
  response: responseBase.extend({
    template_id: id.nullish(),
    template_fingerprint: z.string().nullish(),
    template_title: z.string().nullish(),
  }),
});

export { remove as delete };
