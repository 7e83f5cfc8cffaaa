/** What a process knows of the preview that it takes part in: what the program has declared, and what is planned of it. */
import type { Properties } from "../core/pulumi-values";
import type { PreviewArgument } from "../core/resource-definition";
import type { Effect } from "../effects/effect";
import { summarize } from "../effects/summary";

/** Milliseconds without a check after which the lines are logged although the engine checks only some of the resources. */
const quietTime = 1000;

export class Preview {
  /** By kind and name, once checked: the arguments of the state. */
  readonly #checked = new Map<string, Properties>();
  /** By arguments: `diff` gets no name. */
  readonly #arguments = new Map<string, { names: readonly string[]; secrets: readonly string[] }>();
  /** By object, the name of the resource that declares it. */
  readonly #reserved = new Map<string, string>();
  /** Effects that no line was logged of yet, by kind and name. */
  readonly #effects = new Map<string, Map<string, Effect>>();
  #declared = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly log: (line: string) => void) {}

  /** Records a resource that is being checked. Returns its arguments in the state if it is being replaced. */
  add(kind: string, olds: Properties, inputs: Properties, argument: PreviewArgument): Properties | undefined {
    const resource = `${kind} ${argument.name}`;
    const previous = this.#checked.get(resource);
    this.#declared = Math.max(this.#declared, argument.declared);
    this.#checked.set(resource, olds);
    const key = keyOf(kind, inputs);
    const { names = [], secrets = [] } = this.#arguments.get(key) ?? {};
    this.#arguments.set(key, {
      names: names.includes(argument.name) ? names : [...names, argument.name],
      secrets: [...secrets, ...argument.secrets],
    });
    return previous !== undefined && Object.keys(previous).length > 0 ? previous : undefined;
  }

  /** True when all that the program has declared up to now was checked. */
  get isComplete(): boolean {
    return this.#checked.size >= this.#declared;
  }

  /** What is known of the resource that has these arguments. Without a name if there are several. */
  find(kind: string, inputs: Properties): { name?: string; secrets: readonly string[] } | undefined {
    const found = this.#arguments.get(keyOf(kind, inputs));
    if (found === undefined) return undefined;
    const [name, ...others] = found.names;
    return { secrets: found.secrets, ...(name !== undefined && others.length === 0 && { name }) };
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
    if (this.isComplete) this.#logLines();
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
