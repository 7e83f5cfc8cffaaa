/**
 * Values while a program is evaluated: in the form of messages, with references to resources, and with the URNs that they depend on.
 *
 * Used for: unknown values, secrets and dependencies in Pulumi YAML.
 */
import {
  isMap,
  isObject,
  isReference,
  isSecret,
  isUnknown,
  mapDeep,
  secret,
  someDeep,
  unwrapSecret,
  unwrapSecrets,
  type Value,
} from "../resource/property-value";
import { SIG_KEY, SignatureKind, UNKNOWN } from "../resource/signatures";

/** A resource of the program, once it is registered. */
export class RegisteredResource {
  constructor(
    readonly name: string,
    readonly type: string,
    readonly urn: string,
    /** Undefined for a component; empty while it is not known. */
    readonly id: string | undefined,
    readonly outputs: Record<string, Value>,
    /** Its outputs that are not known before it is created. */
    readonly laterOutputs: ReadonlySet<string>,
    /** The dependencies of each output of a component. */
    readonly dependencies: Record<string, string[]>,
  ) {}

  /** The reference in the form of providers and states. */
  get reference(): Value {
    return {
      [SIG_KEY]: SignatureKind.reference,
      urn: this.urn,
      ...(this.id !== undefined && { id: this.id || UNKNOWN }),
      packageVersion: "",
    };
  }
}

/** A value with its dependencies. Lists and objects may hold resources as {@link RegisteredResource.reference}. */
export interface Evaluated {
  value: Value;
  /** The resource, if the value is a reference to one. */
  resource?: RegisteredResource;
  /** The resources in a list or an object, by the reference. */
  urns: ReadonlySet<string>;
}

export const none: ReadonlySet<string> = new Set();

export const evaluated = (value: Value, urns: ReadonlySet<string> = none): Evaluated => ({ value, urns });

export const unionOf = (parts: readonly Evaluated[]): ReadonlySet<string> => {
  const sets = parts.map(({ urns }) => urns).filter((urns) => urns.size > 0);
  return sets.length < 2 ? (sets[0] ?? none) : new Set(sets.flatMap((urns) => [...urns]));
};

/** A new resource is known, although its id is not. */
export const hasUnknown = (value: Value): boolean => {
  if (value === null || typeof value !== "object") return isUnknown(value);
  return !isReference(value) && Object.values(value).some(hasUnknown);
};
const hasSecret = (value: Value): boolean => someDeep(value, isSecret);

/** Applies a function to values. The result is unknown or secret if one of them is, and has the dependencies of all. */
export function lift(args: readonly Evaluated[], work: (...values: Value[]) => Value): Evaluated {
  const urns = unionOf(args);
  const values = args.map(({ value }) => value);
  const mark = values.some(hasSecret) ? secret : (value: Value) => value;
  if (values.some(hasUnknown)) return evaluated(mark(UNKNOWN), urns);
  return evaluated(mark(work(...values.map((value) => unwrapSecrets(value)))), urns);
}

/** Without the members of objects that are null: Pulumi's SDK for Go, in which its YAML is written, sends none. Lists keep theirs. */
export const withoutNulls = <T extends Value>(value: T): T =>
  mapDeep(value, (part) => {
    if (!isMap(part)) return part;
    const members = Object.entries(part).filter(([, member]) => unwrapSecret(member) !== null);
    return members.length === Object.keys(part).length ? part : Object.fromEntries(members);
  });

/** Marked as secret. That SDK has no secret that is nothing, unless it comes from a resource. */
export const asSecret = ({ value, urns }: Evaluated): Evaluated =>
  evaluated(value === null && urns.size === 0 ? null : secret(value), urns);

/**
 * An input or output as that SDK sends it; undefined if it sends none. A null that is secret or depends on a resource is sent: an
 * argument that is left out would mean its default, such as the key's own account.
 */
export const asSent = ({ value, urns }: Pick<Evaluated, "value" | "urns">): Value | undefined =>
  value === null && urns.size === 0 ? undefined : withoutNulls(value);

/** The name of a value's type in messages. */
export function describe(value: Value): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isReference(value)) return "a resource";
  if (isObject(value)) return "an object";
  return { boolean: "a boolean", number: "a number", string: "a text" }[typeof value as "string"] ?? "a value";
}

/** The text of a value, as Go prints it; undefined for a value without a useful text. */
export function printed(value: Value): string | undefined {
  if (typeof value === "number") return printedNumber(value);
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  return undefined;
}

/** The shortest digits that identify the number; with an exponent of two digits from a million on, and below a ten-thousandth. */
function printedNumber(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
