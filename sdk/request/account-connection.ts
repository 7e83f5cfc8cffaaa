/** One account at one base URL: checks the input of a call to any endpoint, sends it, and reports what the response shows. */
import { Credentials, type KeySource } from "../auth/credentials";
import { findNewValues } from "../enum-schemas";
import { AbortedError, type CallContext } from "../errors";
import { raiseListenerLimit } from "../http/abortable-waits";
import { describeCall } from "../http/parse-response";
import type { Redactor } from "../http/redact";
import type { CallOptions } from "../options";
import { ApiCall, type Connection, type Settings } from "./api-call";
import { notify } from "./attempt";
import type { ServiceTraits } from "./service-traits";
import { buildRequest, type CompiledEndpoint } from "./validate-input";

type Body = Record<string, unknown>;

export class AccountConnection implements Connection {
  readonly origin: string;
  /** Path of the base URL, before every path of the API. */
  readonly prefix: string;
  readonly credentials: Credentials;

  constructor(
    readonly baseUrl: string,
    readonly settings: Settings,
    readonly service: ServiceTraits,
    readonly redactor: Redactor,
    source: string | KeySource,
    /** Called with every response of a partner endpoint: those contain keys. */
    readonly onPartnerResponse: (body: Body) => void,
    /** The subaccount; undefined for the account of the configured key. */
    readonly companyId: string | undefined,
  ) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.prefix = url.pathname.replace(/\/+$/, "");
    this.credentials = new Credentials(this.origin, source, redactor);
  }

  /** Calls an endpoint. */
  async call(endpoint: CompiledEndpoint, input: Record<string, unknown>, options: CallOptions = {}): Promise<Body> {
    const { path, fields } = buildRequest(endpoint, input, this.settings, options);
    const { method, partner } = endpoint.endpoint;
    const { companyId } = this;
    const context: CallContext = { operation: endpoint.name, method, path: this.redactor.redact(path), companyId };
    const { signal, timeout = this.settings.timeout } = options;
    if (signal?.aborted) throw new AbortedError(`${describeCall(context)} was aborted before it started`, context);
    if (signal !== undefined) raiseListenerLimit(signal);
    if (!this.settings.allowUnknownValues) {
      for (const found of findNewValues(endpoint.shape, input)) {
        notify(this.settings.onNewValue, { operation: endpoint.name, ...found });
      }
    }
    const request = { endpoint, context, path: this.prefix + path, fields, timeout, signal };
    const response = await new ApiCall(this, request).run();
    if (partner) this.onPartnerResponse(response);
    if (response.test === true && method !== "GET") {
      notify(this.settings.onTestKey, { operation: endpoint.name, method, path: context.path! });
    }
    return response;
  }
}
