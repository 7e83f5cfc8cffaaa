/** What an engine sends where a program declares a component. */
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { propertiesOf, structOf } from "../../plugin/messages";
import type { Properties } from "../../provider/core/pulumi-values";
import { PluginClient } from "./client";
import type { Monitor } from "./monitor";

export async function construct(
  client: ResourceProviderClient,
  monitor: Monitor,
  type: string,
  name: string,
  args: Properties,
  isPreview: boolean,
  providers: Record<string, string> = {},
): Promise<{ urn: string; state: Properties }> {
  const request = new messages.ConstructRequest();
  request.setProject("shop");
  request.setStack("dev");
  request.setDryrun(isPreview);
  request.setParallel(4);
  request.setMonitorendpoint(monitor.address);
  request.setType(`esign:index:${type}`);
  request.setName(name);
  request.setParent("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev");
  request.setInputs(structOf(args));
  for (const [name, reference] of Object.entries(providers)) request.getProvidersMap().set(name, reference);
  const response = await new PluginClient(client).call<messages.ConstructResponse>((answer) =>
    client.construct(request, answer),
  );
  return { urn: response.getUrn(), state: propertiesOf(response.getState()) };
}
