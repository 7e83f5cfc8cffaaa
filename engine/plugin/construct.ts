/**
 * Lets a plugin construct a component. The plugin registers the component and its children with this engine, as a program does.
 *
 * Used for: Construct of ResourceProvider, the client's side.
 */
import type { ConfigMap } from "../config/resolve-config";
import type { Alias, Goal } from "../resource/goal";
import { collectOutputDependencies, unwrapOutputValues, type ValueMap } from "../resource/property-value";
import type { Constructed } from "../resource/provider-interface";
import { type Message, type Sdk, toStruct, toValueMap } from "./node-sdk";

/** The environment in which a plugin runs the code of a component. */
export interface ComponentEnvironment {
  project: string;
  stack: string;
  dryRun: boolean;
  parallel: number;
  config: ConfigMap;
  /** The address of the engine's own services. */
  engineAddress: string;
}

export function constructRequest(sdk: Sdk, goal: Goal, environment: ComponentEnvironment): Message {
  const { ConstructRequest } = sdk.provider;
  const request = new ConstructRequest();
  request.setProject(environment.project);
  request.setStack(environment.stack);
  request.setOrganization?.("organization");
  request.setDryrun(environment.dryRun);
  request.setParallel(environment.parallel);
  request.setMonitorendpoint(environment.engineAddress);
  for (const [key, { text }] of environment.config) request.getConfigMap().set(key, text);
  request.setConfigsecretkeysList([...environment.config].flatMap(([key, { secret }]) => (secret ? [key] : [])));
  request.setType(goal.type);
  request.setName(goal.name);
  request.setParent(goal.parent ?? "");
  request.setInputs(toStruct(sdk, goal.inputs));
  for (const [name, urns] of Object.entries(goal.propertyDependencies)) {
    const dependencies = new ConstructRequest.PropertyDependencies();
    dependencies.setUrnsList(urns);
    request.getInputdependenciesMap().set(name, dependencies);
  }
  for (const [pkg, reference] of Object.entries(goal.providers)) request.getProvidersMap().set(pkg, reference);
  request.setDependenciesList(goal.dependencies);
  request.setAliasesList(goal.aliases.map((alias) => aliasMessage(sdk, alias)));
  setOptions(request, goal);
  return request;
}

function setOptions(request: Message, goal: Goal): void {
  if (goal.protect !== undefined) request.setProtect(goal.protect);
  if (goal.retainOnDelete !== undefined) request.setRetainondelete(goal.retainOnDelete);
  if (goal.deleteBeforeReplace !== undefined) request.setDeletebeforereplace(goal.deleteBeforeReplace);
  request.setDeletedwith(goal.deletedWith);
  request.setReplaceWithList?.(goal.replaceWith);
  request.setIgnorechangesList(goal.ignoreChanges);
  request.setReplaceonchangesList(goal.replaceOnChanges);
  request.setAdditionalsecretoutputsList(goal.additionalSecretOutputs);
}

function aliasMessage(sdk: Sdk, alias: Alias): Message {
  const { Alias: AliasMessage } = sdk.alias();
  const message = new AliasMessage();
  if ("urn" in alias) {
    message.setUrn(alias.urn);
    return message;
  }
  const spec = new AliasMessage.Spec();
  spec.setName(alias.name ?? "");
  spec.setType(alias.type ?? "");
  spec.setStack(alias.stack ?? "");
  spec.setProject(alias.project ?? "");
  if (alias.noParent) spec.setNoparent(true);
  else if (alias.parent) spec.setParenturn(alias.parent);
  message.setSpec(spec);
  return message;
}

export function constructedOf(response: Message): Constructed {
  const state: ValueMap = toValueMap(response.getState());
  const dependencies: Record<string, string[]> = {};
  response.getStatedependenciesMap().forEach((urns: Message, name: string) => {
    dependencies[name] = urns.getUrnsList();
  });
  for (const [name, value] of Object.entries(state))
    dependencies[name] = [...collectOutputDependencies(value, new Set(dependencies[name] ?? []))];
  return { urn: response.getUrn(), outputs: unwrapOutputValues(state), dependencies };
}
