/** The bookkeeping of one object, kept in its hidden output `__esign`. */
import { z } from "zod";
import { Failure } from "../core/failure";
import { type Properties, secret } from "../core/pulumi-values";
import type { Definition } from "../core/resource-definition";
import type { Marks } from "./originals-journal";

/** What is remembered of one managed field. */
export interface Trace {
  /** Hash of what the service answered; absent when that is the declared value itself. */
  echo?: string;
  /** The declared value, only while the live one departs from the echo: the output of the field's name shows the live one. */
  sent?: string;
  /** What was there before; `null` when there was nothing; absent when it is not known. */
  original?: string | null;
}

export interface Bookkeeping {
  v: 1;
  /** Tells the objects that a process has taken over from those of the same id that they take the place of. */
  born?: string;
  /** Fingerprint of the key with which the object was last seen as expected. */
  key?: string;
  /** True for an object that existed before and was taken over. */
  adopted?: true;
  fields?: Record<string, Trace>;
  /** Marks of what was sent by updates whose outcome is not known, by field: the account may have that. */
  perhaps?: Marks;
  /** Name of the last write that this state has heard of; the journal may have a later one. */
  write?: string;
}

/** The name of the hidden output. */
export const hidden = "__esign";

/** The parts that this version goes by, as they must be in a state that was edited by hand. */
const bookkeeping = z.looseObject({
  born: z.string().optional(),
  key: z.string().optional(),
  fields: z
    .record(
      z.string(),
      z.looseObject({
        echo: z.string().optional(),
        sent: z.string().optional(),
        original: z.string().nullable().optional(),
      }),
    )
    .optional(),
  perhaps: z.record(z.string(), z.array(z.string())).optional(),
  write: z.string().optional(),
});

/**
 * The bookkeeping in a state; an empty one for states that have none (imported objects).
 * @throws {Failure} for a state in which something is of another type than it was written with
 */
export function bookkeepingOf(definition: Definition, state: Properties): Bookkeeping {
  for (const field of definition.managed) {
    if (state[field] !== undefined && typeof state[field] !== "string") throw damaged(`${field} is not a text`);
  }
  const found = state[hidden];
  if (found === undefined) return { v: 1 };
  const parsed = bookkeeping.safeParse(found);
  if (parsed.success) return structuredClone(found) as Bookkeeping;
  const [issue] = parsed.error.issues;
  throw damaged(`${[hidden, ...issue!.path].join(".")}: ${issue!.message}`);
}

const damaged = (how: string): Failure =>
  new Failure(
    `what the state has of it was changed by hand (${how}). Go back to a backup of the state, or take the resource out of it (\`pulumi state delete\`) and bring it back with \`pulumi import\``,
  );

export function tracesOf({ fields = {} }: Bookkeeping): Record<string, Trace> {
  return fields;
}

/** The hidden output: secret, since what it remembers may be, and without members that say nothing. */
export function hide({ v, born, key, adopted, fields = {}, perhaps = {}, write }: Bookkeeping): Properties {
  const telling = Object.entries(fields).filter(([, trace]) => Object.values(trace).some((part) => part !== undefined));
  return secret({
    v,
    ...(born !== undefined && { born }),
    ...(key !== undefined && { key }),
    ...(adopted && { adopted }),
    ...(telling.length > 0 && { fields: Object.fromEntries(telling) }),
    ...(Object.keys(perhaps).length > 0 && { perhaps }),
    ...(write !== undefined && { write }),
  });
}
