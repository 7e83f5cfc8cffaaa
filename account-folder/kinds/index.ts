/** The registry of kinds, in the order in which differences are listed. */
import { branding } from "./branding";
import { brandingEmail } from "./branding-email";
import { company } from "./company";
import { type ConfigKind, kindNameOf, type ResourceKind } from "./config-kind";
import { webhook } from "./webhook";

export const kinds: Readonly<Record<ResourceKind, ConfigKind>> = {
  Branding: branding,
  BrandingEmail: brandingEmail,
  Webhook: webhook,
  Company: company,
};

/** The kinds whose objects are in an account, which subaccounts have as well. */
export const accountKinds: readonly ConfigKind[] = Object.values(kinds).filter((kind) => kind !== company);

/** A kind that is kept in a section of account.yaml. */
export type SettingsKind = Exclude<ResourceKind, "BrandingEmail" | "Company">;
export type StoredInSettings = ConfigKind & { kind: SettingsKind; storage: { section: string; isList: boolean } };

export const settingsKinds: readonly StoredInSettings[] = accountKinds.filter(
  (kind): kind is StoredInSettings => typeof kind.storage === "object" && "section" in kind.storage,
);

/** The kind of a resource by its type; undefined for resources of other packages. */
export function kindOfType(type: string): ConfigKind | undefined {
  const name = kindNameOf(type);
  return name !== undefined && Object.hasOwn(kinds, name) ? kinds[name as ResourceKind] : undefined;
}
