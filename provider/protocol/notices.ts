/** Notices that users see while the provider answers a call, each with the resource that it is about. */
import { AsyncLocalStorage } from "node:async_hooks";
import { endAfterLastWait } from "../reporting/wait-notices";

interface Call {
  urn: string;
  /** Notices on their way. */
  sending: Promise<void>[];
  writeWait: (notice: string) => void;
}

/** Shows a notice, about no resource if the URN is empty. `isWait`: as long as something is waited for; an empty one ends it. */
type SendNotice = (notice: string, urn: string, isWait: boolean) => Promise<void> | undefined;

/** One for the process: each costs time whenever anything waits. */
const calls = new AsyncLocalStorage<Call>();

export class Notices {
  readonly #sendTo: SendNotice;

  constructor(send: SendNotice) {
    this.#sendTo = send;
  }

  /** Does something for a resource. Resolves when the notices about it have arrived. */
  async about<T>(urn: string, work: () => Promise<T>): Promise<T> {
    let isWaiting = false;
    const writeWait = endAfterLastWait((notice) => {
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
  readonly #writeOtherWait = endAfterLastWait((notice) => this.#send(notice, true, undefined));

  #send(notice: string, isWait: boolean, call: Call | undefined): void {
    const sent = this.#sendTo(notice, call?.urn ?? "", isWait);
    if (sent !== undefined) call?.sending.push(sent);
  }
}
