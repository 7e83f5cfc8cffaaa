/**
 * The values of a folder's placeholders in the texts of another source: values that are set for it, values that a
 * subaccount sets itself, and values that are inferred by matching placeholder texts against texts of another environment.
 */

import { companyName } from "../../definitions/company";
import { fieldNames } from "../../definitions/field";
import { groupBy } from "../../definitions/group-by";
import { accountKinds } from "../../definitions/index";
import type { KindDefinition } from "../../definitions/kind";
import type { AccountModel, Item } from "../../definitions/model";
import { isSameName } from "../../definitions/text/normalize";
import { escapeHtml } from "../../sdk/text/html-escape";
import type { AccountFolder } from "../folder/account-folder";
import { type LoadedAccount, placeholdersOf, type Values } from "../folder/fill-folder";
import type { LoadedFolder } from "../folder/load-folder";
import { markUnresolved, type PlaceholderText } from "../placeholders/placeholder-text";
import { type ConfigSource, type FieldPlace, isOtherEnvironment } from "./comparison";
import { formatOf, matchPlaceholders } from "./match-placeholders";

interface PlaceholderOptions {
  /** The folder's values; without them, its placeholders are unresolved. */
  values?: Values;
  /** The environment that the values belong to. */
  environment?: string;
  /** The values of the environment that it is compared with. */
  otherValues?: Values;
  writtenText: (place: FieldPlace) => PlaceholderText | undefined;
}

/** A value that a text seems to have for a placeholder. */
interface Example {
  name: string;
  value: string;
}

export class PlaceholderValues {
  readonly #inferred = new Map<AccountModel, Map<string | undefined, Values>>();

  readonly #loaded: LoadedFolder;
  readonly #options: PlaceholderOptions;

  constructor(loaded: LoadedFolder, options: PlaceholderOptions) {
    this.#loaded = loaded;
    this.#options = options;
  }

  /** The values in the folder's own texts: those of the account, or of a subaccount. */
  own(company?: string): Values {
    return { ...(this.#options.values ?? unresolvedValues(this.#loaded.folder)), ...this.#setBy(company) };
  }

  /** The values that the texts of another source certainly have. */
  certain(other: ConfigSource, company?: string): Values {
    // A folder knows all of its values.
    if (other.ownValues) return { ...this.own(company), ...other.ownValues(company) };
    return this.#withoutSetBy(company, this.#options.otherValues ?? {});
  }

  /** The same, with those that can be inferred; with a text, only those that it contains. */
  infer(other: ConfigSource, company?: string, text?: string): Values {
    const certain = this.certain(other, company);
    if (other.ownValues) return certain;
    if (this.#options.values !== undefined && !isOtherEnvironment(this.#options, other))
      return { ...this.own(company), ...certain };
    // An inferred value may be wrong: that a text does not contain it proves nothing.
    const isContained = (value: string) =>
      text === undefined || text.includes(value) || text.includes(escapeHtml(value));
    const inferred = Object.entries(this.#inferredFrom(other.model, company)).filter(([, value]) => isContained(value));
    return { ...Object.fromEntries(inferred), ...certain };
  }

  /** The values that a subaccount sets in its company.yaml. */
  #setBy(company: string | undefined): Values {
    return accountIn(this.#loaded.account, company)?.folder.company?.file.content?.values ?? {};
  }

  #withoutSetBy(company: string | undefined, values: Values): Values {
    const own = this.#setBy(company);
    return Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(own, name)));
  }

  #inferredFrom(model: AccountModel, company?: string): Values {
    const byCompany = this.#inferred.get(model) ?? new Map<string | undefined, Values>();
    this.#inferred.set(model, byCompany);
    const values = byCompany.get(company) ?? this.#inferFrom(model, company);
    byCompany.set(company, values);
    return values;
  }

  #inferFrom(model: AccountModel, company: string | undefined): Values {
    const { Company = [] } = model;
    const { otherValues = {} } = this.#options;
    if (company === undefined) {
      const inside = Company.flatMap((each) => {
        const name = companyName(each);
        const setBy = this.#setBy(name);
        return this.#examples(name, each.account, otherValues).filter((example) => !Object.hasOwn(setBy, example.name));
      });
      return mostFrequent([...this.#examples(undefined, model, otherValues), ...inside]);
    }
    // A value that the subaccount sets itself is not the environment's.
    const outer = this.#inferredFrom(model);
    const account = Company.find((each) => isSameName(companyName(each), company))?.account;
    const own = this.#examples(company, account, { ...outer, ...otherValues }).filter(({ name }) =>
      Object.hasOwn(this.#setBy(company), name),
    );
    return { ...this.#withoutSetBy(company, outer), ...mostFrequent(own) };
  }

  /** The values with which the folder's placeholder texts give the texts of another account. */
  #examples(company: string | undefined, other: AccountModel | undefined, outer: Values): Example[] {
    const account = accountIn(this.#loaded.account, company);
    if (!account || !other) return [];
    const fixed = this.#withoutSetBy(company, outer);
    return accountKinds.flatMap((kind) => {
      const match = (own: Item, field: string, text: string) => {
        const place = {
          kind: kind.kind,
          field,
          ...(own.name !== undefined && { name: own.name }),
          ...(company !== undefined && { company }),
        };
        const unfilled = this.#options.writtenText(place);
        return unfilled && matchPlaceholders(unfilled, text, formatOf(place), fixed);
      };
      return kind
        .items(account.model)
        .flatMap((own) => matchesOf(kind, own, kind.items(other), match))
        .flatMap((values) => Object.entries(values).map(([name, value]) => ({ name, value })));
    });
  }
}

/** The values by which the placeholder texts of an item give the texts of another account's item. */
function matchesOf(
  kind: KindDefinition,
  own: Item,
  others: readonly Item[],
  match: (own: Item, field: string, text: string) => Values | undefined,
): Values[] {
  const isMatched = (field: string) => !kind.fields[field]?.copiedTo && kind.fields[field]?.returned !== "never";
  const fields = fieldNames(kind, own.fields).filter(isMatched);
  const matchFields = (other: Item) =>
    fields.map((field) => {
      const text = other.fields[field];
      return text === undefined ? undefined : match(own, field, text);
    });
  if (!kind.isCreatable) {
    const same = others.find((other) => kind.identity(other) === kind.identity(own));
    return same ? matchFields(same).filter((values) => values !== undefined) : [];
  }
  const fitting = others.map(matchFields).filter((all) => all.every((values) => values !== undefined));
  // Of several, it is not known which one was made from the placeholder text.
  return fitting.length === 1 ? fitting[0]! : [];
}

/** The values of an unresolved folder, as its texts show them. */
const unresolvedValues = (folder: AccountFolder): Values =>
  Object.assign(
    {},
    ...placeholdersOf(folder).map(({ name }) => ({ [name]: markUnresolved(name) })),
    ...folder.companies.map(unresolvedValues),
  );

/** The most frequent value of each name; none where two are equally frequent. */
function mostFrequent(examples: readonly Example[]): Values {
  const byName = groupBy(examples, ({ name }) => name);
  return Object.fromEntries(
    [...byName].flatMap(([name, all]) => {
      const [first, second] = [...groupBy(all, ({ value }) => value).values()].sort((a, b) => b.length - a.length);
      return first!.length > (second?.length ?? 0) ? [[name, first![0]!.value]] : [];
    }),
  );
}

/** The account of a folder, or one of its subaccounts by name. */
export const accountIn = (root: LoadedAccount, company: string | undefined): LoadedAccount | undefined =>
  company === undefined ? root : root.companies.find((each) => isSameName(companyName(each.company), company));
