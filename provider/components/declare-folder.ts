/** The resources of one account, from a folder. */
import type { AccountFolder, FolderItem } from "../../account-folder/folder/account-folder";
import type { PlaceholderText } from "../../account-folder/placeholders/placeholder-text";
import { isOnePerAccount, type KindDefinition } from "../../definitions/kind";
import type { FolderArgs } from "./component-arguments";
import type { Declarer, Later } from "./declarer";
import { type FolderValues, fill, fillEmail, fillPlaceholders } from "./fill-values";

/** Loaded only by programs that need it. */
const kindsOf = (): typeof import("../../definitions/index") => require("../../definitions/index");

type Texts = Record<string, Later>;

/** The arguments of a resource from what its item in the folder has. */
function inputsOf(
  kind: KindDefinition,
  { name, texts }: FolderItem,
  textOf: (unfilled: PlaceholderText) => Later,
  { combine }: Pick<Declarer<unknown>, "combine">,
): Texts {
  const inputs: Texts = kind.toInputs({ ...(name !== undefined && { name }), fields: {} });
  for (const [field, unfilled] of Object.entries(texts)) {
    const text = textOf(unfilled);
    if (kind.fields[field]?.isRemovable) {
      inputs[field] = isRemoval(unfilled) ? null : text;
      continue;
    }
    const [argument, inner] = field.split(".") as [string, string?];
    const convert = (value: string) => {
      const input = kind.toInputs({ fields: { [field]: value } })[argument];
      return inner === undefined ? input : (input as Texts)[inner];
    };
    const input =
      typeof text === "string" ? convert(text) : combine({ text }, (values) => convert(values.text as string));
    inputs[argument] = inner === undefined ? input : { ...(inputs[argument] as Texts | undefined), [inner]: input };
  }
  return inputs;
}

/** What is `null` in the settings file. A placeholder without a text is a mistake. */
const isRemoval = ({ parts }: PlaceholderText) => parts.every((part) => part.kind === "literal" && part.text === "");

/** What a folder has, as its program refers to it: by sections of account.yaml, and `emails`. */
type DeclaredFolder<Resource> = Record<string, Resource | undefined | Record<string, Resource>>;

/** Declares what a folder has. `account`: the subaccount that it belongs to. */
export function declareFolder<Resource>(
  declarer: Declarer<Resource>,
  name: string,
  folder: AccountFolder,
  values: FolderValues,
  { onDelete }: FolderArgs,
  account: Later,
): DeclaredFolder<Resource> {
  const textOf = (unfilled: PlaceholderText) =>
    fill([unfilled], values, (all) => fillPlaceholders(unfilled, all), declarer);
  const declare = (kind: KindDefinition, key: string, args: Texts) =>
    declarer.resource(kind.kind, `${name}-${key}`, {
      ...(account !== undefined && { account }),
      ...(onDelete !== undefined && "onDelete" in kind.arguments && { onDelete }),
      ...args,
    });
  const emails = (kind: KindDefinition) =>
    folder.emails
      .map((files) => [files.type, fillEmail(files, values, declarer)] as const)
      .filter(([, parts]) => Object.keys(parts).length > 0)
      .map(([type, parts]) => [type, declare(kind, type, { type, ...parts })] as const);
  const { accountKinds } = kindsOf();
  return Object.fromEntries(
    accountKinds.map((kind) => {
      if (kind.kind === "BrandingEmail") return ["emails", Object.fromEntries(emails(kind))];
      const { section } = kind.storage as { section: string };
      const isOne = isOnePerAccount(kind);
      const declared = folder.items[kind.kind].map((item) => {
        const key = isOne ? section : item.name!;
        return [key, declare(kind, key, inputsOf(kind, item, textOf, declarer))] as const;
      });
      return [section, isOne ? declared[0]?.[1] : Object.fromEntries(declared)];
    }),
  );
}
