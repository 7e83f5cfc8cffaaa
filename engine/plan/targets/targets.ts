/** A selection of resources, by URN or pattern of URNs. An empty one means no restriction. */
import { urnPattern } from "../../resource/urn";

export class Targets {
  /** The URNs that were passed as such, not by a pattern. */
  readonly urns: readonly string[];
  readonly #literals: Set<string>;
  readonly #patterns: RegExp[];

  constructor(urnsOrPatterns: readonly string[] = []) {
    this.urns = urnsOrPatterns.filter((t) => !t.includes("*"));
    this.#literals = new Set(this.urns);
    this.#patterns = urnsOrPatterns.filter((t) => t.includes("*")).map(urnPattern);
  }

  get isConstrained(): boolean {
    return this.#literals.size > 0 || this.#patterns.length > 0;
  }
  /** True for what is selected; for everything, if nothing is. */
  has(urn: string): boolean {
    return !this.isConstrained || this.#literals.has(urn) || this.#patterns.some((p) => p.test(urn));
  }
  add(urn: string): void {
    this.#literals.add(urn);
  }
  copy(): Targets {
    const copy = new Targets();
    for (const l of this.#literals) copy.#literals.add(l);
    copy.#patterns.push(...this.#patterns);
    return copy;
  }
}
