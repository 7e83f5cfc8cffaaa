/**
 * A server on loopback for the runs of all stacks. It grants requests from the fleet's budget, since a divided budget would partly stay
 * unused; and it lists the companies of a partner once for all stacks.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { readMaxAge } from "../../provider/core/time-limits";
import { type CompaniesAnswer, type FleetService, serveInProcess } from "../../provider/session/fleet-client";
import { connectOptions, type ProviderConfig } from "../../provider/session/provider-config";
import { RequestPace } from "../../sdk/http/request-pace";
import { type Client, connect } from "../../sdk/index";
import { announceWaits } from "../../sdk/request/announce-waits";
import { note } from "../output/terminal";

type Companies = Awaited<ReturnType<ReturnType<Client["companies"]["list"]>["all"]>>;

export class FleetServer implements FleetService {
  /** Whoever has it may ask. */
  readonly #token = randomBytes(16).toString("hex");
  /** Ends with the token. */
  address = "";
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #listings = new Map<string, { since: number; companies: Promise<Companies> }>();
  readonly #pace = new RequestPace();
  #leave = (): void => undefined;
  readonly #onWait = announceWaits((line) => this.say(line));
  /** Shows what all stacks wait for. */
  say: (line: string) => void = note;

  private constructor(readonly requestsPerSecond: number | undefined) {}

  static async start(requestsPerSecond?: number): Promise<FleetServer> {
    const fleet = new FleetServer(requestsPerSecond);
    await new Promise<void>((done) => fleet.#server.listen(0, "127.0.0.1", done));
    const { port } = fleet.#server.address() as AddressInfo;
    fleet.address = `http://127.0.0.1:${port}/${fleet.#token}`;
    fleet.#server.unref();
    return fleet;
  }

  close(): void {
    this.#leave();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token, question] = (request.url ?? "").split("/");
    try {
      if (token !== this.#token) response.statusCode = 404;
      else if (question === "companies")
        response.write(JSON.stringify(await this.companies((await json(request)) as ProviderConfig)));
      else if (this.requestsPerSecond === undefined) response.statusCode = 404;
      else await this.takeFromBudget();
    } catch {
      // Whoever asked reads the list itself, and says what is wrong.
      response.statusCode = 502;
    }
    response.end();
  }

  /** Also for the runs of this process. */
  serveInProcess(): void {
    this.#leave = serveInProcess(this.address, this);
  }

  async takeFromBudget(): Promise<void> {
    if (this.requestsPerSecond === undefined) return;
    const now = performance.now();
    const at = this.#pace.take(now, this.requestsPerSecond);
    if (at > now) await sleep(at - now);
  }

  async companies(settings: ProviderConfig): Promise<CompaniesAnswer> {
    const options = connectOptions(settings);
    const id = `${options.baseUrl} ${options.apiKey}`;
    let listing = this.#listings.get(id);
    if (listing === undefined || performance.now() - listing.since > readMaxAge.fleet) {
      const client = connect({ ...options, waitForTurn: () => this.takeFromBudget(), onWait: this.#onWait });
      listing = { since: performance.now(), companies: client.companies.list().all() };
      this.#listings.set(id, listing);
      listing.companies.catch(() => this.#listings.delete(id));
    }
    return { companies: await listing.companies, age: performance.now() - listing.since };
  }
}
