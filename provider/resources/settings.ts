/** The settings of an account: its preferences, one flat record. */
import { z } from "zod";
import {
  booleanSettingFields,
  isOtherSetting,
  knownSettingFields,
  normalizeSetting,
  otherSettingField,
  settingApiName,
  settingArgument,
  settingFields,
  settingValue,
} from "../../account-folder/text/settings";
import { openEnum } from "../../sdk/api/scalars";
import { settingName, signatureFormats } from "../../sdk/api/settings";
import { CachedRead } from "../core/cached-read";
import { Failure } from "../core/failure";
import { type Properties, UNKNOWN } from "../core/pulumi-values";
import { type AccountHandle, defineResource, type Issue } from "../core/resource-definition";
import { accountArgument } from "./account-argument";
import { assertNotTestKey } from "./check-response";

/** The settings as the API returns them. */
export type SettingsItem = Record<string, unknown>;

const key = "settings";

function settingsOf(account: AccountHandle): CachedRead<SettingsItem> {
  return account.memoize(key, () => new CachedRead<SettingsItem>(() => account.client.settings.get()));
}

const flag = z.boolean("must be true or false").optional();

/** What the user declares. Only what is declared is managed. */
export const settingsArgs = {
  /** Prints the signer's name and the time under each signature. */
  signatureMoreInfo: flag,
  /** The format of signature that is offered first: `drawn`, `typed` or `upload`. */
  signatureFormatDefault: openEnum(signatureFormats).optional(),
  /** The formats of signature that the account accepts. */
  signatureFormatAccepted: z
    .array(openEnum(signatureFormats), "must be a list of formats")
    .min(1, "must not be empty")
    .optional(),
  /** Attaches the PDF to emails to the recipients; otherwise they have a link only. */
  emailPdfAttach: flag,
  /** Attaches the signed PDF to the email to the company. */
  emailPdfAttachSender: flag,
  /** Sends an email when a recipient opens the envelope. */
  emailEnvelopeOpen: flag,
  /** Sends notices about signed, rejected and cancelled envelopes to the company's main address. */
  emailMainEmail: flag,
  /** The return address of emails is that of the user who sends the envelope. */
  emailReturnAddressUser: flag,
  /** The API's `setting_signing_consumer_regulations_act`. What it does is not documented. */
  signingConsumerRegulationsAct: flag,
  /** The API's `setting_signing_tooltips`. What it does is not documented. */
  signingTooltips: flag,
  /** The API's `setting_signing_questions`. What it does is not documented. */
  signingQuestions: flag,
  /** The API's `setting_pdf_audit_trail_hide`. What it does is not documented. */
  pdfAuditTrailHide: flag,
  /** Settings that have no argument of their own, by the API's names: `{ setting_…: true }`. */
  other: z
    .record(
      z.string().regex(settingName, "must begin with setting_"),
      z.union([z.string(), z.number(), z.boolean()], "must be a string, a number, true or false"),
      "must be an object of settings, whose names begin with setting_",
    )
    .optional(),
  /** The subaccount that they belong to: a Company or its id. Default: the key's own account. */
  account: accountArgument.optional(),
  /** What deleting the resource, or removing an argument, does: `restore` restores the original value, `keep` leaves the current one. Default: restore. */
  onDelete: openEnum(["restore", "keep"]).optional(),
};

/** Members of `other` and lists as texts, as fields are. */
function flatten({ other, ...properties }: Properties): Properties {
  const flat: Properties = {};
  for (const [name, value] of Object.entries(properties)) {
    if (Array.isArray(value)) flat[name] = value.includes(UNKNOWN) ? UNKNOWN : value.join(",");
    else flat[name] = typeof value === "boolean" && booleanSettingFields.includes(name) ? String(value) : value;
  }
  if (typeof other !== "object" || other === null) return other === undefined ? flat : { ...flat, other };
  for (const [name, value] of Object.entries(other)) {
    flat[otherSettingField(name)] = value === UNKNOWN ? UNKNOWN : JSON.stringify(value);
  }
  return flat;
}

function nest(flat: Properties): Properties {
  const properties: Properties = {};
  const other: Properties = {};
  for (const [name, value] of Object.entries(flat)) {
    if (value === undefined || value === null) continue;
    if (isOtherSetting(name)) other[settingApiName(name)] = settingValue(name, value as string);
    else if (name === "signatureFormatAccepted") properties[name] = normalizeSetting(name, value as string).split(",");
    else properties[name] = booleanSettingFields.includes(name) ? value === "true" : value;
  }
  return Object.keys(other).length === 0 ? properties : { ...properties, other };
}

export const settings = defineResource({
  kind: "Settings",
  handler: "settings",
  args: z.object(settingsArgs),
  outputs: z.object({}),
  secrets: [],
  fields: knownSettingFields as readonly Exclude<keyof typeof settingsArgs, "other" | "account" | "onDelete">[],
  flatForm: { flatten, nest, isField: isOtherSetting },
  createOnly: ["account"],
  naturalKey: [],
  defaults: { onDelete: "restore" },

  key: () => key,
  normalize: normalizeSetting,
  toApi: (fields) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[settingApiName(field), value]])),
    ),
  fromApi: (item: SettingsItem) => ({ fields: settingFields(item), outputs: {} }),

  locate: () => ({ key, outputs: {} }),

  issues(args, { isSet }) {
    const names = Object.keys(settingsArgs).filter((name) => name !== "account" && name !== "onDelete");
    if (!names.some(isSet)) return [{ field: "arguments", message: "are missing: set at least one setting" }];
    return Object.keys(args.other ?? {}).flatMap((name): Issue[] => {
      const argument = settingArgument(name);
      return argument === undefined ? [] : [{ field: "other", message: `has ${name}: set ${argument} instead` }];
    });
  },

  async read(account, id, age) {
    // For a company's id alone the partner's own settings would be read.
    if (id !== key)
      throw new Failure("ESIGN1020", `invalid id; use "${key}", or "<company's id>/${key}" within a subaccount`);
    return settingsOf(account).get(age);
  },

  async update(account, _, form) {
    const values = Object.entries(form).map(([name, text]) => [
      name,
      settingValue(settingArgument(name) ?? otherSettingField(name), text),
    ]);
    const response = await account.client.settings.update(Object.fromEntries(values));
    assertNotTestKey(response);
    settingsOf(account).patch((live) => Object.assign(live, response));
    return response;
  },
});
