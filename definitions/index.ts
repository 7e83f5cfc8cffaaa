/** The registry of kinds. Differences are listed in this order. */

import { branding } from "./branding";
import { brandingEmail } from "./branding-email";
import { company } from "./company";
import { contact } from "./contact";
import { type KindDefinition, kindNameOf } from "./kind";
import { type AccountKind, type AccountModel, isSubaccount, type ResourceKind, type SubaccountKind } from "./model";
import { settings } from "./settings";
import { user } from "./user";
import { webhook } from "./webhook";

export const kinds: Readonly<Record<ResourceKind, KindDefinition>> = {
  Branding: branding,
  BrandingEmail: brandingEmail,
  Webhook: webhook,
  User: user,
  Contact: contact,
  Settings: settings,
  Company: company,
};

/** The kinds whose objects are in an account or a subaccount: all that are no accounts themselves. */
export const accountKinds: readonly (KindDefinition & { kind: AccountKind })[] = Object.values(kinds).filter(
  (kind): kind is KindDefinition & { kind: AccountKind } => !isSubaccount(kind.kind),
);

/** The kinds that are read only on request. */
export const onRequestKinds: readonly KindDefinition[] = accountKinds.filter(({ isOnRequest }) => isOnRequest);

/** Those of them of which a configuration has objects, in the account or in a subaccount. */
export const onRequestKindsIn = (account: AccountModel): KindDefinition[] =>
  onRequestKinds.filter((kind) =>
    [account, ...(account.Company ?? []).flatMap(({ account: own }) => own ?? [])].some(
      (each) => kind.items(each).length > 0,
    ),
  );

/** A kind that is stored in a section of account.yaml. */
export type SectionKind = Exclude<ResourceKind, "BrandingEmail" | SubaccountKind>;
export type StoredInSection = KindDefinition & { kind: SectionKind; storage: { section: string } };

export const sectionKinds: readonly StoredInSection[] = accountKinds.filter(
  (kind): kind is StoredInSection => typeof kind.storage === "object" && "section" in kind.storage,
);

/** The kind of a resource type; undefined for types of other packages. */
export function kindOfType(type: string): KindDefinition | undefined {
  const name = kindNameOf(type);
  return name !== undefined && Object.hasOwn(kinds, name) ? kinds[name as ResourceKind] : undefined;
}
