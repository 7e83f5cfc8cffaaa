/** Responses about users, contacts and templates. The specification has none of them: what is known of either edition counts for both. */
import { both, example, invention, olderPage, page, previousPage, type Row, recording, specification } from "./row";

const partyFields = "changelog/2026-11-25";

const listPage = (name: string, items: string) =>
  page(name, `offset:integer limit:integer total_${items} ${items}:list`);
const next = both(specification("4", "next?"));

const user = "user_name user_email";
const contact = (id: string) => `contact_id:${id} contact_name contact_email`;
const contactEnvelope = [
  "envelope_fingerprint envelope_title envelope_status envelope_created",
  "envelope_sent:string|null envelope_processed:string|null envelope_signed_pdf?",
].join(" ");
const template = [
  "template_id template_fingerprint template_title template_page_total template_in_progress template_parties_total",
  "template_widget_url? template_widget_embed? template_pdf_url template_thumbnails:list template_pages:list",
  "template_uploaded template_parties:list",
].join(" ");
const templateRows = (name: string, parent: string): Row[] => {
  const parties = parent === "" ? "template_parties" : `${parent}.template_parties`;
  return [
    both(example(name, template, parent)),
    both(example(name, "party_id party_name", parties)),
    recording("GET /templates", "party_merge_fields:list?", parties),
    example(name, "party_merge_fields:list", parties),
    both(example(name, "field_id field_merge field_type", `${parties}.party_merge_fields`)),
  ];
};

export const peopleRows = {
  "users.create": [both(page("openapi/users/createuser", `message href user_id role_id ${user} user_added`))],
  "users.get": [
    both(olderPage("user", `user_id:integer ${user} user_added user_last_updated:string|null`)),
    invention("as in the list", "role_id"),
  ],
  "users.list": [
    previousPage,
    both(listPage("openapi/users", "users")),
    next,
    both(example("openapi/users", `user_id role_id ${user} user_added user_last_updated:string|null`, "users")),
  ],
  "users.update": [
    both(page("openapi/users/updateuser", `message href user_id:integer role_id ${user} user_updated`)),
    olderPage("user", "user_password_changed:boolean"),
  ],
  "users.delete": [both(olderPage("user", `message user_id:integer ${user}`))],
  "contacts.create": [both(recording("POST /contacts", `message href ${contact("string")} contact_created`))],
  "contacts.get": [
    both(example("openapi/contacts/getcontact", `${contact("integer")} contact_outstanding_documents contact_created`)),
  ],
  "contacts.list": [
    previousPage,
    both(listPage("openapi/contacts/listcontacts", "contacts")),
    both(example("openapi/contacts/listcontacts", "next?")),
    both(
      example(
        "openapi/contacts/listcontacts",
        `${contact("string")} contact_outstanding_documents contact_created`,
        "contacts",
      ),
    ),
  ],
  "contacts.envelopes": [
    previousPage,
    both(example("openapi/contacts", "offset:integer limit:integer total_envelopes envelopes:list")),
    next,
    both(example("openapi/contacts", contactEnvelope, "envelopes")),
  ],
  "contacts.update": [
    both(recording("PUT /contacts/{contact_id}", `message href ${contact("integer")} contact_updated`)),
  ],
  "contacts.delete": [both(recording("DELETE /contacts/{contact_id}", `message ${contact("integer")}`))],
  "templates.get": [
    ...templateRows("openapi/templates", ""),
    page(partyFields, "party_fields:list", "template_parties"),
    page(
      partyFields,
      [
        "field_id field_title field_type party_id field_merge:string|null field_required:boolean field_format:string|null",
        "field_page:integer field_x:integer field_y:integer field_width:integer field_height:integer",
        "field_preset:string|null field_runs:list",
      ].join(" "),
      "template_parties.party_fields",
    ),
    page(
      partyFields,
      "cell_count:integer cell_gap:integer run_gap:integer",
      "template_parties.party_fields.field_runs",
    ),
  ],
  "templates.list": [
    previousPage,
    both(listPage("openapi/templates", "templates")),
    next,
    ...templateRows("openapi/templates", "templates"),
  ],
  "templates.delete": [both(page("testing", "message template_id template_fingerprint template_title"))],
} satisfies Record<string, readonly Row[]>;
