/** What this process knows about the current preview: what the program has declared, and what is planned. */
import type { ResourceKind } from "../../definitions/model";
import type { Registration } from "../core/registration";
import { summaryDelay } from "../core/time-limits";
import { summarize } from "../plan/describe-effects";
import type { Effect } from "../plan/effect";
import { PlannedCompanies } from "./planned-companies";
import type { Registrations } from "./registrations";

export class Preview {
  readonly companies = new PlannedCompanies();
  /** By object, the resource that declares it. */
  readonly #reserved = new Map<string, Registration>();
  /** Effects that no line was logged of yet, by kind and URN. */
  readonly #effects = new Map<ResourceKind, Map<string, Effect>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly registrations: Registrations,
    readonly log: (line: string) => void,
  ) {}

  /** Reserves an object for a resource. Returns the other one, if that has declared it before. */
  reserve(object: string, registration: Registration): Registration | undefined {
    const owner = this.#reserved.get(object) ?? registration;
    this.#reserved.set(object, owner);
    return owner.urn === registration.urn ? undefined : owner;
  }

  /** Adds what the create of a resource does, for the line of its kind. */
  addCreate(kind: ResourceKind, urn: string, effect: Effect): void {
    const effects = this.#effects.get(kind) ?? new Map<string, Effect>();
    effects.set(urn, effect);
    this.#effects.set(kind, effects);
  }

  /** Logs one line for each kind, as soon as no more creates are to be expected. */
  summarize(): void {
    clearTimeout(this.#timer);
    if (this.registrations.areAllChecked) this.#logLines();
    else if (this.#effects.size > 0) this.#timer = setTimeout(() => this.#logLines(), summaryDelay).unref();
  }

  #logLines(): void {
    for (const [kind, effects] of this.#effects) {
      const line = summarize(kind, [...effects.values()]);
      if (line !== undefined) this.log(line);
    }
    this.#effects.clear();
  }
}
