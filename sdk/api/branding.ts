/** Branding and the email templates. */
import { z } from "zod";
import { emailType } from "../enum-schemas";
import { currentNull } from "../parse-rules";
import { endpoint, responseBase } from "./endpoint";
import { colour, logoUrl, optionalTimestamp } from "./scalars";

/** The API may return a colour without the #, which it requires in requests. */
const withHash = (colour: string) => colour.replace(/^(?=([0-9a-f]{3}|[0-9a-f]{6})$)/i, "#");

const branding = z.object({
  /** URL of the current logo: the service stores a copy under a URL of its own, which may be another one at each read. Null for none. */
  branding_logo: z.string().nullish(),
  /** Hex colour code. The API may return it in another letter case than it was sent in. */
  branding_colour: z.string().transform(withHash).nullish(),
});

/** An email template as the API returns it. */
export const brandingEmail = z.looseObject({
  /** Type of the template. A type that this version does not know is returned unchanged. */
  branding_email_type: z.string(),
  /** Subject line; may contain variables. */
  branding_email_subject: z.string().nullish(),
  /** HTML body. */
  branding_email_content: z.string().nullish(),
  /** Plain-text body. */
  branding_email_content_plain: z.string().nullish(),
  /** Last update. */
  branding_email_updated: optionalTimestamp,
});
export type BrandingEmailRecord = z.output<typeof brandingEmail>;

export const get = endpoint({
  method: "GET",
  path: "/v1/branding",
  summary: "Returns the account's logo and colour.",
  section: "4.1",
  response: responseBase.extend(branding.shape),
  // An account may have neither, but a success of a proxy looks the same.
  isSuspicious: (response) => response.branding_logo === undefined && response.branding_colour === undefined,
});

export const update = endpoint({
  method: "PUT",
  path: "/v1/branding",
  summary: "Changes the account's logo, colour or both.",
  section: "4.1",
  form: z
    .object({
      /** URL of a JPG or PNG file. Edition `current`: null removes the logo. */
      branding_logo_url: currentNull(logoUrl).optional(),
      /** Hex colour code of the form `#RRGGBB`. */
      branding_colour: colour.optional(),
    })
    .refine(
      (form) => form.branding_logo_url !== undefined || form.branding_colour !== undefined,
      "needs branding_logo_url or branding_colour",
    ),
  response: responseBase.extend(branding.shape),
});

export const emails = endpoint({
  method: "GET",
  path: "/v1/branding/emails",
  summary: "Returns all email templates.",
  section: "4.1",
  response: responseBase.extend({ branding_emails: z.array(brandingEmail) }),
  // Every account has all of them. An empty list would look as if all had been deleted.
  isSuspicious: (response) => (response.branding_emails as unknown[]).length === 0,
});

const params = z.object({
  /** Type of the template. */
  branding_email_type: emailType,
});

export const email = endpoint({
  method: "GET",
  path: "/v1/branding/emails/{branding_email_type}",
  summary: "Returns one email template. Edition `current`.",
  section: "current 6.1",
  edition: "current",
  params,
  response: responseBase.extend(brandingEmail.shape),
  missingCode: 10553,
});

export const updateEmail = endpoint({
  method: "PUT",
  path: "/v1/branding/emails/{branding_email_type}",
  summary: "Changes an email template. It must keep its required variables.",
  section: "4.1",
  params,
  form: z
    .object({
      /** Subject line; may contain variables such as `{contract title}`. */
      branding_email_subject: z.string("must be a string").optional(),
      /** HTML body; may contain variables. */
      branding_email_content: z.string("must be a string").optional(),
      /** Plain-text body; may contain variables. */
      branding_email_content_plain: z.string("must be a string").optional(),
    })
    .refine(
      (form) => Object.values(form).some((value) => value !== undefined),
      "needs branding_email_subject, branding_email_content or branding_email_content_plain",
    ),
  response: responseBase.extend(brandingEmail.shape).extend({ branding_email_type: z.string().optional() }),
});
