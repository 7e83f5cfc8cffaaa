/**
 * Plans creates one after the other: each can adopt only objects that earlier ones have left. If a resource of the state is registered
 * later and has such an object, all creates are planned again.
 */
import type { CreateDecision, CreateRequest, ExistingObjects, ObjectUse } from "../core/object-access";
import { findPending } from "../recovery/continue-pending";
import { decideAdoption } from "./decide-adoption";

interface PlannedCreate<T> {
  request: CreateRequest<T>;
  decision: CreateDecision<T>;
  /** Called when the decision is another one. */
  changed(decision: CreateDecision<T>): void;
}

export class CreatePlanner<T> {
  readonly #planned: PlannedCreate<T>[] = [];
  /** The objects that planned creates take, by id. */
  #uses = new Map<string, ObjectUse>();
  readonly #objects: ExistingObjects<T>;

  constructor(objects: ExistingObjects<T>) {
    this.#objects = {
      existing: () => objects.existing(),
      idOf: (item) => objects.idOf(item),
      useOf: (id) => this.#uses.get(id) ?? objects.useOf(id),
    };
  }

  plan(request: CreateRequest<T>, changed: (decision: CreateDecision<T>) => void): CreateDecision<T> {
    const decision = this.#decide(request);
    this.#planned.push({ request, decision, changed });
    return decision;
  }

  /** Called when an object of the state was registered. */
  registered(id: string): void {
    const isRefused = ({ decision }: PlannedCreate<T>) => decision.action === "refuse";
    if (!this.#uses.has(id) && !this.#planned.some(isRefused)) return;
    this.#uses = new Map();
    for (const create of this.#planned) {
      const before = create.decision;
      create.decision = this.#decide(create.request);
      if (JSON.stringify(create.decision) !== JSON.stringify(before)) create.changed(create.decision);
    }
  }

  #decide(request: CreateRequest<T>): CreateDecision<T> {
    const decision = this.#recover(request) ?? decideAdoption(this.#objects, request);
    if (decision.action === "adopt" || decision.action === "recover") {
      this.#uses.set(this.#objects.idOf(decision.item), request.onExisting === "create" ? "inUse" : "created");
    }
    return decision;
  }

  #recover(request: CreateRequest<T>): CreateDecision<T> | undefined {
    for (const pending of request.log?.pending() ?? []) {
      const item = findPending(this.#objects, pending, request);
      if (item !== undefined) return { action: "recover", item };
    }
    return undefined;
  }
}
