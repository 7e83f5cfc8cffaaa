/** Refusals of the emulator that the service's documents do not have. Each has a name, by which it can be switched off. */
import { z } from "zod";
import { type Code, throwApiError } from "./api-errors";
import { largestBody, mostDateFields, mostPartyUpdates, registrationTimeout } from "./limits";

interface Refusal {
  code: number | string;
  what: string;
  /** Default: true. */
  isDefault?: boolean;
}

export const refusals = {
  blankText: { code: "of the field", what: "a required text of blanks only" },
  logoEnding: { code: 10559, what: "a logo's URL that ends like a file of another type" },
  documentEnding: { code: 10266, what: "a document's URL that ends like a file of another type" },
  documentContent: { code: 10266, what: "a document whose first bytes are of another type than its name" },
  unknownMembers: { code: 10010, what: "an unknown member of a document or a party" },
  plainRoles: {
    code: 10010,
    what: "a party of an uploaded document whose role is neither `signer1`, `signer2`, … nor `copy`; otherwise such parties sign in the order of the request",
  },
  partyTwice: { code: 10010, what: "two parties with one `party_id`" },
  signerRequired: { code: 10010, what: "an envelope without a signer" },
  partyUpdates: {
    code: 10010,
    what: `more than ${mostPartyUpdates} updates of a party: the limit is documented, its code is not`,
  },
  signedParty: { code: 10010, what: "an update of a party that has signed" },
  sessionOfDraft: { code: 10010, what: "an embed session of an envelope that is not a draft" },
  dateFields: { code: 10010, what: `more than ${mostDateFields.toLocaleString("en")} parties times documents` },
  expireStatus: { code: 10276, what: "expiry of an envelope that is neither open nor a draft" },
  pageNumbers: {
    code: 10010,
    what: "an `offset` or `limit` that is not a positive whole number; otherwise `offset=0` is the first record for a caller that counts from 0, and anything else is ignored",
  },
  bodySize: { code: 10010, what: `a body of more than ${largestBody} MB` },
  bodyText: { code: 10010, what: "a body that is not UTF-8, or has half of a surrogate pair" },
  compression: { code: 10007, what: "a body with a `Content-Encoding`; otherwise gzip, deflate and br are decoded" },
  uniqueEmail: { code: "none", what: "a user with another user's email address" },
  subaccountUsers: {
    code: "none",
    what: "a second user in a subaccount: that it has one is documented, the code is not",
  },
  lastAdministrator: { code: "none", what: "deletion or demotion of an account's last administrator" },
  webhookAnswers: {
    code: 10309,
    what: `a webhook whose loopback URL does not answer within ${registrationTimeout / 1000} seconds`,
    isDefault: false,
  },
} satisfies Record<string, Refusal>;

export type RefusalName = keyof typeof refusals;

export const refusalNames = Object.keys(refusals) as RefusalName[];

/** By name, whether it is refused. */
export const strictness = z.strictObject(
  Object.fromEntries(refusalNames.map((name) => [name, z.boolean().optional()])) as Record<
    RefusalName,
    z.ZodOptional<z.ZodBoolean>
  >,
);

interface StrictSettings {
  strictness: z.output<typeof strictness>;
}

/** How a user switches a refusal off: part of its message. */
export const switchOf = (name: RefusalName): string =>
  `only the emulator refuses this: strictness.${name} (--lenient ${name}) allows it`;

/** Ends the request, if the emulator refuses it. */
export function refuse(settings: StrictSettings, name: RefusalName, detail: string, code?: Code): void {
  if (refuses(settings, name)) throwApiError(code ?? (refusals[name].code as Code), `${detail}; ${switchOf(name)}`);
}

/** Whether the emulator refuses it. */
export function refuses(settings: StrictSettings, name: RefusalName): boolean {
  const { isDefault = true }: Refusal = refusals[name];
  return settings.strictness[name] ?? isDefault;
}
