/** A choice of resources, by URN or pattern of URNs. An empty choice means: no restriction. */
import { urnPattern } from "../resource/urn";

export class Targets {
  private readonly literals: Set<string>;
  private readonly patterns: RegExp[];

  constructor(given: readonly string[] = []) {
    this.literals = new Set(given.filter((t) => !t.includes("*")));
    this.patterns = given.filter((t) => t.includes("*")).map(urnPattern);
  }

  get isConstrained(): boolean {
    return this.literals.size > 0 || this.patterns.length > 0;
  }
  /** True for what is chosen; for everything, if nothing is. */
  has(urn: string): boolean {
    return !this.isConstrained || this.literals.has(urn) || this.patterns.some((p) => p.test(urn));
  }
  add(urn: string): void {
    this.literals.add(urn);
  }
  copy(): Targets {
    const copy = new Targets();
    for (const l of this.literals) copy.literals.add(l);
    copy.patterns.push(...this.patterns);
    return copy;
  }
}
