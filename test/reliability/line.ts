/** The line between a client and the local service: passes everything on, and stands still at the moment of a strike. */
import { createServer, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** Before a write reaches the service, or after it was carried out and before its answer is on the way. */
export type Moment = "before" | "after";

/** Something on its way that is held back. */
interface Held {
  goOn(): void;
  cut(): void;
}

export class Line {
  url = "";
  readonly #server: Server;
  #strike: { moment: Moment; n: number; now: () => void } | undefined;
  #writes = 0;
  /** Writes to these paths do not arrive. They do not count for a strike. */
  heldBack: RegExp | undefined;
  /** From the strike on everything that comes is held. */
  #isStanding = false;
  readonly #held: Held[] = [];

  private constructor(readonly service: string) {
    this.#server = createServer((request, response) => {
      const cut = () => response.destroy();
      const passOn = (wait?: (goOn: () => void) => void) => {
        const onward = send(
          this.service + request.url,
          { method: request.method, headers: request.headers },
          (answer) => {
            const chunks: Buffer[] = [];
            answer.on("data", (chunk) => chunks.push(chunk));
            answer.on("end", () => {
              const goOn = () => response.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(chunks));
              if (wait === undefined) goOn();
              else wait(goOn);
            });
          },
        );
        onward.on("error", cut);
        request.pipe(onward);
      };
      const isWrite = request.method !== "GET";
      if (this.#isStanding || (isWrite && this.heldBack?.test(request.url!))) {
        this.#held.push({ goOn: passOn, cut });
        return;
      }
      const strike = isWrite ? this.#next() : undefined;
      const hold = (goOn: () => void) => {
        this.#isStanding = true;
        this.#held.push({ goOn, cut });
        strike!.now();
      };
      if (strike === undefined) passOn();
      else if (strike.moment === "before") hold(passOn);
      else passOn(hold);
    });
  }

  static async to(service: string): Promise<Line> {
    const line = new Line(service);
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    line.url = `http://127.0.0.1:${(line.#server.address() as AddressInfo).port}`;
    return line;
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

  /** What stood is lost: requests that had not arrived do not arrive, answers neither. */
  cut(): void {
    for (const { cut } of this.#end()) cut();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #end(): Held[] {
    this.#isStanding = false;
    this.#strike = undefined;
    this.heldBack = undefined;
    return this.#held.splice(0);
  }

  #next(): { moment: Moment; now: () => void } | undefined {
    const strike = this.#strike;
    if (strike === undefined || ++this.#writes !== strike.n) return undefined;
    this.#strike = undefined;
    return strike;
  }
}
