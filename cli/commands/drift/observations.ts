/**
 * The drift that earlier runs have observed, in `.esign/drift` beside the program: which field drifted when, and a
 * hash of its live value under the key of this machine, never the value. Best effort: without the file the comparison is the same, without dates.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { writeDurably } from "../../../fs/atomic-write";
import { isOfLaterVersion } from "../../../fs/format-version";
import { assertNoLink, localFolderName, makeLocalFolder } from "../../../fs/local-folder";
import { keyedHash } from "../../../fs/machine-key";
import { isEmptied, readText } from "../../../fs/optional-files";
import type { DriftedResource } from "./compare-account";

const formatVersion = 1;

const time = z.iso.datetime();
const observation = z.object({
  urn: z.string(),
  /** Absent: the object itself is missing. */
  field: z.string().optional(),
  firstSeen: time,
  /** When the live value was first seen to be the one that it is. */
  lastChanged: time,
  hash: z.string(),
});
const observations = z.object({
  version: z.literal(formatVersion),
  salt: z.string(),
  lookedAt: time,
  drift: z.array(observation),
});

type Observation = z.infer<typeof observation>;
type Observations = z.infer<typeof observations>;

/** The observations to keep, and earlier ones that are resolved. */
interface ComparedObservations {
  observations: Observations;
  resolved: Observation[];
}

const keyOf = ({ urn, field }: Pick<Observation, "urn" | "field">) => JSON.stringify([urn, field]);

/** Compares drift with that of the last look. */
export function datedDrift(
  changes: readonly DriftedResource[],
  previous: Observations | undefined,
  now: Date,
): ComparedObservations {
  const salt = previous?.salt ?? randomBytes(16).toString("hex");
  const lookedAt = now.toISOString();
  const before = new Map((previous?.drift ?? []).map((each) => [keyOf(each), each]));
  const observe = (urn: string, field: string | undefined, value: string | undefined): Observation => {
    const hash = hashOf(salt, JSON.stringify(value ?? null));
    const place = { urn, ...(field !== undefined && { field }) };
    const old = before.get(keyOf(place));
    return {
      ...place,
      firstSeen: old?.firstSeen ?? lookedAt,
      lastChanged: old?.hash === hash ? old.lastChanged : lookedAt,
      hash,
    };
  };
  const drift = changes.flatMap(({ urn, action, fields, identities = {} }) =>
    action === "remove"
      ? [observe(urn, undefined, undefined)]
      : fields.map(({ field, after }) => observe(urn, field, identities[field] ?? after)),
  );
  const present = new Set(drift.map(keyOf));
  // What has drifted in an object that is missing now, has not come back.
  const isOpen = ({ urn, field }: Observation) => present.has(keyOf({ urn, field })) || present.has(keyOf({ urn }));
  return {
    observations: { version: formatVersion, salt, lookedAt, drift },
    resolved: [...before.values()].filter((each) => !isOpen(each)),
  };
}

/** Without a key of this machine the next look does not know this value. */
function hashOf(salt: string, text: string): string {
  try {
    return keyedHash(`drift ${salt}`, text);
  } catch {
    return randomBytes(16).toString("base64url");
  }
}

/** When each difference was first seen, and when it last changed. */
export function datesIn({ drift }: Observations) {
  const byKey = new Map(drift.map(({ firstSeen, lastChanged, ...each }) => [keyOf(each), { firstSeen, lastChanged }]));
  return (urn: string, field?: string) => byKey.get(keyOf({ urn, ...(field !== undefined && { field }) }));
}

/** The file of one stack. */
export class ObservationFile {
  readonly path: string;

  /** @param directory folder of the program */
  constructor(
    readonly directory: string,
    project: string,
    stack: string,
  ) {
    const name = [project, stack].map(encodeURIComponent).join(".");
    this.path = join(directory, localFolderName, "drift", `${name}.json`);
  }

  /** The observations of the last run, and what is wrong with the file. */
  async read(): Promise<{ observed?: Observations; problem?: string }> {
    try {
      assertNoLink(this.path);
      const text = await readText(this.path);
      if (text === undefined || isEmptied(text)) return {};
      const json: unknown = JSON.parse(text);
      if (isOfLaterVersion(json, formatVersion)) throw new Error("a later version of esign has written it");
      return { observed: observations.parse(json) };
    } catch (error) {
      const why = error instanceof SyntaxError || error instanceof z.ZodError ? "damaged" : (error as Error).message;
      return { problem: `cannot read ${this.path} (${why}): the dates of drift begin again with this look` };
    }
  }

  /** Replaces it; resolves to what is wrong. */
  async write(observed: Observations): Promise<string | undefined> {
    try {
      makeLocalFolder(join(this.directory, localFolderName));
      assertNoLink(this.path);
      await writeDurably(this.path, `${JSON.stringify(observed)}\n`, { mode: 0o600, folderMode: 0o700, flush: false });
      return undefined;
    } catch (error) {
      return `cannot write ${this.path} (${(error as Error).message}): the next look will not know this one`;
    }
  }
}
