/** The line between a client and the local service: passes everything on, loses what a test chooses, and stands still at the moment of a strike. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** Before a write reaches the service, or after it was applied and before its answer is on the way. */
export type Moment = "before" | "after";

/** A request that changes something. */
export interface Write {
  method: string;
  path: string;
  body: string;
}

/** `lost`: it never arrives. `unanswered`: it is applied, and its answer does not arrive. `late`: it arrives when its sender is gone. */
export type Fate = "lost" | "unanswered" | "late";

/** Something on its way that is held back. */
interface Held {
  goOn(): void;
  cut(): void;
}

export class Line {
  url = "";
  /** What becomes of a write; undefined for the usual. What has a fate does not count for a strike. */
  fate: ((write: Write) => Fate | undefined) | undefined;
  /** Called when anything has come through. */
  onArrival: () => void = () => {};
  readonly #server: Server;
  #strike: { moment: Moment; n: number; now: () => void } | undefined;
  #writes = 0;
  /** From the strike on everything that comes is held. */
  #isStanding = false;
  readonly #held: Held[] = [];
  /** Requests whose sender is gone by now, and that are still to arrive. */
  readonly #late: (() => Promise<void>)[] = [];

  private constructor(public service: string) {
    this.#server = createServer((request, response) => void this.#pass(request, response).catch(() => undefined));
  }

  static async to(service: string): Promise<Line> {
    const line = new Line(service);
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    line.url = `http://127.0.0.1:${(line.#server.address() as AddressInfo).port}`;
    return line;
  }

  /** How many requests and answers are held. */
  get held(): number {
    return this.#held.length;
  }

  /** Resolves at that moment of the n-th write from now on, after which nothing goes on. */
  strikeAt(moment: Moment, n: number): Promise<void> {
    this.#writes = 0;
    return new Promise((now) => {
      this.#strike = { moment, n, now };
    });
  }

  /** Everything goes on from where it stood. */
  release(): void {
    for (const { goOn } of this.#end()) goOn();
  }

  /** What stood is lost: requests that had not arrived do not arrive, or later; answers neither. */
  cut(): void {
    for (const { cut } of this.#end()) cut();
  }

  /** What was late arrives. */
  async deliver(): Promise<void> {
    await Promise.all(this.#late.splice(0).map((arrive) => arrive()));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const cut = () => void response.destroy();
    const passOn = async (wait?: (goOn: () => void) => void) => {
      const answer = await this.#ask(request, body).catch(cut);
      if (!answer) return;
      const goOn = () => void response.writeHead(answer.status, answer.headers).end(answer.body);
      if (wait === undefined) goOn();
      else wait(goOn);
    };
    const hold = (goOn: () => void, fall = cut) => void this.#held.push({ goOn, cut: fall });
    const isWrite = request.method !== "GET";
    const fate = isWrite ? this.fate?.({ method: request.method!, path: request.url!, body: String(body) }) : undefined;
    if (this.#isStanding || fate === "lost") return hold(passOn);
    if (fate === "unanswered") return passOn(hold);
    if (fate === "late")
      return hold(passOn, () => {
        cut();
        this.#late.push(async () => void (await this.#ask(request, body)));
      });
    const strike = isWrite ? this.#next() : undefined;
    const stand = (goOn: () => void) => {
      this.#isStanding = true;
      hold(goOn);
      strike!.now();
    };
    if (strike === undefined) await passOn();
    else if (strike.moment === "before") stand(passOn);
    else await passOn(stand);
    this.onArrival();
  }

  /** The service's answer. */
  #ask({ method, url, headers }: IncomingMessage, body: Buffer) {
    return new Promise<{ status: number; headers: IncomingMessage["headers"]; body: Buffer }>((resolve, reject) => {
      const onward = send(this.service + url, { method: method!, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
        );
      });
      onward.on("error", reject);
      onward.end(body);
    });
  }

  #end(): Held[] {
    this.#isStanding = false;
    this.#strike = undefined;
    this.fate = undefined;
    return this.#held.splice(0);
  }

  #next(): { moment: Moment; now: () => void } | undefined {
    const strike = this.#strike;
    if (strike === undefined || ++this.#writes !== strike.n) return undefined;
    this.#strike = undefined;
    return strike;
  }
}
