/** What a process knows of the preview that it takes part in: what the program has declared, and what is planned of it. */
import type { Properties } from "../core/pulumi-values";
import type { RegistrationArgument } from "../core/resource-definition";
import type { Effect } from "../effects/effect";
import { summarize } from "../effects/summary";
import { PlannedCompanies } from "./planned-companies";
import type { Registrations } from "./registrations";

/** Milliseconds without a check after which the lines are logged although the engine checks only some of the resources. */
const quietTime = 1000;

interface DeclaredResource {
  name?: string;
  secrets: readonly string[];
  /** Number of the company that it belongs to. */
  company: number | undefined;
}

export class Preview {
  readonly companies = new PlannedCompanies();
  /** By the number of the resource, once checked: its arguments in the state. */
  readonly #checked = new Map<number, Properties>();
  /** By arguments: `diff` gets nothing else. */
  readonly #declared = new Map<string, DeclaredResource & { names: readonly string[] }>();
  /** By object, the name of the resource that declares it. */
  readonly #reserved = new Map<string, string>();
  /** Effects that no line was logged of yet, by kind and name. */
  readonly #effects = new Map<string, Map<string, Effect>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly registrations: Registrations,
    readonly log: (line: string) => void,
  ) {}

  /** Records a resource that is being checked. Returns its arguments in the state if it is being replaced. */
  add(kind: string, olds: Properties, inputs: Properties, argument: RegistrationArgument): Properties | undefined {
    const { resource, name, company } = argument;
    const previous = this.#checked.get(resource);
    this.#checked.set(resource, olds);
    const key = keyOf(kind, inputs);
    const { names = [], secrets = [] } = this.#declared.get(key) ?? {};
    this.#declared.set(key, {
      names: names.includes(name) ? names : [...names, name],
      secrets: [...secrets, ...argument.secrets],
      // Engines compare a resource right after its check: of several alike it is the last one.
      company,
    });
    return previous !== undefined && Object.keys(previous).length > 0 ? previous : undefined;
  }

  /** What is known of the resource that has these arguments. Without a name if there are several. */
  find(kind: string, inputs: Properties): DeclaredResource | undefined {
    const found = this.#declared.get(keyOf(kind, inputs));
    if (found === undefined) return undefined;
    const { names, ...rest } = found;
    return { ...rest, ...(names.length === 1 && { name: names[0]! }) };
  }

  /** Reserves an object for a resource. False if another one has declared it. */
  reserve(object: string, name: string): boolean {
    const owner = this.#reserved.get(object) ?? name;
    this.#reserved.set(object, owner);
    return owner === name;
  }

  /** Adds what the create of a resource does, for the line of its kind. */
  addCreate(kind: string, name: string, effect: Effect): void {
    const effects = this.#effects.get(kind) ?? new Map<string, Effect>();
    effects.set(name, effect);
    this.#effects.set(kind, effects);
  }

  /** Logs one line for each kind, as soon as no more creates are to be expected. */
  summarize(): void {
    clearTimeout(this.#timer);
    if (this.registrations.isComplete) this.#logLines();
    else if (this.#effects.size > 0) this.#timer = setTimeout(() => this.#logLines(), quietTime).unref();
  }

  #logLines(): void {
    for (const [kind, effects] of this.#effects) {
      const line = summarize(kind, [...effects.values()]);
      if (line !== undefined) this.log(line);
    }
    this.#effects.clear();
  }
}

/** A key for a resource by its arguments, which the engine may return in another order. */
export function keyOf(kind: string, { __provider: _, ...inputs }: Properties): string {
  const entries = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
  return JSON.stringify([kind, ...entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
