/**
 * What a preview knows about companies that the update is to create. The engine does not know their IDs before the update. If a company
 * is adopted, the objects in it are read like those of any other account.
 */
import { addTo } from "../../definitions/group-by";
import { type Properties, UNKNOWN } from "../core/pulumi-values";
import { type Effect, isAdopted } from "../plan/effect";

interface PlannedCompany {
  effect: Effect;
  args: Properties;
}

export class PlannedCompanies {
  /** By the company's resource. */
  readonly #companies = new Map<string, PlannedCompany>();
  readonly #contents = new Map<string, (() => Promise<void>)[]>();
  #planning: Promise<unknown> = Promise.resolve();

  /** Records what becomes of a company. What was planned inside it is planned again. */
  add(company: string, effect: Effect, args: Properties): void {
    this.#companies.set(company, { effect, args });
    const contents = this.#contents.get(company) ?? [];
    if (contents.length > 0) this.#planning = Promise.all([this.#planning, ...contents.map((plan) => plan())]);
  }

  /** Undefined for a company that is not to be created, or not a resource of this provider. */
  find(company: string | undefined): PlannedCompany | undefined {
    return company === undefined ? undefined : this.#companies.get(company);
  }

  /** The argument `account`, with the id of the company where that exists. */
  resolve(account: unknown, company: string | undefined): unknown {
    const effect = account === UNKNOWN ? this.find(company)?.effect : undefined;
    return effect !== undefined && isAdopted(effect) ? effect.id : account;
  }

  /** Plans something inside a company, and again whenever another decision is made about that. */
  planInside(company: string, plan: () => Promise<void>): Promise<void> {
    addTo(this.#contents, company, plan);
    return plan();
  }

  /** Resolves when what a decision has changed is planned. */
  async settled(): Promise<void> {
    await this.#planning;
  }
}
