/** The engine's side of programs: takes registrations, and answers them as a deployment does that changes nothing. */
import { Server, ServerCredentials, type ServerUnaryCall, type ServiceError, status } from "@grpc/grpc-js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { onTestFinished } from "vitest";
import { propertiesOf, structOf } from "../../plugin/messages";
import type { Properties } from "../../provider/core/pulumi-values";

export interface Registered {
  type: string;
  name: string;
  /** URN of the parent. */
  parent: string;
  inputs: Properties;
  version: string;
  /** URN and id of an explicit provider. */
  provider: string;
  /** Former types. */
  aliases: string[];
  protect: boolean;
}

export interface Monitor {
  address: string;
  registered: Registered[];
}

const features = ["secrets", "resourceReferences", "outputValues", "aliasSpecs", "deletedWith"];

/** `outputs`: what each resource of a type has besides its inputs; its id is their first. `refused`: name of the resources that fail. */
export async function startMonitor({
  outputs,
  refused,
}: {
  outputs: Record<string, Properties>;
  refused: string;
}): Promise<Monitor> {
  const registered: Registered[] = [];
  const server = new Server();
  server.addService(ResourceMonitorService as never, {
    supportsFeature: unary((request: messages.SupportsFeatureRequest) => {
      const response = new messages.SupportsFeatureResponse();
      response.setHassupport(features.includes(request.getId()));
      return response;
    }),
    registerResource: unary((request: messages.RegisterResourceRequest) => {
      const [type, name, inputs] = [request.getType(), request.getName(), propertiesOf(request.getObject())];
      registered.push({
        ...{ type, name, inputs, parent: request.getParent(), version: request.getVersion() },
        aliases: request.getAliasesList().map((alias) => alias.getSpec()?.getType() ?? alias.getUrn()),
        protect: request.getProtect() ?? false,
        provider: request.getProvider(),
      });
      if (request.getCustom() && name === refused) throw new Error(`${name} is refused`);
      const response = new messages.RegisterResourceResponse();
      response.setUrn(`urn:pulumi:dev::shop::${type}::${name}`);
      if (request.getCustom()) response.setId(String(Object.values(outputs[type] ?? {})[0] ?? name));
      response.setObject(structOf({ ...inputs, ...outputs[type] }));
      return response;
    }),
    registerResourceOutputs: unary(() => new Empty()),
  });
  const port = await new Promise<number>((resolve, reject) => {
    const done = (error: Error | null, bound: number) => (error ? reject(error) : resolve(bound));
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), done);
  });
  onTestFinished(() => server.forceShutdown());
  return { address: `127.0.0.1:${port}`, registered };
}

const unary =
  <Q, R>(work: (request: Q) => R) =>
  ({ request }: ServerUnaryCall<Q, R>, answer: (error: Partial<ServiceError> | null, response?: R) => void) => {
    try {
      answer(null, work(request));
    } catch (error) {
      answer({ code: status.UNKNOWN, details: (error as Error).message });
    }
  };
