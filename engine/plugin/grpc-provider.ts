/**
 * A provider in its own process: the SDK's host of dynamic providers, or a plugin. Its response to Configure says which special values it
 * accepts.
 *
 * Used for: ResourceProvider, the client's side.
 */
import type { Goal } from "../resource/goal";
import type { PropertyChange } from "../resource/property-diff";
import { parsePath, valueAt } from "../resource/property-path";
import { containsUnknown, unwrapSecrets, type ValueMap } from "../resource/property-value";
import {
  type CheckFailure,
  type CheckResponse,
  type Constructed,
  type DiffResponse,
  DiffUnavailable,
  type InvokeResponse,
  type Provider,
} from "../resource/provider-interface";
import { nameOf, packageOf, typeOf } from "../resource/urn";
import { partial, ValueForms } from "../resource/value-forms";
import { type ComponentEnvironment, constructedOf, constructRequest } from "./construct";
import { type Message, type Sdk, toStruct, toValueMap } from "./node-sdk";
import { NotImplemented, type ProviderConnection } from "./provider-connection";

/** The features of a configured provider. */
interface Configured {
  values: ValueForms;
  /** Whether it can preview a create or an update. */
  previews: boolean;
}

export class GrpcProvider implements Provider {
  readonly isConfigured: boolean;
  #configured: Promise<Configured> | undefined;
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
    this.#connection = connection;
    this.#instance = instance;
    this.#config = config;
    this.#components = components;
    this.isConfigured = !containsUnknown(config);
    this.#sdk = connection.sdk;
  }

  #message(values: ValueMap): Message {
    return toStruct(this.#sdk, values);
  }

  /** Configures the process, with the first call that needs it. */
  #configure(): Promise<Configured> {
    this.#configured ??= (async () => {
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
      return { values: new ValueForms(knows), previews: answer.getSupportspreview() };
    })();
    return this.#configured;
  }

  async check(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse> {
    if (!this.isConfigured) return { inputs: news, failures: [] };
    const { values } = await this.#configure();
    const request = about(new this.#sdk.provider.CheckRequest(), urn);
    request.setOlds(this.#message(values.inputs(olds)));
    request.setNews(this.#message(values.inputs(news)));
    const answer = await this.#connection.call("check", request);
    return { inputs: values.outputs(toValueMap(answer.getInputs()), news), failures: failuresOf(answer) };
  }

  async diff(
    urn: string,
    id: string,
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    ignore: readonly string[],
  ): Promise<DiffResponse> {
    if (!this.isConfigured) throw new DiffUnavailable();
    const { values } = await this.#configure();
    const request = about(new this.#sdk.provider.DiffRequest(), urn);
    request.setId(id);
    request.setOldInputs(this.#message(values.state(oldInputs)));
    request.setOlds(this.#message(values.state(oldOutputs)));
    request.setNews(this.#message(values.state(news)));
    request.setIgnorechangesList([...ignore]);
    return diffOf(this.#sdk, await this.#connection.call("diff", request), { oldInputs, oldOutputs, news });
  }

  async create(urn: string, news: ValueMap, timeout: number, preview: boolean) {
    const { values, previews } = await this.#configure();
    if (preview && !previews) return { id: "", outputs: news };
    const request = about(new this.#sdk.provider.CreateRequest(), urn);
    request.setProperties(this.#message(values.inputs(news)));
    request.setTimeout(timeout);
    request.setPreview(preview);
    const answer = await partial(this.#connection.call("create", request), (made) => values.outputs(made, news, news));
    const id = answer.getId() as string;
    if (id === "" && !preview) throw new Error("the provider answered the creation without an id");
    return { id, outputs: values.outputs(toValueMap(answer.getProperties()), news) };
  }

  async read(urn: string, id: string, inputs: ValueMap, state: ValueMap) {
    if (!this.isConfigured) return { id: "", outputs: {}, inputs: {} };
    const { values } = await this.#configure();
    const request = about(new this.#sdk.provider.ReadRequest(), urn);
    request.setId(id);
    request.setInputs(this.#message(values.state(inputs)));
    request.setProperties(this.#message(values.state(state)));
    const answer = await partial(this.#connection.call("read", request), (made) => values.outputs(made, state, state));
    const live = answer.getInputs();
    return {
      id: answer.getId() as string,
      outputs: values.outputs(toValueMap(answer.getProperties()), state, state, inputs),
      inputs: live && values.outputs(toValueMap(live), inputs, inputs, state),
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
    const { values, previews } = await this.#configure();
    if (preview && !previews) return news;
    const request = about(new this.#sdk.provider.UpdateRequest(), urn);
    request.setId(id);
    request.setOldInputs(this.#message(values.state(old.inputs)));
    request.setOlds(this.#message(values.state(old.outputs)));
    request.setNews(this.#message(values.inputs(news)));
    request.setIgnorechangesList([...ignore]);
    request.setTimeout(timeout);
    request.setPreview(preview);
    const answer = await partial(this.#connection.call("update", request), (made) => values.outputs(made, news, news));
    return values.outputs(toValueMap(answer.getProperties()), news, news, old.outputs);
  }

  async delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void> {
    const { values } = await this.#configure();
    const request = about(new this.#sdk.provider.DeleteRequest(), urn);
    request.setId(id);
    request.setOldInputs(this.#message(values.state(inputs)));
    request.setProperties(this.#message(values.state(outputs)));
    request.setTimeout(timeout);
    await this.#connection.call("delete", request);
  }

  async invoke(token: string, args: ValueMap): Promise<InvokeResponse> {
    if (!this.isConfigured) return { result: {}, failures: [] };
    const { values } = await this.#configure();
    const request = new this.#sdk.provider.InvokeRequest();
    request.setTok(token);
    request.setArgs(this.#message(values.inputs(args)));
    const answer = await this.#connection.call("invoke", request);
    return { result: values.outputs(toValueMap(answer.getReturn()), args), failures: failuresOf(answer) };
  }

  async construct(goal: Goal): Promise<Constructed> {
    if (this.isConfigured) await this.#configure();
    const request = constructRequest(this.#sdk, goal, this.#components);
    return constructedOf(await this.#connection.call("construct", request));
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
  return diffOf(sdk, answer, { oldInputs, oldOutputs, news });
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

interface Compared {
  oldInputs: ValueMap;
  oldOutputs: ValueMap;
  news: ValueMap;
}

function diffOf(sdk: Sdk, answer: Message, compared: Compared): DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = sdk.provider.DiffResponse.DiffChanges;
  const changes = answer.getChanges();
  return {
    changes: changes === DIFF_SOME ? "some" : changes === DIFF_NONE ? "none" : "unknown",
    replaces: answer.getReplacesList(),
    deleteBeforeReplace: answer.getDeletebeforereplace(),
    ...(answer.getHasdetaileddiff() && { details: detailsOf(sdk, answer, compared) }),
  };
}

/** The differences that a provider returns, with the values at their paths. */
function detailsOf(sdk: Sdk, answer: Message, { oldInputs, oldOutputs, news }: Compared): PropertyChange[] {
  const { Kind } = sdk.provider.PropertyDiff;
  const kinds: Record<number, PropertyChange["kind"]> = {
    ...{ [Kind.ADD]: "add", [Kind.ADD_REPLACE]: "add" },
    ...{ [Kind.DELETE]: "delete", [Kind.DELETE_REPLACE]: "delete" },
  };
  const details: PropertyChange[] = [];
  answer.getDetaileddiffMap().forEach((diff: Message, text: string) => {
    const path = parsePath(text);
    if (path === undefined) return;
    const kind = kinds[diff.getKind()] ?? "update";
    const before = kind === "add" ? undefined : valueAt(diff.getInputdiff() ? oldInputs : oldOutputs, path);
    const after = kind === "delete" ? undefined : valueAt(news, path);
    details.push({ path, kind, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
  });
  return details;
}
