/** How much of what the program has declared was checked: what is compared once, when all is known, waits for the last one. */

export class Registrations {
  readonly #checked = new Set<number>();
  #declared = 0;

  /** Records a resource that is being checked. */
  add(registration: { declared: number; resource: number } | undefined): void {
    if (registration === undefined) return;
    this.#declared = Math.max(this.#declared, registration.declared);
    this.#checked.add(registration.resource);
  }

  /** True when all that the program has declared up to now was checked. False where no class has registered it. */
  get isComplete(): boolean {
    return this.#checked.size > 0 && this.#checked.size >= this.#declared;
  }
}
