/** An engine's side of the plugin: the messages that it sends, and what it reads in the answers. */
import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { propertiesOf, structOf } from "../../plugin/messages";
import type { Properties } from "../../provider/core/pulumi-values";

export const urnOf = (kind: string, name: string, stack = "dev"): string =>
  `urn:pulumi:${stack}::shop::esign:index:${kind}::${name}`;

export type Answer<R> = (error: ServiceError | null, response: R) => void;

/** A failure with what the engine keeps of the object. */
export interface PartialError extends Error {
  partial?: { id: string; properties: Properties; reasons: string[] };
}

/** What calls the methods of a service, over a connection or not. */
export type ServiceMethods = Pick<
  ResourceProviderClient,
  "checkConfig" | "diffConfig" | "configure" | "check" | "diff" | "create" | "update" | "read" | "delete" | "invoke"
>;

export class PluginClient<Methods extends ServiceMethods = ServiceMethods> {
  constructor(readonly client: Methods) {}

  configure(settings: Properties): Promise<messages.ConfigureResponse> {
    const request = new messages.ConfigureRequest();
    request.setArgs(structOf(settings));
    return this.call((answer) => this.client.configure(request, answer));
  }

  /** Sends one message. */
  call<R>(send: (answer: Answer<R>) => unknown): Promise<R> {
    return new Promise((resolve, reject) =>
      send((error, response) => (error === null ? resolve(response) : reject(decode(error)))),
    );
  }

  async checkConfig(news: Properties) {
    const request = new messages.CheckRequest();
    request.setUrn("urn:pulumi:dev::shop::pulumi:providers:esign::default");
    request.setNews(structOf(news));
    return checked(await this.call<messages.CheckResponse>((answer) => this.client.checkConfig(request, answer)));
  }

  async diffConfig(olds: Properties, news: Properties): Promise<messages.DiffResponse.AsObject> {
    const request = diffRequest(olds, news);
    return (await this.call<messages.DiffResponse>((answer) => this.client.diffConfig(request, answer))).toObject();
  }

  async check(urn: string, olds: Properties, news: Properties) {
    const request = new messages.CheckRequest();
    request.setUrn(urn);
    request.setOlds(structOf(olds));
    request.setNews(structOf(news));
    return checked(await this.call<messages.CheckResponse>((answer) => this.client.check(request, answer)));
  }

  async diff(urn: string, id: string, olds: Properties, news: Properties) {
    const request = diffRequest(olds, news);
    request.setUrn(urn);
    request.setId(id);
    const response = await this.call<messages.DiffResponse>((answer) => this.client.diff(request, answer));
    const { detaileddiffMap, replacesList, deletebeforereplace, changes } = response.toObject();
    const details = Object.fromEntries(detaileddiffMap.map(([path, { kind }]) => [path, kind]));
    return { isChanged: changes === 2, details, replaces: replacesList, deleteBeforeReplace: deletebeforereplace };
  }

  async create(urn: string, news: Properties, isPreview = false): Promise<{ id: string; outs: Properties }> {
    const request = new messages.CreateRequest();
    request.setUrn(urn);
    request.setProperties(structOf(news));
    request.setPreview(isPreview);
    const response = await this.call<messages.CreateResponse>((answer) => this.client.create(request, answer));
    return { id: response.getId(), outs: propertiesOf(response.getProperties()) };
  }

  async update(urn: string, id: string, olds: Properties, news: Properties, isPreview = false): Promise<Properties> {
    const request = new messages.UpdateRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(structOf(olds));
    request.setNews(structOf(news));
    request.setPreview(isPreview);
    const response = await this.call<messages.UpdateResponse>((answer) => this.client.update(request, answer));
    return propertiesOf(response.getProperties());
  }

  async read(urn: string, id: string, state: Properties = {}, inputs: Properties = {}) {
    const request = new messages.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(structOf(state));
    request.setInputs(structOf(inputs));
    const response = await this.call<messages.ReadResponse>((answer) => this.client.read(request, answer));
    return {
      id: response.getId(),
      props: propertiesOf(response.getProperties()),
      inputs: propertiesOf(response.getInputs()),
    };
  }

  async delete(urn: string, id: string, state: Properties): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(structOf(state));
    await this.call<Empty>((answer) => this.client.delete(request, answer));
  }

  async invoke(token: string, args: Properties): Promise<{ result: Properties; failures: string[] }> {
    const request = new messages.InvokeRequest();
    request.setTok(token);
    request.setArgs(structOf(args));
    const response = await this.call<messages.InvokeResponse>((answer) => this.client.invoke(request, answer));
    return {
      result: propertiesOf(response.getReturn()),
      failures: response.getFailuresList().map((failure) => failure.getReason()),
    };
  }
}

function diffRequest(olds: Properties, news: Properties): messages.DiffRequest {
  const request = new messages.DiffRequest();
  request.setOlds(structOf(olds));
  request.setNews(structOf(news));
  return request;
}

const checked = (response: messages.CheckResponse) => ({
  inputs: propertiesOf(response.getInputs()),
  failures: response.getFailuresList().map((failure) => failure.getReason()),
});

function decode(error: ServiceError): PartialError {
  const result: PartialError = new Error(error.details);
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (details === undefined) return result;
  const [detail] = Status.deserializeBinary(details as Buffer).getDetailsList();
  const failure = messages.ErrorResourceInitFailed.deserializeBinary(detail!.getValue_asU8());
  result.partial = {
    id: failure.getId(),
    properties: propertiesOf(failure.getProperties()),
    reasons: failure.getReasonsList(),
  };
  return result;
}
