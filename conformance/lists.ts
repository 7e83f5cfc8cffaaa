/** How a list is paged and filtered: where it counts from, in which order it is, how large its pages are, where it ends. */
import type { ListShape } from "../sdk/api/endpoint";
import { parseTimestamp } from "../sdk/api/scalars";
import { type Edition, traits } from "../sdk/edition";
import { maxLimit } from "../sdk/pagination/page-requests";
import { parseUrl } from "../sdk/text/url";
import { aspect, byEdition, type Fact, inBoth } from "./fact";
import { type Reply, refusalOf, type Sender, succeeded } from "./sender";

type Item = Readonly<Record<string, unknown>>;

interface ListReading {
  readonly facts: readonly Fact[];
  readonly pages: readonly Reply[];
  readonly items: readonly Item[];
  /** Why something could not be compared. */
  readonly gaps: readonly { what: string; why: string }[];
}

/** Far beyond the end of every list. */
const beyond = 1_000_000;

/** Reads a list whose first page, asked for without a query, is `first`. */
export async function readPages(
  sender: Sender,
  path: string,
  where: string,
  list: ListShape,
  first: Reply,
): Promise<ListReading> {
  const get = (query: string) => sender.get(`${path}?${query}`);
  const fact = (what: string, seen: string, documented: Partial<Record<Edition, readonly string[] | undefined>> = {}) =>
    aspect(where, what, [seen], documented);
  const all = await get(`limit=${maxLimit}`);
  const items = itemsOf(all, list);
  const facts = [
    fact("limit without a query", numberOf(first.body?.limit), inBoth("10")),
    fact("limit above the largest", numberOf((await get(`limit=${maxLimit + 1}`)).body?.limit), fallbackLimits()),
    fact("page beyond the end", describePage(await get(`offset=${beyond}&limit=1`), list)),
    ...orderOf(items, where),
    ...totalOf(all, where, list),
  ];
  const ids = items.map((item) => String(item[list.id]));
  if (ids.length < 2) {
    const gap = { what: `order and offsets of ${where}`, why: "the account has only one such object" };
    // Of an empty list, it is enough to say that its members were not seen.
    return { facts, pages: [all], items, gaps: ids.length === 0 ? [] : [gap] };
  }
  for (const filter of list.filters === undefined ? [] : filters) {
    const documented = filter.parameter in list.filters!.shape ? { current: ["applied"] } : {};
    const seen = await filterBy(filter, items, (query) => get(`${query}&limit=${maxLimit}`), list);
    if (seen !== undefined) facts.push(fact(`filter ${filter.parameter}`, seen, documented));
  }
  const hasOrder = facts.some(({ what }) => what === "order");
  const gaps = hasOrder ? [] : [{ what: `order of ${where}`, why: "no two objects have different times" }];
  const recordAt = async (offset: number) => {
    const page = await get(`offset=${offset}&limit=1`);
    const id = itemsOf(page, list)[0]?.[list.id];
    if (id === undefined) return describePage(page, list);
    return `record ${ids.indexOf(String(id)) + 1 || "of another page"}`;
  };
  // 1 first: a lenient service may count from 0 for a caller that has once asked for it.
  const second = await recordAt(1);
  const base = { "record 1": "1", "record 2": "0" }[second] ?? "other";
  const next = await get("limit=1");
  facts.push(
    fact(
      "first offset",
      base,
      byEdition((edition) => [`${traits[edition].firstOffset}`]),
    ),
    fact("page after the first", base === "1" ? await recordAt(2) : second, inBoth("record 2")),
    fact("offset 0", await recordAt(0), { current: ["record 1"] }),
    fact("next", nextOf(next, Number(base)), {
      specification: ["next page"],
      current: ["next page", "this page", "none"],
    }),
  );
  return { facts, pages: [all, next], items, gaps };
}

const fallbackLimits = () =>
  byEdition((edition) => {
    const { fallbackLimit } = traits[edition];
    return fallbackLimit === undefined ? undefined : [`${fallbackLimit}`];
  });

export const itemsOf = ({ body }: Reply, list: Pick<ListShape, "items">): Item[] => {
  const items = body?.[list.items];
  return Array.isArray(items) ? items.filter((item) => typeof item === "object" && item !== null) : [];
};

const numberOf = (value: unknown): string => (/^\d{1,6}$/.test(String(value)) ? String(value) : "no number");

function describePage(page: Reply, list: ListShape): string {
  if (!succeeded(page)) return refusalOf(page)[0]!;
  const count = itemsOf(page, list).length;
  return count === 0 ? "no records" : "records";
}

/** A filter of envelopes: its parameter, the member by which it chooses, and whether an object with a value belongs to what was asked for. */
interface Filter {
  readonly parameter: string;
  readonly member: string;
  fits(value: string, asked: string): boolean;
}

const isEqual = (value: string, asked: string) => value === asked;

/** The documentation has two names for the first one. */
const filters: readonly Filter[] = [
  { parameter: "status", member: "envelope_status", fits: isEqual },
  { parameter: "envelope_status", member: "envelope_status", fits: isEqual },
  {
    parameter: "q",
    member: "envelope_title",
    fits: (value, asked) => value.toLowerCase().includes(asked.toLowerCase()),
  },
];

/** Whether a list is filtered. Undefined if every object belongs to whatever could be asked for. */
async function filterBy(
  { parameter, member, fits }: Filter,
  items: readonly Item[],
  get: (query: string) => Promise<Reply>,
  list: ListShape,
): Promise<string | undefined> {
  const all = items.map((item) => String(item[member]));
  const asked = all.find((one) => all.some((other) => !fits(other, one)));
  if (asked === undefined) return undefined;
  const page = await get(new URLSearchParams({ [parameter]: asked }).toString());
  if (!succeeded(page)) return refusalOf(page)[0]!;
  return itemsOf(page, list).every((item) => fits(String(item[member]), asked)) ? "applied" : "ignored";
}

/** By the time at which its objects were made. */
function orderOf(items: readonly Item[], where: string): Fact[] {
  const name = Object.keys(items[0] ?? {}).find((member) => /_(created|added|uploaded)$/.test(member));
  const order = name === undefined ? undefined : orderBy(name, items);
  return order === undefined ? [] : [aspect(where, "order", [order])];
}

/** The order of objects by a member that is a time. Undefined if they do not differ in it. */
export function orderBy(member: string, items: readonly Item[]): string | undefined {
  const times = items.map((item) => parseTimestamp(String(item[member])).getTime());
  if (new Set(times).size < 2 || times.some(Number.isNaN)) return undefined;
  const isSorted = (sign: number) => times.every((time, i) => i === 0 || sign * (time - times[i - 1]!) >= 0);
  return isSorted(1) ? "oldest first" : isSorted(-1) ? "newest first" : "neither";
}

/** Recorded: a total that is ahead of its items. */
function totalOf(page: Reply, where: string, list: ListShape): Fact[] {
  const [total, count] = [Number(page.body?.[list.total]), itemsOf(page, list).length];
  if (!Number.isInteger(total) || count >= maxLimit || page.body?.next) return [];
  const seen = total === count ? "number of records" : total > count ? "more than records" : "fewer than records";
  return [aspect(where, "total", [seen], inBoth("number of records", "more than records"))];
}

/** Where `next` of a page of the first record leads. */
function nextOf({ body }: Reply, base: number): string {
  const { next } = body ?? {};
  if (next === undefined || next === null || next === "") return "none";
  const offset = parseUrl(String(next))?.searchParams.get("offset");
  if (offset === undefined) return "no URL";
  if (offset === null) return "no offset";
  return Number(offset) === base + 1 ? "next page" : Number(offset) === base ? "this page" : "another page";
}
