/**
 * Compares two configurations: what would have to change in the first to make it like the second. Values that mean the same
 * are no difference (a colour's letter case), nor are values that differ because two environments do.
 */

import { companyName } from "../../definitions/company";
import { fieldNames, isSameValue } from "../../definitions/field";
import { kinds } from "../../definitions/index";
import type { KindDefinition } from "../../definitions/kind";
import { type AccountModel, type Fields, type Item, isStub, isSubaccount } from "../../definitions/model";
import { type CompanyFilter, isIncluded } from "../company-filter";
import { comparePictures } from "./compare-logos";
import {
  type Comparison,
  type ConfigSource,
  type FieldChange,
  isOtherEnvironment,
  type ResourceChange,
} from "./comparison";
import { byName, matchItems } from "./match-items";
import { formatOf } from "./match-placeholders";
import { isSameText } from "./same-text";

/**
 * Compares `before` with `after`. Pure; the order of the result does not depend on the order of the input.
 * @param companies - the subaccounts to compare: those that it includes in either source
 */
export function compare(before: ConfigSource, after: ConfigSource, companies: CompanyFilter = "all"): Comparison {
  const comparer = new Comparer(before, after, companies);
  comparer.compareAccounts(before.model, after.model, {});
  return comparer.result;
}

/** The subaccount that is being compared. */
interface Container {
  company?: string;
  companyId?: string;
}

class Comparer {
  readonly result: Comparison = { changes: [], environment: [], unmanaged: [], uncompared: [] };
  readonly #isOtherEnvironment: boolean;
  readonly #accounts: number;

  readonly #before: ConfigSource;
  readonly #after: ConfigSource;
  readonly #companies: CompanyFilter;

  constructor(before: ConfigSource, after: ConfigSource, companies: CompanyFilter) {
    this.#before = before;
    this.#after = after;
    this.#companies = companies;
    this.#isOtherEnvironment = isOtherEnvironment(before, after);
    this.#accounts = [before, after].filter(({ isAuthoritative }) => isAuthoritative).length;
  }

  compareAccounts(before: AccountModel, after: AccountModel, within: Container): void {
    for (const kind of Object.values(kinds)) this.#compareKind(kind, before, after, within);
  }

  #compareKind(kind: KindDefinition, before: AccountModel, after: AccountModel, within: Container): void {
    const { pairs, removed, added } = matchItems(
      kind,
      kind.items(before),
      kind.items(after),
      this.#sources(kind, within),
    );
    if (!kind.isCreatable) {
      // They always exist: one that a source does not mention has no fields there.
      pairs.push(...removed.splice(0).map((a): [Item, Item] => [a, { ...a, fields: {} }]));
      pairs.push(...added.splice(0).map((b): [Item, Item] => [{ ...b, fields: {} }, b]));
    }
    for (const [a, b] of pairs.sort(([a], [b]) => byName(kind)(a, b))) {
      if (this.#isExcluded(kind, a) && this.#isExcluded(kind, b)) continue;
      this.#compareFields(kind, a, b, within);
      if (a.account && b.account) this.compareAccounts(a.account, b.account, inside(isStub(b) ? a : b, b.id ?? a.id));
    }
    for (const item of removed) this.#reportSingle(kind, item, "remove", within);
    for (const item of added) this.#reportSingle(kind, item, "add", within);
  }

  #isExcluded(kind: KindDefinition, item: Item): boolean {
    return isSubaccount(kind.kind) && !isIncluded(this.#companies, item);
  }

  #sources(kind: KindDefinition, within: Container) {
    const before = this.#before;
    const after = this.#after;
    const hasPlaceholders =
      before.matchesTemplate !== undefined ||
      after.matchesTemplate !== undefined ||
      (before.environmentValues !== undefined && after.environmentValues !== undefined);
    const isSameUnfilled = (a: Item, b: Item, field: string) => this.#isSameUnfilled(kind, a, b, field, within);
    return {
      isOtherEnvironment: this.#isOtherEnvironment,
      accounts: this.#accounts,
      ...(hasPlaceholders && { isSameUnfilled }),
    };
  }

  #compareFields(kind: KindDefinition, a: Item, b: Item, within: Container): void {
    const change: ResourceChange = {
      ...referTo(kind, isStub(a) ? b : a, b.id ?? a.id, within),
      action: "change",
      fields: [],
    };
    for (const field of comparedFields(kind, a.fields, b.fields)) {
      const [old, next] = [a.fields[field], b.fields[field]];
      if (this.#isRemoved(old, next) || this.#isRemoved(next, old, true)) continue;
      if (old === next) continue;
      const fields = [fieldChange(field, old, next)];
      if (old && next && this.#isCopy(kind, field)) {
        const verdict = comparePictures(this.#before.pictureAt?.(old), this.#after.pictureAt?.(next));
        if (verdict === "other") change.fields.push(...fields);
        else if (verdict !== "same") this.result.uncompared.push({ ...change, fields, reason: verdict.unknown });
        continue;
      }
      if (old !== undefined && next !== undefined && isSameValue(kind, field, old, next)) continue;
      const reason = this.#environmentReason(kind, a, b, field, within, [old, next]);
      if (reason !== undefined) this.result.environment.push({ ...change, fields, reason });
      else if (this.#isUnmanaged(old, next))
        this.result.unmanaged.push({ ...change, fields, reason: this.#unmanagedReason() });
      else change.fields.push(...fields);
    }
    if (change.fields.length > 0) this.result.changes.push(change);
  }

  /** The address of an account's copy says nothing but that there is one: pictures are compared. */
  #isCopy(kind: KindDefinition, field: string): boolean {
    return kind.fields[field]?.copiedTo !== undefined && this.#accounts > 0;
  }

  /** True if code removes a value and the account has none. */
  #isRemoved(declared: string | undefined, live: string | undefined, isReverse = false): boolean {
    const account = isReverse ? this.#before : this.#after;
    return declared === "" && live === undefined && account.isAuthoritative;
  }

  /** Reports an item that only one source has, with everything inside it: that is what people look for. */
  #reportSingle(kind: KindDefinition, item: Item, action: "add" | "remove", within: Container): void {
    if (this.#isExcluded(kind, item)) return;
    const isAdded = action === "add";
    const fields = comparedFields(kind, item.fields).flatMap((field) => {
      const value = item.fields[field];
      if (value === undefined) return [];
      return isAdded ? [fieldChange(field, undefined, value)] : [fieldChange(field, value, undefined)];
    });
    const change: ResourceChange = { ...referTo(kind, item, item.id, within), action, fields };
    if (isAdded ? this.#isUnmanaged(undefined, item) : this.#isUnmanaged(item, undefined)) {
      this.result.unmanaged.push({ ...change, reason: this.#unmanagedReason() });
      return;
    }
    this.result.changes.push(change);
    if (!isSubaccount(kind.kind)) return;
    const { account = {} } = item;
    const [before, after] = isAdded ? [{}, account] : [account, {}];
    this.compareAccounts(before, after, inside(item, item.id));
  }

  #isUnmanaged(a: unknown, b: unknown): boolean {
    const before = this.#before;
    const after = this.#after;
    return (
      (a === undefined && !before.isAuthoritative && after.isAuthoritative) ||
      (b === undefined && !after.isAuthoritative && before.isAuthoritative)
    );
  }

  #unmanagedReason(): string {
    return `not managed by ${this.#before.isAuthoritative ? this.#after.label : this.#before.label}`;
  }

  #environmentReason(
    kind: KindDefinition,
    a: Item,
    b: Item,
    field: string,
    within: Container,
    [old, next]: [string | undefined, string | undefined],
  ): string | undefined {
    if (old === undefined || next === undefined) return undefined;
    if (this.#isSameUnfilled(kind, a, b, field, within)) return "the same text with other values";
    return kind.fields[field]?.environmentReason?.(old, next, this.#sources(kind, within));
  }

  /** Whether the placeholder text of one source gives the other's text with the values of another environment. */
  #isSameUnfilled(kind: KindDefinition, a: Item, b: Item, field: string, within: Container): boolean {
    const before = this.#before;
    const after = this.#after;
    if (!before.isUnresolved && !after.isUnresolved && !this.#isOtherEnvironment) return false;
    const placeOf = (item: Item) => {
      const company = isSubaccount(kind.kind) ? companyName(item) : within.company;
      return {
        kind: kind.kind,
        ...(item.name !== undefined && { name: item.name }),
        ...(company !== undefined && { company }),
        field,
      };
    };
    const [first, second] = [a.fields[field] ?? "", b.fields[field] ?? ""];
    if (before.environmentValues && after.environmentValues) {
      const texts = [
        { text: first, values: before.environmentValues },
        { text: second, values: after.environmentValues },
      ] as const;
      if (isSameText(...texts, formatOf({ kind: kind.kind, field }))) return true;
    }
    return (
      before.matchesTemplate?.(placeOf(a), second, after) === true ||
      after.matchesTemplate?.(placeOf(b), first, before) === true
    );
  }
}

const comparedFields = (kind: KindDefinition, ...items: readonly Fields[]): string[] =>
  fieldNames(kind, ...items).filter((field) => {
    const { returned } = kind.fields[field] ?? {};
    return returned !== "never" && (returned === undefined || items.every((item) => item[field] !== undefined));
  });

const fieldChange = (field: string, before: string | undefined, after: string | undefined): FieldChange => ({
  field,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

function referTo(kind: KindDefinition, item: Item, id: string | undefined, within: Container) {
  const name = kind.nameOf(item);
  return { kind: kind.kind, ...(name !== undefined && { name }), ...within, ...(id !== undefined && { id }) };
}

const inside = (company: Item, id: string | undefined): Container => ({
  company: companyName(company),
  ...(id !== undefined && { companyId: id }),
});
