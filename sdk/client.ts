/** The client: a method for every endpoint value, with its types derived. */
import { type Api, allEndpoints } from "./api/index";
import type { Methods } from "./api/methods";
import { idInput } from "./api/scalars";
import type { KeySource } from "./auth/credentials";
import { SubaccountKeys } from "./auth/subaccount-keys";
import { InputError } from "./errors";
import { Redactor } from "./http/redact";
import type { CallOptions, ConnectOptions, PageOptions } from "./options";
import { maxLimit, type PageCall } from "./pagination/page-requests";
import { pagedList } from "./pagination/paged-list";
import { AccountConnection } from "./request/account-connection";
import type { Settings } from "./request/api-call";
import type { ServiceTraits } from "./request/service-traits";
import { type CompiledEndpoint, compileEndpoint, toInputIssues } from "./request/validate-input";
import { validateOptions } from "./validate-client-options";

/** A connection to one account. `client.webhooks.create({ webhook_type: "all", webhook_url: "https://…" })` */
export type Client = { readonly [A in keyof Api]: Methods<A> } & {
  /** The client of a subaccount of this partner; its key is read from the partner's list when first needed. */
  as(companyId: string | number): Client;
  /** The base URL, normalized. */
  readonly baseUrl: string;
  /** A short hash of the key: identifies it without showing it. */
  keyFingerprint(): Promise<string>;
};

/** All endpoints, prepared once. */
const endpoints: readonly { group: string; name: string; op: CompiledEndpoint }[] = allEndpoints.map((entry) => ({
  group: entry.group,
  name: entry.operation,
  op: compileEndpoint(`${entry.group}.${entry.operation}`, entry.endpoint),
}));

/**
 * Connects to an account. Nothing is sent before the first call.
 *
 * @throws InputError when an option is not valid; contains all issues.
 */
export function connect(options: ConnectOptions): Client {
  const settings = validateOptions(options);
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, "");
  const { pageSize, edition: bodies } = settings;
  const service: ServiceTraits = { firstOffset: undefined, pageSize: Math.min(pageSize, maxLimit), bodies };
  return createClient(baseUrl, settings, service, new Redactor(), options.apiKey);
}

function createClient(
  baseUrl: string,
  settings: Settings,
  service: ServiceTraits,
  redactor: Redactor,
  source: string | KeySource,
  companyId?: string,
): Client {
  const keys = new SubaccountKeys(
    () => (client as unknown as Client).companies.list(),
    (key) => redactor.add(key),
    settings.knownCompanies,
    settings.isListedLater,
  );
  const addKeys = (body: Record<string, unknown>) => keys.addFrom(body);
  const connection = new AccountConnection(baseUrl, settings, service, redactor, source, addKeys, companyId);
  const subaccounts = new Map<string, Client>();
  const client: Record<string, unknown> = {
    baseUrl,
    keyFingerprint: () => connection.credentials.fingerprint(),
    as(companyId: string | number): Client {
      const id = idInput.safeParse(companyId);
      if (!id.success) throw new InputError({ operation: "as" }, toInputIssues(id.error, companyId, "companyId"));
      let subaccount = subaccounts.get(id.data);
      if (subaccount === undefined) {
        subaccount = createClient(
          baseUrl,
          settings,
          service,
          redactor,
          (rejected) => keys.find(id.data, rejected),
          id.data,
        );
        subaccounts.set(id.data, subaccount);
      }
      return subaccount;
    },
  };
  for (const { group, name, op } of endpoints) {
    client[group] ??= {};
    const methods = client[group] as Record<string, unknown>;
    methods[name] =
      op.endpoint.list === undefined
        ? (input: Record<string, unknown> = {}, options?: CallOptions) => connection.call(op, input, options)
        : listMethod(op, (input, options) => connection.call(op, input, options), service);
  }
  return client as unknown as Client;
}

/** The method of a list. One within an object, such as a contact's envelopes, takes the object's ID first. */
function listMethod(op: CompiledEndpoint, call: PageCall, service: ServiceTraits) {
  const list = (object: Record<string, unknown>, options?: PageOptions) =>
    pagedList(op, (input, callOptions) => call({ ...object, ...input }, callOptions), service, options);
  return op.hasParams ? list : (options?: PageOptions) => list({}, options);
}
