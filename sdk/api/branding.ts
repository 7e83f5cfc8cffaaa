/** Branding and the seven email templates. */
import { z } from "zod";
import { endpoint, responseBase } from "./endpoint";
import { colour, openEnum, optionalTimestamp, url } from "./scalars";

/** The types of email template. */
export const brandingEmailTypes = [
  "email-cancelled",
  "email-rejected",
  "email-reminder",
  "email-reminder-password",
  "email-send",
  "email-signed",
  "email-widget-verify",
] as const;
export type BrandingEmailType = (typeof brandingEmailTypes)[number];

/** The names that may stand between curly brackets in a subject or a content. */
export const brandingEmailVariables = [
  "company name",
  "contract title",
  "client name",
  "user name",
  "contract url",
  "acknowledge url",
  "contract password",
  "contract intro",
  "widget verify url",
] as const;

/**
 * Endings of files that are surely no JPG or PNG. Any other says nothing of what is answered there: services of logos
 * have addresses such as `/logo.php` and `/acme.com`.
 */
const otherFiles =
  /\.(gif|svgz?|webp|avif|bmp|ico|tiff?|hei[cf]|jxl|jp2|pdf|eps|ai|psd|html?|css|js|json|xml|txt|docx?|zip)$/i;

/** True for an address whose ending says that no logo is there that the service takes. */
export function hasNonLogoExtension(address: string): boolean {
  return otherFiles.test(new URL(address).pathname);
}

/** Some services leave the # away, and take a colour only with it. */
const withHash = (colour: string) => colour.replace(/^(?=([0-9a-f]{3}|[0-9a-f]{6})$)/i, "#");

const branding = z.object({
  /** Address of the current logo. The service copies a logo that it is given and answers an address of its own. */
  branding_logo: z.string().nullish(),
  /** Hex colour code; the service may answer other letter case than it was sent. */
  branding_colour: z.string().transform(withHash).nullish(),
});

/** One email template as the service answers it. */
export const brandingEmail = z.looseObject({
  /** Which of the emails. A type that this version does not know is kept as it came. */
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
  // An account may have neither, but so does every bare success, which must not pass for such an account.
  isSuspicious: (response) => response.branding_logo === undefined && response.branding_colour === undefined,
});

export const update = endpoint({
  method: "PUT",
  path: "/v1/branding",
  summary: "Changes the account's logo, colour or both.",
  section: "4.1",
  form: z
    .object({
      /** Address of a JPG or PNG file. */
      branding_logo_url: url.optional(),
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
  summary: "Returns all branding e-mails.",
  section: "4.1",
  response: responseBase.extend({ branding_emails: z.array(brandingEmail) }),
  // An account has all of them: what is missing would be taken for gone, or for never having been there.
  isSuspicious: (response) => (response.branding_emails as unknown[]).length === 0,
});

export const updateEmail = endpoint({
  method: "PUT",
  path: "/v1/branding/emails/{branding_email_type}",
  summary: "Changes a branding e-mail. It must keep its required variables.",
  section: "4.1",
  params: z.object({
    /** Which of the emails. */
    branding_email_type: openEnum(brandingEmailTypes),
  }),
  form: z
    .object({
      /** Subject line; may contain variables such as `{contract title}`. */
      branding_email_subject: z.string("must be a text").optional(),
      /** HTML body; may contain variables. */
      branding_email_content: z.string("must be a text").optional(),
      /** Plain-text body; may contain variables. */
      branding_email_content_plain: z.string("must be a text").optional(),
    })
    .refine(
      (form) => Object.values(form).some((value) => value !== undefined),
      "needs branding_email_subject, branding_email_content or branding_email_content_plain",
    ),
  response: responseBase.extend(brandingEmail.shape).extend({ branding_email_type: z.string().optional() }),
});
