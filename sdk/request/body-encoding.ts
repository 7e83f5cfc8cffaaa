/** The encoding of a call's body: that of the edition which the service is known to take, or the other, once, if it refuses that. */
import { encodeBody } from "../api/endpoint";
import type { Edition } from "../edition";
import { ApiError, type EsignError } from "../errors";
import type { RequestBody } from "../http/send";
import type { ServiceTraits } from "./service-traits";

/** The API's code for a body of another content type than it takes. */
const wrongContentType = 10007;

/** What a service answers to a body in another encoding than it takes: it has done nothing. */
export const isOtherEncoding = (code: number | undefined, status: number): boolean =>
  code === wrongContentType || status === 415;

const isEncodingRefused = (error: EsignError): boolean =>
  error instanceof ApiError && isOtherEncoding(error.code, error.status);

export class BodyEncoding {
  /** Encoded once for all attempts in one edition: a document may be large. */
  #encoded: { edition: Edition; body: RequestBody | undefined } | undefined;
  /** The edition to use since the service has refused the body. */
  #other: Edition | undefined;

  constructor(
    readonly fields: Record<string, unknown> | undefined,
    readonly service: ServiceTraits,
  ) {}

  get body(): RequestBody | undefined {
    if (this.fields === undefined) return undefined;
    const edition = this.#other ?? this.service.bodies;
    if (this.#encoded?.edition !== edition) this.#encoded = { edition, body: encodeBody(this.fields, edition) };
    return this.#encoded!.body;
  }

  /** True, once, if the service has refused the body for its encoding alone: it has done nothing, and may take the other one. */
  changeAfter(error: EsignError): boolean {
    if (!isEncodingRefused(error) || this.#encoded === undefined || this.#other !== undefined) return false;
    this.#other = this.#encoded.edition === "current" ? "specification" : "current";
    return true;
  }

  /** The service has taken the body: other calls begin with its encoding. */
  accept(): void {
    if (this.#other !== undefined) this.service.bodies = this.#other;
  }
}
