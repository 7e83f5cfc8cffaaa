/** The resources of one account, from a folder. */
import type { AccountFolder, FolderItem } from "../../account-folder/folder/account-folder";
import type { PlaceholderText } from "../../account-folder/placeholders/placeholder-text";
import type { ResourceKind } from "../../definitions/model";
import type { FolderArgs } from "./component-arguments";
import type { Declarer, Later } from "./declarer";
import { type FolderValues, fill, fillEmail, fillPlaceholders } from "./fill-values";

/** Loaded only by programs that need it. */
const kindsOf = (): typeof import("../../definitions/index") => require("../../definitions/index");

type Texts = Record<string, Later>;

/** The arguments of a resource from the texts of its fields. */
function inputsOf(kind: ResourceKind, texts: Texts, { combine }: Pick<Declarer<unknown>, "combine">): Texts {
  const { toInputs } = kindsOf().kinds[kind];
  const inputs: Record<string, Later> = {};
  for (const [field, text] of Object.entries(texts)) {
    const [name, inner] = field.split(".") as [string, string?];
    const convert = (value: string) => {
      const input = toInputs({ fields: { [field]: value } })[name];
      return inner === undefined ? input : (input as Texts)[inner];
    };
    const input =
      typeof text === "string" ? convert(text) : combine({ text }, (values) => convert(values.text as string));
    inputs[name] = inner === undefined ? input : { ...(inputs[name] as Texts | undefined), [inner]: input };
  }
  return inputs;
}

/** What is `null` in the settings file. A placeholder without a text is a mistake. */
function removals({ texts }: FolderItem): Record<string, null> {
  const isRemoval = ({ parts }: PlaceholderText) => parts.every((part) => part.kind === "literal" && part.text === "");
  const fields = Object.keys(texts).filter((field) => isRemoval(texts[field]!));
  return Object.fromEntries(fields.map((field) => [field, null]));
}

/** What a folder has, as its program refers to it. */
export interface DeclaredFolder<Resource> {
  branding: Resource | undefined;
  emails: Record<string, Resource>;
  webhooks: Record<string, Resource>;
  users: Record<string, Resource>;
  contacts: Record<string, Resource>;
  settings: Resource | undefined;
}

/** Declares what a folder has. `account`: the subaccount that it belongs to. */
export function declareFolder<Resource>(
  declarer: Declarer<Resource>,
  name: string,
  folder: AccountFolder,
  values: FolderValues,
  { onDelete }: FolderArgs,
  account: Later,
): DeclaredFolder<Resource> {
  const shared = { ...(account !== undefined && { account }) };
  const restorable = { ...shared, ...(onDelete !== undefined && { onDelete }) };
  const textOf = (unfilled: PlaceholderText) =>
    fill([unfilled], values, (all) => fillPlaceholders(unfilled, all), declarer);
  const texts = ({ texts }: FolderItem) =>
    Object.fromEntries(Object.entries(texts).map(([field, unfilled]) => [field, textOf(unfilled)]));
  const declare = (kind: ResourceKind, key: string, args: Texts) => declarer.resource(kind, `${name}-${key}`, args);
  const declared = {
    Branding: folder.items.Branding.map((item) =>
      declare("Branding", "branding", { ...restorable, ...texts(item), ...removals(item) }),
    ),
    BrandingEmail: folder.emails
      .map((files) => [files.type, fillEmail(files, values, declarer)] as const)
      .filter(([, parts]) => Object.keys(parts).length > 0)
      .map(([type, parts]) => [type, declare("BrandingEmail", type, { ...restorable, type, ...parts })] as const),
    Webhook: folder.items.Webhook.map(
      (item) => [item.name!, declare("Webhook", item.name!, { ...shared, ...texts(item) })] as const,
    ),
    User: folder.items.User.map((item) => {
      const args = { ...shared, ...inputsOf("User", texts(item), declarer) };
      return [item.name!, declare("User", item.name!, args)] as const;
    }),
    Contact: folder.items.Contact.map(
      (item) => [item.name!, declare("Contact", item.name!, { ...shared, ...texts(item) })] as const,
    ),
    Settings: folder.items.Settings.map((item) =>
      declare("Settings", "settings", { ...restorable, ...inputsOf("Settings", texts(item), declarer) }),
    ),
  } satisfies Record<Exclude<ResourceKind, "Company">, unknown>;
  return {
    branding: declared.Branding[0],
    emails: Object.fromEntries(declared.BrandingEmail),
    webhooks: Object.fromEntries(declared.Webhook),
    users: Object.fromEntries(declared.User),
    contacts: Object.fromEntries(declared.Contact),
    settings: declared.Settings[0],
  };
}
