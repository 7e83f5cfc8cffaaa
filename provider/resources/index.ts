/** The registry of the resources. */
import { branding } from "./branding";
import { brandingEmail } from "./branding-email";
import { company } from "./company";
import { webhook } from "./webhook";

/** Every resource, by the name of its handler. */
export const definitions = {
  branding,
  brandingEmail,
  webhook,
  company,
} as const satisfies Record<string, unknown>;

export type HandlerName = keyof typeof definitions;
