/** Selects the differences that edits of a folder can make, and explains those that are left to people. */

import { companyEmail, companyName } from "../../definitions/company";
import { groupBy } from "../../definitions/group-by";
import { accountKinds, kinds } from "../../definitions/index";
import { type AccountModel, type Item, isStub, isSubaccount } from "../../definitions/model";
import { isSameName, normalizeName, normalizeText } from "../../definitions/text/normalize";
import type { Comparison, ConfigSource, ResourceChange } from "../diff/comparison";
import { fieldName, resourceName } from "../diff/format-diff";

/** Why a difference cannot be applied: notes for the user, or none where another note says it already. */
type Rejection = { notes: string[] };

/** Rejects a difference, or returns undefined to leave it to the next rule. */
type Rule = (change: ResourceChange) => Rejection | undefined;

/**
 * The differences that edits can make, with notes on the others.
 * @param whole - all of the source, where `from` is a part of it: two subaccounts of one name may not both be in the part
 */
export function selectApplicable(
  comparison: Comparison,
  from: ConfigSource,
  to: ConfigSource,
  whole: ConfigSource = from,
): { comparison: Comparison; notes: string[] } {
  const rules: Rule[] = [
    rejectSharedNames([to, whole]),
    rejectStubs(from),
    rejectRenamed(from, to, whole),
    rejectInsideRemoved(comparison.changes),
    rejectDuplicates(from, comparison.changes),
  ];
  const notes: string[] = [];
  const changes = comparison.changes.flatMap((change): ResourceChange[] => {
    for (const rule of rules) {
      const rejection = rule(change);
      if (rejection === undefined) continue;
      notes.push(...rejection.notes);
      return [];
    }
    const kept = keepMissing(change, from);
    notes.push(...kept.notes);
    return kept.changes;
  });
  return { comparison: { ...comparison, changes }, notes: [...new Set(notes)] };
}

/** The subaccount that a difference is in, or that it is. */
const companyOf = ({ kind, name, company }: ResourceChange) => (isSubaccount(kind) ? name : company);

/** A difference names its subaccount, so that of several with one name it is not known which files belong to which. */
function rejectSharedNames(sources: readonly ConfigSource[]): Rule {
  const shared = new Set(
    sources.flatMap(({ model }) => {
      const byName = groupBy(model.Company ?? [], (each) => normalizeName(companyName(each)));
      return [...byName].filter(([, all]) => all.length > 1).map(([name]) => name);
    }),
  );
  return (change) => {
    const company = companyOf(change);
    if (company === undefined || !shared.has(normalizeName(company))) return undefined;
    return { notes: [`several subaccounts are named ${company}: edit their files yourself`] };
  };
}

/** The directory of a subaccount that only its id identifies is not known. */
function rejectStubs({ model }: ConfigSource): Rule {
  return (change) => {
    const company = companyOf(change);
    if (!model.Company?.some((each) => isStub(each) && companyName(each) === company)) return undefined;
    return { notes: [`subaccount ${company} is managed by another program: edit its directory yourself`] };
  };
}

/**
 * A subaccount that was probably renamed: with files of its own beside the old ones, the program would declare it twice; and
 * where two have swapped their names, each would get the other's configuration.
 */
function rejectRenamed(from: ConfigSource, to: ConfigSource, whole: ConfigSource): Rule {
  const renamed = findRenamed(from, to, whole);
  return (change) => {
    const company = companyOf(change);
    const own = renamed.filter(
      ({ before, after }) => company === companyName(before) || company === companyName(after),
    );
    if (own.length === 0) return undefined;
    const notes = own.map(
      ({ before, after }) =>
        `subaccount ${companyName(after)} has the email address of ${companyName(before)}: if it was renamed, write its new name into companies/${before.name}/company.yaml, else move that directory away; then promote again. Neither was edited`,
    );
    return { notes };
  };
}

function findRenamed(from: ConfigSource, to: ConfigSource, whole: ConfigSource) {
  const companiesOf = ({ model }: ConfigSource) => model.Company ?? [];
  const isNamesake = (a: Item, b: Item) => isSameName(companyName(a), companyName(b));
  const named = (source: ConfigSource, company: Item) => companiesOf(source).find((each) => isNamesake(each, company));
  return companiesOf(from).flatMap((after) => {
    const email = companyEmail(after);
    const [inWhole, inTarget] = [whole, to].map((source) =>
      companiesOf(source).filter((company) => companyEmail(company) === email),
    ) as [Item[], Item[]];
    // An address of several subaccounts, such as the partner's own, identifies none of them.
    if (email === undefined || inWhole.length > 1 || inTarget.length > 1) return [];
    const [before] = inTarget;
    if (before === undefined || isNamesake(before, after)) return [];
    const [older, newer] = [named(to, after), named(whole, before)];
    const isSwapped = older !== undefined && newer !== undefined && companyEmail(older) === companyEmail(newer);
    return isSwapped || (older === undefined && newer === undefined) ? [{ before, after }] : [];
  });
}

/** The files of a removed subaccount stay as a whole; a note on the subaccount explains it. */
function rejectInsideRemoved(changes: readonly ResourceChange[]): Rule {
  const removed = new Set(
    changes.filter(({ kind, action }) => isSubaccount(kind) && action === "remove").map(({ name }) => name),
  );
  return ({ company }) => (company !== undefined && removed.has(company) ? { notes: [] } : undefined);
}

/** A program may declare an object once: the second of two identical ones is in the folder already, or was just added. */
function rejectDuplicates({ model, label }: ConfigSource, changes: readonly ResourceChange[]): Rule {
  const keyOf = (kind: string, company: string | undefined, identity: string) => [kind, company, identity].join("\n");
  const identify = ({ kind, company, fields }: ResourceChange) => {
    const item: Item = { fields: Object.fromEntries(fields.map(({ field, after }) => [field, after])) };
    return keyOf(kind, company, kinds[kind].identity(item));
  };
  const isNew = ({ kind, action }: ResourceChange) =>
    action === "add" && kinds[kind].isCreatable && !isSubaccount(kind);
  const keysIn = (account: AccountModel | undefined, company?: string) =>
    accountKinds.flatMap((kind) =>
      account ? kind.items(account).map((item) => keyOf(kind.kind, company, kind.identity(item))) : [],
    );
  const inSource = count([
    ...keysIn(model),
    ...(model.Company ?? []).flatMap((company) => keysIn(company.account, companyName(company))),
  ]);
  const added = count(changes.filter(isNew).map(identify));
  const seen = new Set<string>();
  return (change) => {
    if (!isNew(change)) return undefined;
    const key = identify(change);
    const isDuplicate = (added.get(key) ?? 0) < (inSource.get(key) ?? 0) || seen.has(key);
    seen.add(key);
    return isDuplicate
      ? { notes: [`${resourceName(change)} exists twice in ${label}: a program may declare it once`] }
      : undefined;
  };
}

const count = (keys: readonly string[]): Map<string, number> =>
  new Map([...groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));

/**
 * Keeps the target's value of a field that an account does not have: an account cannot be deployed without a text or a logo.
 * Blanks count as no text.
 */
function keepMissing(change: ResourceChange, from: ConfigSource): { changes: ResourceChange[]; notes: string[] } {
  if (change.action !== "change" || !from.isAuthoritative) return { changes: [change], notes: [] };
  const isMissing = (after = "") => normalizeText(after) === "";
  const missing = change.fields.filter(({ after, before }) => isMissing(after) && before !== undefined);
  const fields = change.fields.filter(({ after }) => !isMissing(after));
  return {
    changes: fields.length > 0 ? [{ ...change, fields }] : [],
    notes: missing.map(
      (each) => `${from.label} has no ${fieldName(change.kind, each)} for ${resourceName(change)}: the target's stays`,
    ),
  };
}
