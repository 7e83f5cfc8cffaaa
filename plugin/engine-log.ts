/** Notices in the engine's display, each under the resource that it is about. */
import { AsyncLocalStorage } from "node:async_hooks";
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { endingWithLast } from "../provider/core/clock";

interface Call {
  urn: string;
  /** Notices on their way. */
  sending: Promise<void>[];
  writeWait: (notice: string) => void;
}

/** One for the process: each costs time whenever anything waits. */
const calls = new AsyncLocalStorage<Call>();

export class EngineLog {
  readonly #client: EngineClient | undefined;

  /** Without an address, notices go to standard error. */
  constructor(readonly address: string | undefined) {
    if (address !== undefined) this.#client = new EngineClient(address, credentials.createInsecure());
  }

  /** Does something for a resource. Resolves when the engine has the notices about it. */
  async about<T>(urn: string, work: () => Promise<T>): Promise<T> {
    let isWaiting = false;
    const writeWait = endingWithLast((notice) => {
      isWaiting = notice !== "";
      this.#send(notice, true, call);
    });
    const call: Call = { urn, sending: [], writeWait };
    try {
      return await calls.run(call, work);
    } finally {
      if (isWaiting) this.#send("", true, call);
      // What it has begun for others may wait still, or end later.
      call.writeWait = () => undefined;
      await Promise.all(call.sending);
    }
  }

  readonly write = (notice: string): void => this.#send(notice, false, calls.getStore());

  /** Writes what is shown only while something is waited for; an empty notice ends each. */
  readonly writeWait = (notice: string): void => (calls.getStore()?.writeWait ?? this.#writeOtherWait)(notice);

  /** About no resource. */
  readonly #writeOtherWait = endingWithLast((notice) => this.#send(notice, true, undefined));

  #send(notice: string, isWait: boolean, call: Call | undefined): void {
    if (this.#client === undefined) return void (notice && process.stderr.write(`${notice}\n`));
    const request = new LogRequest();
    request.setSeverity(LogSeverity.INFO);
    request.setMessage(notice);
    request.setUrn(call?.urn ?? "");
    request.setEphemeral(isWait);
    const client = this.#client;
    // A display is no reason to fail.
    const sent = new Promise<void>((resolve) => client.log(request, () => resolve()));
    call?.sending.push(sent);
  }

  close(): void {
    this.#client?.close();
  }
}
