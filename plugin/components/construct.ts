/**
 * The components of the package for programs in every language: the classes that TypeScript programs use, run here with Pulumi's SDK.
 * Loaded with the first component, since most programs have none.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { setAllConfig } from "@pulumi/pulumi/runtime/config";
import { serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { AccountConfig } from "../../provider/components/account-config";
import { SubAccount } from "../../provider/components/subaccount";
import { version } from "../../provider/protocol/schema";
import { registerWithPlugin } from "../../provider/pulumi/dynamic-or-plugin";
import { argumentsOf } from "./arguments";
import { optionsOf } from "./options";
import { awaitFeatureSupport, promiseOf, waitForRPCs, withLocalStorage } from "./sdk";

/** A component, and what other resources of a program can use of it. */
type Construct = (
  name: string,
  args: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
) => { component: pulumi.ComponentResource; outputs: pulumi.Inputs };

const components: Record<string, Construct> = {
  "esign:index:AccountConfig"(name, args, options) {
    const component = new AccountConfig(name, args as never, options);
    const ids = Object.entries(component.companies).map(([folder, { company }]) => [folder, company.companyId]);
    return { component, outputs: { companyIds: Object.fromEntries(ids) } };
  },
  "esign:index:SubAccount"(name, args, options) {
    const component = new SubAccount(name, args as never, options);
    const { companyId, apiKey } = component.company;
    return { component, outputs: { companyId, apiKey } };
  },
};

registerWithPlugin(version);

/** Those that wait for their resources: a failure that nothing else handles is theirs. */
const waiting = new Set<(error: unknown) => void>();
process.on("unhandledRejection", (error) => {
  for (const fail of waiting) fail(error);
});

/** `engine`: its address. `provider`: a reference to this process, which serves what is in the component unless the program says otherwise. */
export async function construct(
  request: messages.ConstructRequest,
  engine: string | undefined,
  provider: string | undefined,
): Promise<messages.ConstructResponse> {
  const type = request.getType();
  const create = Object.hasOwn(components, type) ? components[type] : undefined;
  if (create === undefined)
    throw new Error(`${type || "nothing"} is not a component of this plugin (${Object.keys(components).join(", ")})`);
  let fail = (_: unknown): void => {};
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  waiting.add(fail);
  try {
    // The SDK keeps what it knows of a run in there.
    return await Promise.race([withLocalStorage(() => run(request, engine, provider, create)), failure]);
  } finally {
    waiting.delete(fail);
  }
}

async function run(request: messages.ConstructRequest, engine = "", provider: string | undefined, create: Construct) {
  resetOptions(
    request.getProject(),
    request.getStack(),
    request.getParallel(),
    engine,
    request.getMonitorendpoint(),
    request.getDryrun(),
    request.getOrganization(),
  );
  await awaitFeatureSupport();
  setAllConfig(Object.fromEntries(request.getConfigMap().entries()), request.getConfigsecretkeysList());
  const { component, outputs } = create(request.getName(), await argumentsOf(request), optionsOf(request, provider));
  const response = new messages.ConstructResponse();
  response.setUrn(await promiseOf(component.urn));
  const [state, dependencies] = await serializeResourceProperties(request.getName(), outputs);
  response.setState(Struct.fromJavaScript(state as never));
  for (const [name, resources] of dependencies) {
    const urns = new messages.ConstructResponse.PropertyDependencies();
    urns.setUrnsList(await Promise.all([...resources].map(({ urn }) => promiseOf(urn))));
    response.getStatedependenciesMap().set(name, urns);
  }
  await waitForRPCs();
  return response;
}
