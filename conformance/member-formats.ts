/** Collects the formats of the members of responses, over as many responses as there are. */
import {
  type ExpectedMember,
  type ExpectedMembers,
  hasValues,
  isDocumented,
  isFreeText,
  judgeMember,
} from "./expectations";
import { byEdition, type Fact } from "./fact";
import { nameToShow, valueToShow } from "./reportable-names";
import { formatOf, missing } from "./value-formats";

interface Seen {
  readonly expected: ExpectedMember;
  readonly formats: Set<string>;
  /** Values of an enum that one of the editions does not have. */
  readonly values: Set<string>;
}

const undocumented: ExpectedMember = {
  byEdition: { specification: undefined, current: undefined },
  format: undefined,
  members: new Map(),
};

/** The responses of one operation. */
export class Observed {
  readonly #seen = new Map<string, Seen>();
  /** Lists of objects, and whether one had an object. */
  readonly #lists = new Map<string, boolean>();

  constructor(
    readonly where: string,
    readonly expected: ExpectedMembers,
  ) {}

  add(body: object): void {
    this.#addObject(body, this.expected, "");
  }

  /** Paths of lists that had no objects, whose members could not be compared. */
  get emptyLists(): string[] {
    return [...this.#lists].filter(([, hasItems]) => !hasItems).map(([path]) => path);
  }

  facts(): Fact[] {
    return [...this.#seen].flatMap(([what, { expected, formats, values }]) => {
      const seen = [...formats].sort();
      const member = { where: this.where, what, seen, expected: byEdition((one) => judgeMember(expected, one, seen)) };
      return values.size === 0 ? [member] : [member, this.#valuesFact(what, values)];
    });
  }

  #valuesFact(path: string, values: ReadonlySet<string>): Fact {
    const name = path.slice(path.lastIndexOf(".") + 1);
    const seen = [...new Set([...values].map((value) => `value ${valueToShow(value)}`))].sort();
    const expected = byEdition((edition) => ({
      text: "a documented value",
      fits: [...values].every((value) => isDocumented(name, value, edition)),
    }));
    return { where: this.where, what: `values of ${path}`, seen, expected };
  }

  #addObject(object: object, expected: ExpectedMembers, prefix: string): void {
    const members = object as Record<string, unknown>;
    for (const [name, member] of expected) {
      const value = Object.hasOwn(members, name) ? members[name] : undefined;
      if (value === undefined) this.#see(prefix + name, member).formats.add(missing);
      else this.#addMember(name, value, member, prefix + name);
    }
    // What is in a member that is not documented may be anything: also its names.
    for (const [name, value] of Object.entries(members)) {
      if (expected.has(name) || value === undefined) continue;
      this.#see(prefix + nameToShow(name), undocumented).formats.add(formatOf(value, false));
    }
  }

  #addMember(name: string, value: unknown, expected: ExpectedMember, path: string): void {
    const seen = this.#see(path, expected);
    seen.formats.add(formatOf(value, isFreeText(expected)));
    if (hasValues(name)) this.#addValue(name, String(value), seen);
    if (expected.members.size === 0 || typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) {
      this.#addObject(value, expected.members, `${path}.`);
      return;
    }
    const objects = value.filter((item) => typeof item === "object" && item !== null && !Array.isArray(item));
    this.#lists.set(path, objects.length > 0 || this.#lists.get(path) === true);
    for (const item of objects) this.#addObject(item, expected.members, `${path}[].`);
    for (const item of value.filter((one) => !objects.includes(one)))
      this.#see(`${path}[]`, undocumented).formats.add(formatOf(item, false));
  }

  #addValue(name: string, value: string, { values }: Seen): void {
    if (Object.values(byEdition((edition) => isDocumented(name, value, edition))).includes(false)) values.add(value);
  }

  #see(path: string, expected: ExpectedMember): Seen {
    const seen = this.#seen.get(path) ?? { expected, formats: new Set<string>(), values: new Set<string>() };
    this.#seen.set(path, seen);
    return seen;
  }
}
