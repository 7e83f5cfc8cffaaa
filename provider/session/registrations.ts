/** The resources that the program has registered so far. Decisions that need all of them wait here for the last one. */
import type { Clock } from "../core/clock";
import { registrationQuiet } from "../core/time-limits";

export class Registrations {
  readonly #checked = new Set<string>();
  #declared = 0;
  #latest = Number.NEGATIVE_INFINITY;
  /** True for an object that the state has; undefined where no engine has passed one. */
  #isRecorded: ((kind: string, id: string) => boolean) | undefined;
  /** The objects of the state whose resources were registered. */
  readonly #registered = new Set<string>();

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
  get areAllChecked(): boolean {
    return this.#checked.size > 0 && this.#checked.size >= this.#declared;
  }

  /** Called by what belongs to the registration of a resource. */
  noteCall(): void {
    this.#latest = this.clock.now();
  }

  /** Takes what the state has, before the first resource is registered. */
  setRecorded(isRecorded: (kind: string, id: string) => boolean): void {
    this.#isRecorded = isRecorded;
  }

  /** Called when the resource was registered that the state has with this ID: what was only read for a refresh may still be declared. */
  noteObject(kind: string, id: string): void {
    if (this.#isRecorded !== undefined) this.#registered.add(nameOf(kind, id));
  }

  /**
   * Resolves when no resource was registered for a moment: what the program declares is known then.
   * @param objects only resources with one of these are waited for: at once where none is left that the state has
   */
  async settled(objects?: { kind: string; ids: readonly string[] }): Promise<void> {
    const end = this.clock.now() + registrationQuiet.longest;
    const isOpen = () => {
      const isRecorded = this.#isRecorded;
      if (objects === undefined || isRecorded === undefined) return true;
      const { kind, ids } = objects;
      return ids.some((id) => isRecorded(kind, id) && !this.#registered.has(nameOf(kind, id)));
    };
    while (isOpen() && this.clock.now() < Math.min(end, this.#latest + registrationQuiet.least))
      await this.clock.sleep(registrationQuiet.least / 2);
  }
}

/** Objects of different kinds may have the same number. */
const nameOf = (kind: string, id: string): string => `${kind} ${id}`;
