/** What a process knows of the preview that it takes part in: which resources the program has declared, and what of them is secret. */
import type { Properties } from "../core/pulumi-values";
import type { PreviewArgument } from "../core/resource-definition";

export class Preview {
  /** By resource, once its arguments were checked. */
  readonly #checked = new Set<string>();
  /** By arguments: `diff` gets no name. */
  readonly #arguments = new Map<string, PreviewArgument>();
  #declared = 0;

  /** Records a resource that is being checked. */
  add(kind: string, inputs: Properties, argument: PreviewArgument): void {
    this.#declared = Math.max(this.#declared, argument.declared);
    this.#checked.add(`${kind} ${argument.name}`);
    const key = keyOf(kind, inputs);
    const secrets = [...(this.#arguments.get(key)?.secrets ?? []), ...argument.secrets];
    this.#arguments.set(key, { ...argument, secrets });
  }

  /** True when all that the program has declared up to now was checked. */
  get isComplete(): boolean {
    return this.#checked.size >= this.#declared;
  }

  /** The resource that has these arguments. */
  find(kind: string, inputs: Properties): PreviewArgument | undefined {
    return this.#arguments.get(keyOf(kind, inputs));
  }
}

/** The engine may return the arguments in another order. */
function keyOf(kind: string, { __provider: _, ...inputs }: Properties): string {
  const entries = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
  return JSON.stringify([kind, ...entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
