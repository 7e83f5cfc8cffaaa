/** Decides which faults strike a request, repeatably: chances come from a generator with a known start. */
import type { Fault, Settings } from "../domain/settings";

/** What is known of a request when faults are drawn. */
export interface FaultTarget {
  method: string;
  path: string;
  operation: string | undefined;
  account: string | undefined;
  form: Record<string, string>;
}

type Kind = Fault["kind"];
export type FaultOf<K extends Kind> = Extract<Fault, { kind: K }>;

/** What is to go wrong: waiting time in all, and at most one fault besides. */
export interface InjectedFault {
  delay: number;
  fault: Exclude<Fault, FaultOf<"latency">> | undefined;
}

/** A small generator of numbers in [0, 1) with a known start (mulberry32): the same start gives the same run. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** `*` stands for any text. */
function glob(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );
}

interface Rule {
  fault: Fault;
  path: RegExp | undefined;
  form: [name: string, value: RegExp][];
  matched: number;
  injected: number;
}

export class FaultInjector {
  readonly #rules: Rule[];
  readonly #random: () => number;

  constructor(settings: Pick<Settings, "faults" | "faultSeed">) {
    this.#random = generator(settings.faultSeed);
    this.#rules = settings.faults.map((fault) => ({
      fault,
      path: fault.path === undefined ? undefined : glob(fault.path),
      form: Object.entries(fault.form ?? {}).map(([name, value]) => [name, glob(value)]),
      matched: 0,
      injected: 0,
    }));
  }

  /** Draws for one request. Every rule counts the requests that it met, also when an earlier one struck. */
  next(subject: FaultTarget): InjectedFault {
    const result: InjectedFault = { delay: 0, fault: undefined };
    for (const rule of this.#rules) {
      if (!this.#matches(rule, subject) || !this.#occurs(rule)) continue;
      const { fault } = rule;
      if (fault.kind === "latency") {
        rule.injected++;
        result.delay += fault.ms + (fault.jitter ?? 0) * this.#random();
      } else if (!result.fault) {
        rule.injected++;
        result.fault = fault;
      }
    }
    return result;
  }

  #matches({ fault, path, form }: Rule, subject: FaultTarget): boolean {
    return (
      (fault.method === undefined || fault.method === subject.method) &&
      (path === undefined || path.test(subject.path)) &&
      (fault.operation === undefined || fault.operation === subject.operation) &&
      (fault.account === undefined || fault.account === subject.account) &&
      form.every(([name, value]) => value.test(subject.form[name] ?? ""))
    );
  }

  #occurs(rule: Rule): boolean {
    const { probability, nth, from, times } = rule.fault;
    const n = ++rule.matched;
    // Drawn even if another condition fails: what is drawn later must not depend on it.
    const lucky = probability === undefined || this.#random() < probability;
    return (
      lucky &&
      (nth === undefined || [nth].flat().includes(n)) &&
      (from === undefined || n >= from) &&
      (times === undefined || rule.injected < times)
    );
  }
}
