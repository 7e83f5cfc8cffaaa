/** What the program has registered up to now: what is decided once, when all is registered, waits for the last of it. */
import type { Clock } from "../core/clock";
import { settling } from "../core/time-limits";

export class Registrations {
  readonly #checked = new Set<string>();
  #declared = 0;
  #latest = Number.NEGATIVE_INFINITY;
  /** The IDs of the objects that the state has; undefined where no engine has passed them. */
  #recorded: Set<string> | undefined;

  constructor(readonly clock: Pick<Clock, "now" | "sleep">) {}

  /** Records a resource that is being checked. */
  add(registration: { declared: number; urn: string } | undefined): void {
    if (registration === undefined) return;
    this.#declared = Math.max(this.#declared, registration.declared);
    this.#checked.add(registration.urn);
  }

  /** True for a resource that was checked. */
  has(urn: string): boolean {
    return this.#checked.has(urn);
  }

  /** True when all that the program has declared up to now was checked. False where no class has registered it. */
  get isComplete(): boolean {
    return this.#checked.size > 0 && this.#checked.size >= this.#declared;
  }

  /** Called by hooks that belong to the registration of a resource. */
  noteCall(): void {
    this.#latest = this.clock.now();
  }

  /** Records the objects of the state before the first resource is registered. */
  addRecorded(ids: readonly string[]): void {
    this.#recorded = new Set([...(this.#recorded ?? []), ...ids]);
  }

  /** Called when the resource was registered that the state has with this ID. */
  noteObject(id: string): void {
    this.#recorded?.delete(id);
  }

  /**
   * Resolves when no resource was registered for a moment: what the program declares is known then.
   * @param ids only resources with one of these are waited for: at once where none is left that the state has
   */
  async settled(ids?: readonly string[]): Promise<void> {
    const end = this.clock.now() + settling.longest;
    const isOpen = () => ids === undefined || this.#recorded === undefined || ids.some((id) => this.#recorded!.has(id));
    while (isOpen() && this.clock.now() < Math.min(end, this.#latest + settling.quiet))
      await this.clock.sleep(settling.quiet / 2);
  }
}
