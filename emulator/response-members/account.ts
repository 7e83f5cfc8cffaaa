/** Responses about branding, webhooks and settings. */
import { both, olderPage, page, previousPage, type Row, specification } from "./row";

const branding = "branding_colour branding_logo:string|null";
const email =
  "branding_email_type branding_email_subject branding_email_content branding_email_content_plain branding_email_updated";
const webhook = (id: string) => `webhook_id:${id} webhook_type webhook_url`;

const flags = [
  "setting_signature_more_info",
  "setting_email_pdf_attach",
  "setting_email_pdf_attach_sender",
  "setting_email_envelope_open",
  "setting_email_main_email",
  "setting_email_return_address_user",
];
const olderFlags = [
  "setting_signing_consumer_regulations_act",
  "setting_signing_tooltips",
  "setting_signing_questions",
  "setting_pdf_audit_trail_hide",
];
const booleans = (names: readonly string[]) => names.map((name) => `${name}:boolean`).join(" ");

const settings: Row[] = [
  both(
    page(
      "openapi/settings/listsettings",
      `${booleans(flags)} setting_signature_format_default setting_signature_format_accepted`,
    ),
  ),
  both(page("guides/qes", "setting_qes_enabled:boolean?")),
  olderPage("settings", booleans(olderFlags)),
];

export const accountRows = {
  "branding.get": [specification("4.1", "branding_logo branding_colour"), page("openapi/branding", branding)],
  "branding.update": [
    specification("4.1", "message branding_logo branding_colour"),
    page("openapi/branding/updatebranding", `message ${branding}`),
  ],
  "branding.emails": [
    specification("4.1", "branding_emails:list"),
    specification("2.2", email, "branding_emails"),
    page("openapi/branding/getbrandingemails", "branding_emails:list"),
    page("openapi/branding/getbrandingemails", email, "branding_emails"),
  ],
  "branding.email": [page("openapi/branding/getsinglebrandingemail", email)],
  "branding.updateEmail": [both(specification("4.1", `message ${email}`))],
  "webhooks.create": [
    specification("4.2", `message href ${webhook("id")} webhook_created`),
    page("openapi/webhooks/createwebhook", `message href ${webhook("string")} webhook_created`),
    page("early-access/ea-signed-webhooks", "webhook_secret?"),
  ],
  "webhooks.get": [
    specification("4.2", `${webhook("id")} webhook_created`),
    page("openapi/webhooks/getwebhook", `${webhook("integer")} webhook_created`),
  ],
  "webhooks.list": [
    previousPage,
    specification("4", "offset:integer limit:integer total_webhooks next? webhooks:list"),
    specification("4.2", `${webhook("id")} webhook_created`, "webhooks"),
    page("openapi/webhooks/listwebhooks", "offset:integer limit:integer total_webhooks next? webhooks:list"),
    page(
      "openapi/webhooks/listwebhooks",
      `${webhook("string")} webhook_created webhook_updated:any webhook_suspended:any`,
      "webhooks",
    ),
  ],
  "webhooks.update": [
    specification("4.2", `message href ${webhook("id")} webhook_updated`),
    page("openapi/webhooks/updatewebhook", `message href ${webhook("integer")} webhook_updated`),
  ],
  "webhooks.delete": [
    specification("4.2", "message webhook_id:id"),
    page("openapi/webhooks/deletewebhook", "message webhook_id:integer webhook_url"),
  ],
  "settings.get": settings,
  "settings.update": [both(olderPage("settings", "message href company_id company_name")), ...settings],
} satisfies Record<string, readonly Row[]>;
