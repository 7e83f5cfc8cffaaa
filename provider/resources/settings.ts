/** The settings of an account: its preferences, one flat record. */
import { z } from "zod";
import { settingsFields } from "../../definitions/settings";
import {
  booleanSettingFields,
  isOtherSetting,
  otherSettingField,
  settingApiName,
  settingArgument,
  settingList,
  settingValue,
} from "../../definitions/text/settings";
import { settingName } from "../../sdk/api/settings";
import { openEnum } from "../../sdk/enums";
import { type SignatureFormat, signatureFormats } from "../../sdk/known-values";
import { CachedRead } from "../core/cached-read";
import { type Properties, UNKNOWN } from "../core/pulumi-values";
import { type AccountHandle, defineResource, type Issue } from "../core/resource-definition";
import { accountArgument, type Restorable } from "./account-argument";
import { assertNotTestKey } from "./check-response";

/** The settings as the API returns them. */
export type SettingsItem = Record<string, unknown>;

const key = "settings";

function settingsOf(account: AccountHandle): CachedRead<SettingsItem> {
  return account.memoize(
    key,
    () => new CachedRead<SettingsItem>(() => account.client.settings.get(), account.session.run.clock),
  );
}

const flag = z.boolean("must be true or false").optional();

/** What a program declares. Only what is declared is managed. */
export interface SettingsValues extends Restorable {
  /** Prints the signer's name and the time under each signature. */
  signatureMoreInfo?: boolean | undefined;
  /** The format of signature that is offered first: `drawn`, `typed` or `upload`. */
  signatureFormatDefault?: SignatureFormat | undefined;
  /** The formats of signature that the account accepts, of `drawn`, `typed` and `upload`. */
  signatureFormatAccepted?: SignatureFormat[] | undefined;
  /** Attaches the PDF to emails to the recipients; otherwise they have a link only. */
  emailPdfAttach?: boolean | undefined;
  /** Attaches the signed PDF to the email to the company. */
  emailPdfAttachSender?: boolean | undefined;
  /** Sends an email when a recipient opens the envelope. */
  emailEnvelopeOpen?: boolean | undefined;
  /** Sends notices about signed, rejected and cancelled envelopes to the company's main address. */
  emailMainEmail?: boolean | undefined;
  /** The return address of emails is that of the user who sends the envelope. */
  emailReturnAddressUser?: boolean | undefined;
  /** The API's `setting_signing_consumer_regulations_act`. What it does is not documented. */
  signingConsumerRegulationsAct?: boolean | undefined;
  /** The API's `setting_signing_tooltips`. What it does is not documented. */
  signingTooltips?: boolean | undefined;
  /** The API's `setting_signing_questions`. What it does is not documented. */
  signingQuestions?: boolean | undefined;
  /** The API's `setting_pdf_audit_trail_hide`. What it does is not documented. */
  pdfAuditTrailHide?: boolean | undefined;
  /** Settings that have no argument of their own, by the API's names: `{ setting_…: true }`. */
  other?: Record<string, string | number | boolean> | undefined;
}

const settingsArgs = {
  signatureMoreInfo: flag,
  signatureFormatDefault: openEnum(signatureFormats).optional(),
  signatureFormatAccepted: z
    .array(openEnum(signatureFormats), "must be a list of formats")
    .min(1, "must not be empty")
    .optional(),
  emailPdfAttach: flag,
  emailPdfAttachSender: flag,
  emailEnvelopeOpen: flag,
  emailMainEmail: flag,
  emailReturnAddressUser: flag,
  signingConsumerRegulationsAct: flag,
  signingTooltips: flag,
  signingQuestions: flag,
  pdfAuditTrailHide: flag,
  other: z
    .record(
      z.string().regex(settingName, "must begin with setting_"),
      z.union([z.string(), z.number(), z.boolean()], "must be a string, a number, true or false"),
      "must be an object of settings, whose names begin with setting_",
    )
    .optional(),
  account: accountArgument.optional(),
  onDelete: openEnum(["restore", "keep"]).optional(),
};

/** Settings that are documented not to be for subaccounts. */
const ownAccountOnly: ReadonlySet<string> = new Set(["setting_qes_enabled"]);

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
    else if (name === "signatureFormatAccepted") properties[name] = settingList(value as string);
    else properties[name] = booleanSettingFields.includes(name) ? value === "true" : value;
  }
  return Object.keys(other).length === 0 ? properties : { ...properties, other };
}

/** @internal */
export const settings = defineResource({
  kind: "Settings",
  handler: "settings",
  args: z.object(settingsArgs),
  outputs: z.object({}),
  secrets: [],
  ...settingsFields,
  flatForm: { flatten, nest },
  createOnly: ["account"],
  naturalKey: [],
  defaults: { onDelete: "restore" },

  key: () => key,

  locate: () => ({ key, outputs: {} }),

  issues(args, { isSet }) {
    const names = Object.keys(settingsArgs).filter((name) => name !== "account" && name !== "onDelete");
    if (!names.some(isSet)) return [{ field: "arguments", message: "are missing: set at least one setting" }];
    return Object.keys(args.other ?? {}).flatMap((name): Issue[] => {
      const argument = settingArgument(name);
      if (argument !== undefined) return [{ field: "other", message: `has ${name}: set ${argument} instead` }];
      if (!isSet("account") || !ownAccountOnly.has(name)) return [];
      const message = `has ${name}, which subaccounts do not have: declare it without account, for the partner itself`;
      return [{ field: "other", message }];
    });
  },

  read: (account, _, age) => settingsOf(account).get(age),

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
