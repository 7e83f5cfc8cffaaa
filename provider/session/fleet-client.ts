/**
 * What the processes of a fleet share: a budget of requests, and the partner's list of companies. `esign fleet`, which has started
 * them, keeps both, at an address that only they know. Where it has ended, each process is on its own.
 */
import { request } from "node:http";
import type { CompanyRecord } from "../../sdk/api/companies";
import { unmaskedKey } from "../../sdk/auth/masked-key";
import { isLoopbackAddress, parseUrl } from "../../sdk/text/url";
import type { SharedListing } from "../core/object-access";
import { readMaxAge } from "../core/time-limits";
import type { Reporting } from "../reporting/reporting";
import type { ProviderConfig } from "./provider-config";

/** Environment variable with the address. */
export const fleetVariable = "ESIGN_FLEET";

/** Why the address in the environment is not used; undefined for none. Names are not looked up: a resolver decides what they mean. */
export function fleetIssue(environment: NodeJS.ProcessEnv): string | undefined {
  const address = environment[fleetVariable];
  if (!address) return undefined;
  const url = parseUrl(address);
  const isOwn = url?.protocol === "http:" && isLoopbackAddress(url.hostname) && url.username === "";
  return isOwn ? undefined : `${fleetVariable} is not an address of this machine: only \`esign fleet\` sets it`;
}

/** What the fleet answers about companies. */
export interface CompaniesAnswer {
  companies: readonly CompanyRecord[];
  /** Milliseconds since they were read. */
  age: number;
}

/** What a fleet does for its runs. */
export interface FleetService {
  companies(config: ProviderConfig): Promise<CompaniesAnswer>;
  /** Resolves when a request may be sent. */
  takeFromBudget(): Promise<void>;
}

/** The fleets of this process, by address. */
const servicesHere = new Map<string, FleetService>();

/** Lets the sessions of this process ask without a request: thousands of them share one list, not copies of it. The result ends that. */
export function serveInProcess(address: string, service: FleetService): () => void {
  servicesHere.set(address, service);
  return () => void servicesHere.delete(address);
}

export class FleetClient {
  #hasBudget = true;

  constructor(readonly address: string) {}

  /** Undefined for an address that is not this machine's: it would get the account's key ({@link fleetIssue}). */
  static of(environment: NodeJS.ProcessEnv): FleetClient | undefined {
    const address = environment[fleetVariable];
    return address && fleetIssue(environment) === undefined ? new FleetClient(address) : undefined;
  }

  /** Resolves when a request may be sent. */
  async waitForTurn(): Promise<void> {
    const here = servicesHere.get(this.address);
    if (here !== undefined) await here.takeFromBudget();
    else if (this.#hasBudget) this.#hasBudget = (await this.#ask("budget")) !== undefined;
  }

  /** Undefined if the list cannot be read there: the process that reads it itself says why. */
  async companies(config: ProviderConfig): Promise<CompaniesAnswer | undefined> {
    const here = servicesHere.get(this.address);
    if (here !== undefined) return here.companies(config).catch(() => undefined);
    const answer = await this.#ask("companies", config);
    return answer === undefined ? undefined : (JSON.parse(answer) as CompaniesAnswer);
  }

  /** The answer's text; undefined without an answer, or with one that is not 200. */
  #ask(question: string, body?: unknown): Promise<string | undefined> {
    return new Promise((resolve) => {
      const call = request(`${this.address}/${question}`, { method: "POST", agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.once("end", () => resolve(response.statusCode === 200 ? text : undefined));
        response.once("error", () => resolve(undefined));
      });
      call.once("error", () => resolve(undefined));
      call.end(body === undefined ? "" : JSON.stringify(body));
    });
  }
}

export class FleetCompanies implements SharedListing<CompanyRecord> {
  readonly maxAge = readMaxAge.fleet;
  #reading: { since: number; answer: Promise<CompaniesAnswer | undefined> } | undefined;

  constructor(
    readonly fleet: FleetClient,
    readonly config: { readonly values: ProviderConfig },
    readonly reporting: Pick<Reporting, "addSecret">,
    readonly hasPendingCreates: () => boolean,
  ) {}

  async read(): Promise<{ items: readonly CompanyRecord[]; age: number } | undefined> {
    this.#reading ??= { since: performance.now(), answer: this.fleet.companies(this.config.values) };
    const { since, answer } = this.#reading;
    const found = await answer;
    for (const { company_api_key } of found?.companies ?? []) this.reporting.addSecret(unmaskedKey(company_api_key));
    return found && { items: found.companies, age: found.age + performance.now() - since };
  }

  isEnoughForCreates(): boolean {
    return !this.hasPendingCreates();
  }
}
