/** The line between a client and the local service: passes everything on, and tells of the moments at which to strike. */
import { createServer, type Server, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** Before a write reaches the service, or after it was carried out and before its answer is on the way. */
export type Moment = "before" | "after";

export class Line {
  url = "";
  readonly #server: Server;
  #strike: { moment: Moment; n: number; now: () => void } | undefined;
  #writes = 0;
  #struck: ServerResponse | undefined;

  private constructor(readonly service: string) {
    this.#server = createServer((request, response) => {
      const struck = request.method === "GET" ? undefined : this.#next();
      if (struck !== undefined) this.#struck = response;
      if (struck?.moment === "before") return struck.now();
      const onward = send(
        this.service + request.url,
        { method: request.method, headers: request.headers },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk) => chunks.push(chunk));
          answer.on("end", () => {
            if (struck !== undefined) return struck.now();
            response.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(chunks));
          });
        },
      );
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
  }

  static async to(service: string): Promise<Line> {
    const line = new Line(service);
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    line.url = `http://127.0.0.1:${(line.#server.address() as AddressInfo).port}`;
    return line;
  }

  /** Resolves at that moment of the n-th write from now on. The write is never answered. */
  strikeAt(moment: Moment, n: number): Promise<void> {
    this.#writes = 0;
    return new Promise((now) => {
      this.#strike = { moment, n, now };
    });
  }

  /** No moment is waited for any more; what was struck and still waits for its answer is cut. */
  calm(): void {
    this.#strike = undefined;
    this.#struck?.destroy();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #next(): { moment: Moment; now: () => void } | undefined {
    const strike = this.#strike;
    if (strike === undefined || ++this.#writes !== strike.n) return undefined;
    this.#strike = undefined;
    return strike;
  }
}
