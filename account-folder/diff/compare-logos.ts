/**
 * Compares logos of two sources by their pictures, since the address of a copy says nothing. An account has a copy, of which a stack has
 * recorded the hash; a folder has the declared picture, which the service may have encoded in another way.
 */

import type { AccountModel } from "../../definitions/model";
import { soleFields } from "../../definitions/model";
import { hostOf, parseUrl } from "../../sdk/text/url";
import { type PictureHash, PictureReader } from "../pictures/picture-reader";
import { isWithinReach } from "../pictures/within-reach";
import type { ConfigSource, Picture } from "./comparison";

type FindPicture = NonNullable<ConfigSource["pictureAt"]>;

type Verdict = "same" | "other" | { unknown: string };

/** Whether two pictures are the same. Two copies of one picture have the same bytes; a copy and what it was made of may not. */
export function comparePictures(a: Picture | undefined, b: Picture | undefined): Verdict {
  for (const each of [a, b]) {
    if (each === undefined) return { unknown: "no picture of it is known" };
    if ("failure" in each) return { unknown: each.failure };
  }
  const [first, second] = [a, b] as Extract<Picture, { hash: string }>[];
  if (first!.hash === second!.hash) return "same";
  if (first!.isCopy && second!.isCopy) return "other";
  return { unknown: "the service may have encoded its copy of the declared picture in another way" };
}

/** A source to compare, and the service behind it if it is an account. */
export interface PictureSource {
  side: ConfigSource;
  /** URL of the service. */
  baseUrl?: string | undefined;
  /** Hashes of copies that a stack has recorded, by the address that it declares. */
  recorded?: ReadonlyMap<string, string> | undefined;
}

/** Two sources with their pictures; only where one of them is an account, addresses do not tell. */
export async function withPictures(
  a: PictureSource,
  b: PictureSource,
  reader = new PictureReader(),
): Promise<[ConfigSource, ConfigSource]> {
  const baseUrl = a.baseUrl ?? b.baseUrl;
  if (baseUrl === undefined) return [a.side, b.side];
  const [one, other] = [logosIn(a.side.model), logosIn(b.side.model)];
  // What only one side has is a difference without a look at it.
  if (one.length === 0 || other.length === 0) return [a.side, b.side];
  const hosts = new Set([a, b].flatMap((each, i) => (each.baseUrl ? (i === 0 ? one : other).map(hostOf) : [])));
  const find = (source: PictureSource, logos: string[]) => pictures(source, logos, { baseUrl, hosts, reader });
  const [found, others] = await Promise.all([find(a, one), find(b, other)]);
  return [
    { ...a.side, pictureAt: found },
    { ...b.side, pictureAt: others },
  ];
}

interface Reading {
  /** URL of the service: of the source itself, or of the account that it is compared with. */
  baseUrl: string;
  /** Hosts of copies. */
  hosts: ReadonlySet<string | undefined>;
  reader: PictureReader;
}

async function pictures(source: PictureSource, logos: string[], { hosts, ...reading }: Reading): Promise<FindPicture> {
  const { recorded, baseUrl } = source;
  const read = async (address: string): Promise<[string, Picture]> => {
    if (recorded !== undefined) {
      const hash = recorded.get(address);
      return [
        address,
        hash === undefined ? { failure: "the stack has recorded no picture of it" } : { hash, isCopy: true },
      ];
    }
    const hash = await hashAt(address, baseUrl !== undefined, {
      baseUrl: baseUrl ?? reading.baseUrl,
      reader: reading.reader,
    });
    // Exported folders have the address of a copy.
    return [address, "hash" in hash ? { ...hash, isCopy: baseUrl !== undefined || hosts.has(hostOf(address)) } : hash];
  };
  const found = new Map(await Promise.all([...new Set(logos)].map(read)));
  return (address) => found.get(address);
}

function hashAt(address: string, isCopy: boolean, { baseUrl, reader }: Omit<Reading, "hosts">): Promise<PictureHash> {
  if (parseUrl(address) !== undefined && !isWithinReach(address, baseUrl))
    return Promise.resolve({ failure: "beside an emulator no other machine is asked for a picture" });
  return isCopy ? reader.hashOfCopy(address, baseUrl) : reader.hash(address);
}

/** The addresses of all logos: the account's and its subaccounts'. */
function logosIn(model: AccountModel): string[] {
  const { logoUrl } = soleFields(model, "Branding");
  const within = (model.Company ?? []).flatMap(({ account }) => (account === undefined ? [] : logosIn(account)));
  return [...(logoUrl ? [logoUrl] : []), ...within];
}
