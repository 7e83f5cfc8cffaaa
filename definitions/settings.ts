/** The settings of an account. Those that this version does not know are in `other`, by the API's names. */

import { z } from "zod";
import { api } from "../sdk/api";
import { settingName } from "../sdk/api/settings";
import { openEnum } from "../sdk/enum-schemas";
import { type SignatureFormat, signatureFormats } from "../sdk/known-values";
import { type Argument, argument, type Restorable, restorable, type ValuesOf } from "./argument";
import { apiNames, type Field, fromApi } from "./field";
import { defineKind, type KindDefinition } from "./kind";
import type { Fields } from "./model";
import {
  isOtherSetting,
  knownSettingFields,
  normalizeSetting,
  otherSettingField,
  settingApiName,
  settingArgument,
  settingInput,
  settingValue,
} from "./text/settings-as-texts";

/** `emailPdfAttach` is "email pdf attach". */
const labelOf = (field: string) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Arguments of a resource as texts by field. */
function toTexts({ other, ...inputs }: Record<string, unknown>): Fields {
  const settings = Object.entries(inputs).filter(([name]) => knownSettingFields.includes(name));
  const others = Object.entries((other ?? {}) as object).map(([name, value]) => [otherSettingField(name), value]);
  return Object.fromEntries([...settings, ...others].map(([name, value]) => [name, String(value)]));
}

const fieldNamed = (name: string): Field => ({
  label: labelOf(name),
  apiName: settingApiName(name),
  fromApi: (value: unknown) => (isOtherSetting(name) ? otherText(value) : String(value)),
  normalize: (text) => normalizeSetting(name, text),
  isOptional: true,
  isTyped: true,
});

/** A list or an object cannot be declared. */
const otherText = (value: unknown) => (typeof value === "object" ? undefined : JSON.stringify(value));

const flag = (name: string): Argument<boolean | undefined> =>
  argument(z.boolean("must be true or false").optional(), fieldNamed(name));

export const settingsArguments = {
  /** Prints the signer's name and the time under each signature. */
  signatureMoreInfo: flag("signatureMoreInfo"),
  /** The format of signature that is offered first: `drawn`, `typed` or `upload`. */
  signatureFormatDefault: argument<SignatureFormat | undefined>(
    openEnum(signatureFormats).optional(),
    fieldNamed("signatureFormatDefault"),
  ),
  /** The formats of signature that the account accepts, of `drawn`, `typed` and `upload`. */
  signatureFormatAccepted: argument<SignatureFormat[] | undefined>(
    z.array(openEnum(signatureFormats), "must be a list of formats").min(1, "must not be empty").optional(),
    fieldNamed("signatureFormatAccepted"),
  ),
  /** Attaches the PDF to emails to the recipients; otherwise they have a link only. */
  emailPdfAttach: flag("emailPdfAttach"),
  /** Attaches the signed PDF to the email to the company. */
  emailPdfAttachSender: flag("emailPdfAttachSender"),
  /** Sends an email when a recipient opens the envelope. */
  emailEnvelopeOpen: flag("emailEnvelopeOpen"),
  /** Sends notices about signed, rejected and cancelled envelopes to the company's main address. */
  emailMainEmail: flag("emailMainEmail"),
  /** The return address of emails is that of the user who sends the envelope. */
  emailReturnAddressUser: flag("emailReturnAddressUser"),
  /** The API's `setting_signing_consumer_regulations_act`. What it does is not documented. */
  signingConsumerRegulationsAct: flag("signingConsumerRegulationsAct"),
  /** The API's `setting_signing_tooltips`. What it does is not documented. */
  signingTooltips: flag("signingTooltips"),
  /** The API's `setting_signing_questions`. What it does is not documented. */
  signingQuestions: flag("signingQuestions"),
  /** The API's `setting_pdf_audit_trail_hide`. What it does is not documented. */
  pdfAuditTrailHide: flag("pdfAuditTrailHide"),
  /** Settings that have no argument of their own, by the API's names: `{ setting_…: true }`. */
  other: argument(
    z
      .record(
        z.string().regex(settingName, "must begin with setting_"),
        z.union([z.string(), z.number(), z.boolean()], "must be a string, a number, true or false"),
        "must be an object of settings, whose names begin with setting_",
      )
      .optional(),
  ),
};
/** What a program declares. Only what is declared is managed. */
export interface SettingsValues extends ValuesOf<typeof settingsArguments>, Restorable {}

/** @internal */
export const settings: KindDefinition = defineKind({
  arguments: { ...settingsArguments, ...restorable },
  outputs: {},
  naturalKey: [],
  otherFields: {
    section: "other",
    isField: isOtherSetting,
    name: settingName,
    rule: "must begin with setting_",
    field: fieldNamed,
    namesIn: (response) =>
      Object.keys(response)
        .filter((name) => settingName.test(name) && settingArgument(name) === undefined)
        .map(otherSettingField),
  },
  kind: "Settings",
  nouns: ["account's settings", "accounts' settings"],
  label: () => "settings",
  isCreatable: false,
  isOnRequest: true,
  storage: { section: "settings" },
  forms: [
    {
      form: api.settings.update.form,
      names: apiNames(settingsArguments, knownSettingFields),
    },
  ],

  async read(client) {
    // A form of the API has no types: values of `other` are written as they are.
    const values = Object.entries(fromApi(settings, await client.settings.get()));
    const fields = values.flatMap(([name, text]) =>
      text === undefined ? [] : [[name, String(settingValue(name, text))]],
    );
    return [{ fields: Object.fromEntries(fields) }];
  },
  fromState: ({ inputs }) => ({ fields: toTexts(inputs) }),
  toInputs({ fields }) {
    const inputs: Record<string, unknown> = {};
    const other: Record<string, unknown> = {};
    for (const [field, text] of Object.entries(fields)) {
      if (text === undefined) continue;
      if (isOtherSetting(field)) other[settingApiName(field)] = settingInput(field, text);
      else inputs[field] = settingInput(field, text);
    }
    return { ...inputs, ...(Object.keys(other).length > 0 && { other }) };
  },
});
