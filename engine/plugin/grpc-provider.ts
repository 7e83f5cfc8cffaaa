/**
 * A provider in its own process: the SDK's host of dynamic providers, or a plugin. Its response to Configure says which special values it
 * accepts.
 *
 * Used for: ResourceProvider, the client's side.
 */
import type { Goal } from "../resource/goal";
import { unwrapSecrets, type ValueMap } from "../resource/property-value";
import type {
  CheckFailure,
  CheckResponse,
  Constructed,
  DetailedDifference,
  DiffResponse,
  InvokeResponse,
  Provider,
  ReportedDiff,
  ResourceCalls,
} from "../resource/provider-interface";
import { withValues } from "../resource/reported-diff";
import { nameOf, packageOf, typeOf } from "../resource/urn";
import { ValueForms } from "../resource/value-forms";
import { type ComponentEnvironment, constructedOf, constructRequest } from "./construct";
import { type Message, type Sdk, toStruct, toValueMap } from "./node-sdk";
import { NotImplemented, type ProviderConnection } from "./provider-connection";
import { type Configured, ProviderInstance } from "./provider-instance";

export class GrpcProvider extends ProviderInstance<ResourceCalls> implements Provider {
  readonly #sdk: Sdk;
  readonly #connection: ProviderConnection;
  readonly #instance: { urn: string; id: string };
  readonly #config: ValueMap;
  readonly #components: ComponentEnvironment;

  /** @param config its settings, without the inputs that only the engine uses */
  constructor(
    connection: ProviderConnection,
    instance: { urn: string; id: string },
    config: ValueMap,
    components: ComponentEnvironment,
  ) {
    super(config);
    this.#connection = connection;
    this.#instance = instance;
    this.#config = config;
    this.#components = components;
    this.#sdk = connection.sdk;
  }

  protected async configure(): Promise<Configured> {
    const { urn, id } = this.#instance;
    const request = about(new this.#sdk.provider.ConfigureRequest(), urn);
    request.setId(id);
    request.setAcceptsecrets(true);
    request.setAcceptresources(true);
    request.setSendsOldInputs(true);
    request.setSendsOldInputsToDelete(true);
    for (const [k, v] of Object.entries(unwrapSecrets(this.#config)))
      request
        .getVariablesMap()
        .set(`${packageOf(typeOf(urn))}:config:${k}`, typeof v === "string" ? v : JSON.stringify(v));
    request.setArgs(toStruct(this.#sdk, this.#config));
    const answer = await this.#connection.call("configure", request);
    const knows = { secrets: answer.getAcceptsecrets(), references: answer.getAcceptresources() };
    const calls = new GrpcCalls(this.#connection);
    return { calls, values: new ValueForms(knows), previews: answer.getSupportspreview() };
  }

  async invoke(token: string, args: ValueMap): Promise<InvokeResponse> {
    if (!this.isConfigured) return { result: {}, failures: [] };
    const { values } = await this.configured();
    const request = new this.#sdk.provider.InvokeRequest();
    request.setTok(token);
    request.setArgs(toStruct(this.#sdk, values.inputs(args)));
    const answer = await this.#connection.call("invoke", request);
    return { result: values.outputs(toValueMap(answer.getReturn()), args), failures: failuresOf(answer) };
  }

  async construct(goal: Goal): Promise<Constructed> {
    if (this.isConfigured) await this.configured();
    const request = constructRequest(this.#sdk, goal, this.#components);
    return constructedOf(await this.#connection.call("construct", request));
  }
}

/** The messages to a provider that has its configuration. */
class GrpcCalls implements ResourceCalls {
  readonly #sdk: Sdk;
  readonly #connection: ProviderConnection;

  constructor(connection: ProviderConnection) {
    this.#connection = connection;
    this.#sdk = connection.sdk;
  }

  async check(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse> {
    const request = about(new this.#sdk.provider.CheckRequest(), urn);
    request.setOlds(this.#message(olds));
    request.setNews(this.#message(news));
    const answer = await this.#connection.call("check", request);
    return { inputs: toValueMap(answer.getInputs()), failures: failuresOf(answer) };
  }

  async diff(
    urn: string,
    id: string,
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    ignore: readonly string[],
  ): Promise<ReportedDiff> {
    const request = about(new this.#sdk.provider.DiffRequest(), urn);
    request.setId(id);
    request.setOldInputs(this.#message(oldInputs));
    request.setOlds(this.#message(oldOutputs));
    request.setNews(this.#message(news));
    request.setIgnorechangesList([...ignore]);
    return diffOf(this.#sdk, await this.#connection.call("diff", request));
  }

  async create(urn: string, news: ValueMap, timeout: number, preview: boolean) {
    const request = about(new this.#sdk.provider.CreateRequest(), urn);
    request.setProperties(this.#message(news));
    request.setTimeout(timeout);
    request.setPreview(preview);
    const answer = await this.#connection.call("create", request);
    return { id: answer.getId() as string, outputs: toValueMap(answer.getProperties()) };
  }

  async read(urn: string, id: string, inputs: ValueMap, state: ValueMap) {
    const request = about(new this.#sdk.provider.ReadRequest(), urn);
    request.setId(id);
    request.setInputs(this.#message(inputs));
    request.setProperties(this.#message(state));
    const answer = await this.#connection.call("read", request);
    const live = answer.getInputs();
    return {
      id: answer.getId() as string,
      outputs: toValueMap(answer.getProperties()),
      inputs: live && toValueMap(live),
    };
  }

  async update(
    urn: string,
    id: string,
    old: { inputs: ValueMap; outputs: ValueMap },
    news: ValueMap,
    ignore: readonly string[],
    timeout: number,
    preview: boolean,
  ): Promise<ValueMap> {
    const request = about(new this.#sdk.provider.UpdateRequest(), urn);
    request.setId(id);
    request.setOldInputs(this.#message(old.inputs));
    request.setOlds(this.#message(old.outputs));
    request.setNews(this.#message(news));
    request.setIgnorechangesList([...ignore]);
    request.setTimeout(timeout);
    request.setPreview(preview);
    return toValueMap((await this.#connection.call("update", request)).getProperties());
  }

  async delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void> {
    const request = about(new this.#sdk.provider.DeleteRequest(), urn);
    request.setId(id);
    request.setOldInputs(this.#message(inputs));
    request.setProperties(this.#message(outputs));
    request.setTimeout(timeout);
    await this.#connection.call("delete", request);
  }

  #message(values: ValueMap): Message {
    return toStruct(this.#sdk, values);
  }
}

/** Calls a provider that may not be configured yet. Secrets in the response are kept, since the state records it. */
export async function checkConfig(
  connection: ProviderConnection,
  urn: string,
  olds: ValueMap,
  news: ValueMap,
): Promise<CheckResponse> {
  const { sdk } = connection;
  const request = about(new sdk.provider.CheckRequest(), urn);
  request.setOlds(toStruct(sdk, olds));
  request.setNews(toStruct(sdk, news));
  const answer = await unlessMissing(connection.call("checkConfig", request));
  if (answer === undefined) return { inputs: news, failures: [] };
  return { inputs: toValueMap(answer.getInputs()), failures: failuresOf(answer) };
}

export async function diffConfig(
  connection: ProviderConnection,
  urn: string,
  oldInputs: ValueMap,
  oldOutputs: ValueMap,
  news: ValueMap,
): Promise<DiffResponse> {
  const { sdk } = connection;
  const request = about(new sdk.provider.DiffRequest(), urn);
  request.setOldInputs(toStruct(sdk, oldInputs));
  request.setOlds(toStruct(sdk, oldOutputs));
  request.setNews(toStruct(sdk, news));
  const answer = await unlessMissing(connection.call("diffConfig", request));
  if (answer === undefined) return { changes: "unknown", replaces: [], deleteBeforeReplace: false };
  return withValues(diffOf(sdk, answer), { oldInputs, oldOutputs, news });
}

/** Undefined when the provider does not have the method. */
async function unlessMissing(answer: Promise<Message>): Promise<Message | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotImplemented) return undefined;
    throw error;
  }
}

/** A request about a resource. Newer messages also contain its name and type. */
function about(request: Message, urn: string): Message {
  request.setUrn(urn);
  request.setName?.(nameOf(urn));
  request.setType?.(typeOf(urn));
  return request;
}

const failuresOf = (answer: Message): CheckFailure[] =>
  answer.getFailuresList().map((f: Message) => ({ property: f.getProperty(), reason: f.getReason() }));

function diffOf(sdk: Sdk, answer: Message): ReportedDiff {
  const { DIFF_SOME, DIFF_NONE } = sdk.provider.DiffResponse.DiffChanges;
  const changes = answer.getChanges();
  return {
    changes: changes === DIFF_SOME ? "some" : changes === DIFF_NONE ? "none" : "unknown",
    replaces: answer.getReplacesList(),
    deleteBeforeReplace: answer.getDeletebeforereplace(),
    ...(answer.getHasdetaileddiff() && { details: detailsOf(sdk, answer) }),
  };
}

function detailsOf(sdk: Sdk, answer: Message): DetailedDifference[] {
  const { Kind } = sdk.provider.PropertyDiff;
  const kinds: Record<number, DetailedDifference["kind"]> = {
    ...{ [Kind.ADD]: "add", [Kind.ADD_REPLACE]: "add" },
    ...{ [Kind.DELETE]: "delete", [Kind.DELETE_REPLACE]: "delete" },
  };
  const details: DetailedDifference[] = [];
  answer.getDetaileddiffMap().forEach((diff: Message, path: string) => {
    details.push({ path, kind: kinds[diff.getKind()] ?? "update", isOfInputs: diff.getInputdiff() });
  });
  return details;
}
