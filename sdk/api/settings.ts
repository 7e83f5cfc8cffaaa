/** An account's preferences: one flat record, which every account has. */
import { z } from "zod";
import { openEnum } from "../enum-schemas";
import { signatureFormats } from "../known-values";
import { endpoint, responseBase } from "./endpoint";
import { formBoolean } from "./scalars";

/** Settings that are true or false. The last four are those of the older edition. */
export const booleanSettings = [
  "setting_signature_more_info",
  "setting_email_pdf_attach",
  "setting_email_pdf_attach_sender",
  "setting_email_envelope_open",
  "setting_email_main_email",
  "setting_email_return_address_user",
  "setting_signing_consumer_regulations_act",
  "setting_signing_tooltips",
  "setting_signing_questions",
  "setting_pdf_audit_trail_hide",
] as const;

/** Names of settings. The API has some that this version does not know. */
export const settingName = /^setting_\w+$/;

/** Whether subaccounts have the setting. The documentation names those that they do not have. */
export const isInSubaccounts = (name: string): boolean => name !== "setting_qes_enabled";

/** Value of a setting that this version does not know. */
export type SettingValue = string | number | boolean;
/** Settings that this version does not know, by the API's names. */
export type OtherSettings = { [name: `setting_${string}`]: SettingValue | undefined };

/** True or false; of another value nothing is known. */
const flag = z
  .union([
    z.boolean(),
    z
      .union([z.enum(["true", "false", "1", "0"]), z.literal([0, 1])])
      .transform((value) => ["true", "1"].includes(String(value))),
  ])
  .nullish()
  .catch(undefined);

const sharedSettings = {
  /** Prints the signer's name and the time under each signature. */
  setting_signature_more_info: flag,
  /** The format that is offered first. The older edition returns false if there is none. */
  setting_signature_format_default: z
    .union([z.string(), z.literal(false).transform(() => null)])
    .nullish()
    .catch(undefined),
  /** The formats that the account accepts, separated by commas. */
  setting_signature_format_accepted: z.string().nullish().catch(undefined),
  /** Attaches the PDF to emails to the recipients; otherwise they have a link only. */
  setting_email_pdf_attach: flag,
  /** Attaches the signed PDF to the email to the company. */
  setting_email_pdf_attach_sender: flag,
  /** Sends an email when a recipient opens the envelope. */
  setting_email_envelope_open: flag,
  /** Sends notices about signed, rejected and cancelled envelopes to the company's main address. */
  setting_email_main_email: flag,
  /** The return address of emails is that of the user who sends the envelope. */
  setting_email_return_address_user: flag,
  setting_signing_consumer_regulations_act: flag,
  setting_signing_tooltips: flag,
  setting_signing_questions: flag,
  setting_pdf_audit_trail_hide: flag,
  /** Whether envelopes may ask for qualified signatures. Of eligible accounts only, and of no subaccount. */
  setting_qes_enabled: flag,
};

/** The settings as the API returns them. Those that this version does not know are kept. */
export const settings = z.looseObject(sharedSettings);
export type SettingsRecord = z.output<typeof settings>;

const formats = z
  .string("must be formats, separated by commas")
  .refine((value) => value.trim() !== "", "must not be empty")
  .transform((value) => value.split(",").map((format) => format.trim()))
  .pipe(z.array(openEnum(signatureFormats)))
  .transform((list) => list.join(",")) as unknown as z.ZodType<string, string>;

const form = z.object({
  /** Prints the signer's name and the time under each signature. */
  setting_signature_more_info: formBoolean.optional(),
  /** The format that is offered first: `drawn`, `typed` or `upload`. */
  setting_signature_format_default: openEnum(signatureFormats).optional(),
  /** The formats that the account accepts, separated by commas. */
  setting_signature_format_accepted: formats.optional(),
  /** Attaches the PDF to emails to the recipients; otherwise they have a link only. */
  setting_email_pdf_attach: formBoolean.optional(),
  /** Attaches the signed PDF to the email to the company. */
  setting_email_pdf_attach_sender: formBoolean.optional(),
  /** Sends an email when a recipient opens the envelope. */
  setting_email_envelope_open: formBoolean.optional(),
  /** Sends notices about signed, rejected and cancelled envelopes to the company's main address. */
  setting_email_main_email: formBoolean.optional(),
  /** The return address of emails is that of the user who sends the envelope. */
  setting_email_return_address_user: formBoolean.optional(),
  /** What it does is not documented. */
  setting_signing_consumer_regulations_act: formBoolean.optional(),
  /** What it does is not documented. */
  setting_signing_tooltips: formBoolean.optional(),
  /** What it does is not documented. */
  setting_signing_questions: formBoolean.optional(),
  /** What it does is not documented. */
  setting_pdf_audit_trail_hide: formBoolean.optional(),
  /** Whether envelopes may ask for qualified signatures. Of eligible accounts only, and of no subaccount. */
  setting_qes_enabled: formBoolean.optional(),
});

/** What is wrong with the value of a setting; undefined for one that is valid, or that this version does not know. */
export function settingProblem(name: string, value: unknown): string | undefined {
  const schema = Object.hasOwn(form.shape, name) ? form.shape[name as keyof typeof form.shape] : undefined;
  return schema?.safeParse(value).error?.issues[0]?.message;
}

/** The form with the names of settings that this version does not know. */
const openForm = form
  .catchall(z.union([z.string(), z.number(), z.boolean()], "must be a string, a number, true or false").optional())
  .refine(
    (fields) => Object.entries(fields).some(([name, value]) => settingName.test(name) && value !== undefined),
    "needs at least one setting",
  );

const base = { section: "current 1.9", optional: "settings" } as const;

export const get = endpoint({
  ...base,
  method: "GET",
  path: "/v1/settings",
  summary: "Returns the account's settings.",
  response: responseBase.extend(sharedSettings),
  // Every account has some. Without any, it would look as if none had a value.
  isSuspicious: (response) =>
    !Object.entries(response).some(([name, value]) => settingName.test(name) && value !== undefined),
});

export const update = endpoint({
  ...base,
  method: "PUT",
  path: "/v1/settings",
  summary: "Changes some of the account's settings.",
  form: openForm as unknown as z.ZodType<z.output<typeof form> & OtherSettings, z.input<typeof form> & OtherSettings>,
  otherFields: settingName,
  response: responseBase.extend(sharedSettings),
});
