/** Which differences edits of a folder can bring about, and which are for people to decide. */

import type { Comparison, ConfigSource, ResourceChange } from "../diff/comparison";
import { resourceName } from "../diff/format";
import { unsupportedType } from "../folder/write";
import type { CompanyModel, WebhookModel } from "../model";
import { isSameName, normalizeName, normalizeText, normalizeUrl } from "../text/normalize";

/** What edits can bring about, and what they cannot, in words. */
export function selectApplicable(
  comparison: Comparison,
  from: ConfigSource,
  to: ConfigSource,
  whole: ConfigSource = from,
): { comparison: Comparison; notes: string[] } {
  const notes: string[] = [];
  const gone = new Set(
    comparison.changes.filter(({ kind, action }) => kind === "Company" && action === "remove").map(({ name }) => name),
  );
  const isTwin = twins(from, comparison.changes);
  const shared = new Set([...sharedNames(to), ...sharedNames(whole)]);
  const renamed = renamings(from, to, whole);
  const changes = comparison.changes.flatMap((change): ResourceChange[] => {
    const company = change.kind === "Company" ? change.name : change.company;
    if (company !== undefined && shared.has(normalizeName(company))) {
      const refused = `several subaccounts are named ${company}: edit their files yourself`;
      if (!notes.includes(refused)) notes.push(refused);
      return [];
    }
    if (from.model.companies?.some(({ name, isStub }) => isStub && name === company)) {
      const refused = `subaccount ${company} is managed by another program: edit its directory yourself`;
      if (!notes.includes(refused)) notes.push(refused);
      return [];
    }
    const ofIt = renamed.filter(({ before, after }) => company === before.name || company === after.name);
    for (const { before, after } of ofIt) {
      const refused = `subaccount ${after.name} has the email address of ${before.name}: if it was renamed, write its new name into companies/${before.slug}/company.yaml, else move that directory away; then promote again. Neither was edited`;
      if (!notes.includes(refused)) notes.push(refused);
    }
    if (ofIt.length > 0) return [];
    // Its files stay as a whole, and one sentence says so.
    if (change.company !== undefined && gone.has(change.company)) return [];
    if (change.kind === "BrandingEmail") {
      const refused = unsupportedType(change.name ?? "");
      if (refused !== undefined) notes.push(refused);
      if (refused !== undefined) return [];
    }
    if (change.kind === "Webhook" && change.action === "add" && isTwin(change)) {
      notes.push(`${resourceName(change)} is there twice in ${from.label}: a program may declare it once`);
      return [];
    }
    if (change.action !== "change" || !from.isAuthoritative) return [change];
    // An account cannot be told to have no text or no logo: what another account lacks stays as it is. Blanks are no text, either.
    const fields = change.fields.filter(({ field, before, after = "" }) => {
      const isThere = normalizeText(after) !== "";
      if (!isThere && before !== undefined)
        notes.push(`${from.label} has no ${field} for ${resourceName(change)}: the target's stays`);
      return isThere;
    });
    return fields.length > 0 ? [{ ...change, fields }] : [];
  });
  return { comparison: { ...comparison, changes }, notes };
}

/** Names that more than one sub account has: a change says by name whose it is. */
const sharedNames = ({ model }: ConfigSource): string[] =>
  (model.companies ?? []).map(({ name }) => normalizeName(name)).filter((name, i, all) => all.indexOf(name) !== i);

/**
 * Sub accounts that seem to have got another name: written anew beside its old files, one sub account would be in the program
 * twice; and where two have swapped their names, each would get what is the other's. An address that several have, such as the
 * partner's own, tells nothing.
 */
function renamings(from: ConfigSource, to: ConfigSource, whole: ConfigSource) {
  const emailOf = ({ email, userEmail }: CompanyModel) => (email ?? userEmail)?.toLowerCase();
  const companiesOf = ({ model }: ConfigSource) => model.companies ?? [];
  const called = (side: ConfigSource, { name }: CompanyModel) =>
    companiesOf(side).find((each) => isSameName(each.name, name));
  return companiesOf(from).flatMap((after) => {
    const email = emailOf(after);
    const withIt = [whole, to].map((side) => companiesOf(side).filter((each) => emailOf(each) === email));
    if (email === undefined || withIt.some(({ length }) => length > 1)) return [];
    const before = withIt[1]![0];
    if (before === undefined || isSameName(before.name, after.name)) return [];
    const [older, newer] = [called(to, after), called(whole, before)];
    const isSwapped = older !== undefined && newer !== undefined && emailOf(older) === emailOf(newer);
    return isSwapped || (older === undefined && newer === undefined) ? [{ before, after }] : [];
  });
}

/** Tells the second of two equal webhooks: one of them is in the folder already, or comes just before. */
function twins({ model }: ConfigSource, changes: readonly ResourceChange[]): (change: ResourceChange) => boolean {
  const keyOf = (company: string | undefined, { type, url }: WebhookModel) =>
    [company ?? "", type, normalizeUrl(url)].join("\n");
  const count = (keys: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const keyOfNew = ({ company, fields }: ResourceChange) => {
    const value = (field: string) => fields.find((each) => each.field === field)?.after ?? "";
    return keyOf(company, { type: value("type"), url: value("url") });
  };
  const all = count([
    ...model.webhooks.map((webhook) => keyOf(undefined, webhook)),
    ...(model.companies ?? []).flatMap(({ name, account }) => account?.webhooks.map((each) => keyOf(name, each)) ?? []),
  ]);
  const news = count(changes.filter(({ kind, action }) => kind === "Webhook" && action === "add").map(keyOfNew));
  const come = new Set<string>();
  return (change) => {
    const key = keyOfNew(change);
    return (news.get(key) ?? 0) < (all.get(key) ?? 0) || come.has(key) || !come.add(key);
  };
}
