/** The settings that an account has. */
import type { Edition } from "../../sdk/edition";
import type { Account } from "./data-schema";

const currentSettings = {
  setting_signature_more_info: true,
  setting_signature_format_default: "typed",
  setting_signature_format_accepted: "typed,drawn,upload",
  setting_email_pdf_attach: true,
  setting_email_pdf_attach_sender: true,
  setting_email_envelope_open: true,
  setting_email_main_email: true,
  setting_email_return_address_user: false,
};

/** Settings that are documented of the older edition only. */
const olderSettings = {
  setting_signing_consumer_regulations_act: false,
  setting_signing_tooltips: true,
  setting_signing_questions: true,
  setting_pdf_audit_trail_hide: false,
};

/** All settings of an account: the documented ones of an edition, and those that its seed has. */
export function settingsOf({ settings }: Account, edition: Edition): Account["settings"] {
  return { ...currentSettings, ...(edition === "specification" && olderSettings), ...settings };
}
