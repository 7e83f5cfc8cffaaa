/** What a run reports to people and to the engine, with known secrets removed. */
import { Redactor } from "../../sdk/http/redact";
import type { ResponseEvent } from "../../sdk/options";
import { describeResponse, logVariable } from "./describe-response";
import { EffectReporter } from "./effect-reporter";
import { RequestCounter } from "./request-counts";
import { WriteLog } from "./write-log";

interface ReportingOptions {
  environment: NodeJS.ProcessEnv;
  /** Folder of the program. Without it no log of writes is kept. */
  directory: string | undefined;
  /** Name of the stack, once it is known. */
  stack: () => string;
  /** Where notices go. Default: the engine's display. */
  log?: ((notice: string) => void) | undefined;
  /** Where they go that are shown only while something is waited for; an empty one ends each. Default: with the others. */
  logWait?: ((notice: string) => void) | undefined;
}

export const printNotice = (notice: string): void => console.log(prefixed(notice));
/** A notice among those of a whole program, as dynamic providers have no place of their own. */
export const prefixed = (notice: string): string => `esign: ${notice}`;

export class Reporting {
  readonly effects: EffectReporter;
  readonly writes: WriteLog;
  readonly #options: ReportingOptions;
  readonly #redactor = new Redactor();
  readonly #requests = new RequestCounter();

  constructor(options: ReportingOptions) {
    const { environment, directory, stack } = options;
    this.#options = options;
    this.effects = new EffectReporter(environment);
    this.writes = new WriteLog(directory, environment, stack);
  }

  /** Shows the user a notice. */
  log(notice: string): void {
    const { log = printNotice } = this.#options;
    log(this.redact(notice));
  }

  /** Shows the user what is waited for, as long as it is; an empty text ends one of them. */
  logWait(notice: string): void {
    const { logWait } = this.#options;
    if (logWait !== undefined) logWait(this.redact(notice));
    else if (notice !== "") this.log(notice);
  }

  /** Redacts this string in every message. */
  addSecret(text: string | null | undefined): void {
    if (text) this.#redactor.add(text);
  }

  redact(text: string): string {
    return this.#redactor.redact(text);
  }

  /** Records the response to a request. */
  addResponse(event: ResponseEvent): void {
    this.writes.add(event);
    this.#requests.add(event);
    if (this.#options.environment[logVariable] === "debug") this.log(describeResponse(event));
  }

  /** Does something for a resource of a kind; then reports how many requests were sent. */
  async during<T>(kind: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.writes.during(kind, work);
    } finally {
      const record = this.#requests.takeRecord();
      if (record !== undefined) this.effects.reportRequests(record);
    }
  }
}
