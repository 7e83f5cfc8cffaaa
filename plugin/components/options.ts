/** The options with which a program declares a component. */
import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { DependencyProviderResource, DependencyResource } from "@pulumi/pulumi/resource";

export function optionsOf(request: ConstructRequest): pulumi.ComponentResourceOptions {
  const [parent, deletedWith] = [request.getParent(), request.getDeletedwith()];
  const providers = [...request.getProvidersMap().entries()].map(([pkg, reference]) => [
    pkg,
    new DependencyProviderResource(reference),
  ]);
  return {
    providers: Object.fromEntries(providers),
    dependsOn: request.getDependenciesList().map((urn) => new DependencyResource(urn)),
    aliases: request.getAliasesList().map((alias) => (alias.hasUrn() ? alias.getUrn() : aliasOf(alias.getSpec()!))),
    ...(parent !== "" && { parent: new DependencyResource(parent) }),
    ...(deletedWith !== "" && { deletedWith: new DependencyResource(deletedWith) }),
    ...(request.getProtect() && { protect: true }),
    ...(request.getRetainondelete() && { retainOnDelete: true }),
  };
}

function aliasOf(spec: Alias.Spec): pulumi.Alias {
  const [name, type, project, stack] = [spec.getName(), spec.getType(), spec.getProject(), spec.getStack()];
  return {
    ...(name !== "" && { name }),
    ...(type !== "" && { type }),
    ...(project !== "" && { project }),
    ...(stack !== "" && { stack }),
    ...(spec.hasParenturn() && { parent: spec.getParenturn() }),
    ...(spec.getNoparent() && { parent: pulumi.rootStackResource }),
  };
}
