/** Decides which faults a request gets, reproducibly: probabilities come from a seeded generator. */
import { wildcard } from "../../sdk/text/wildcard";
import type { Settings } from "../domain/emulator-settings";
import type { Fault } from "../domain/fault";
import type { Fields } from "../handlers/body-fields";

/** What a fault can match. */
interface FaultTarget {
  method: string;
  path: string;
  operation: string | undefined;
  account: string | undefined;
  form: Fields;
}

type Kind = Fault["kind"];
export type FaultOf<K extends Kind> = Extract<Fault, { kind: K }>;

/** The faults of one request: the total delay, and at most one other fault. */
export interface InjectedFault {
  delay: number;
  fault: Exclude<Fault, FaultOf<"latency">> | undefined;
}

/** A seeded generator of numbers in [0, 1) (mulberry32). */
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

/** A field as a pattern sees it: structured ones as JSON text. */
const toText = (field: unknown) => (typeof field === "string" ? field : JSON.stringify(field ?? ""));

interface Rule {
  fault: Fault;
  path: ((text: string) => boolean) | undefined;
  form: [name: string, value: (text: string) => boolean][];
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
      path: fault.path === undefined ? undefined : wildcard(fault.path),
      form: Object.entries(fault.form ?? {}).map(([name, value]) => [name, wildcard(value)]),
      matched: 0,
      injected: 0,
    }));
  }

  /** Decides for one request. Every rule counts the requests that it matches, even if an earlier rule applies. */
  next(target: FaultTarget): InjectedFault {
    const result: InjectedFault = { delay: 0, fault: undefined };
    for (const rule of this.#rules) {
      if (!this.#matches(rule, target) || !this.#occurs(rule)) continue;
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

  #matches({ fault, path, form }: Rule, target: FaultTarget): boolean {
    return (
      (fault.method === undefined || fault.method === target.method) &&
      (path === undefined || path(target.path)) &&
      (fault.operation === undefined || fault.operation === target.operation) &&
      (fault.account === undefined || fault.account === target.account) &&
      form.every(([name, matches]) => matches(toText(target.form[name])))
    );
  }

  #occurs(rule: Rule): boolean {
    const { probability, nth, from, times } = rule.fault;
    const n = ++rule.matched;
    // Drawn even if another condition fails, so that later draws do not depend on it.
    const isDrawn = probability === undefined || this.#random() < probability;
    return (
      isDrawn &&
      (nth === undefined || [nth].flat().includes(n)) &&
      (from === undefined || n >= from) &&
      (times === undefined || rule.injected < times)
    );
  }
}
