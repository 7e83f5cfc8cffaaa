/** The options with which a program declares a component. */
import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { DependencyProviderResource, DependencyResource } from "@pulumi/pulumi/resource";
import { mapValues } from "../../provider/core/pulumi-values";

/** `provider`: what serves the resources of this package, unless the program names another one. */
export function optionsOf(request: ConstructRequest, provider: string | undefined): pulumi.ComponentResourceOptions {
  const [parent, deletedWith] = [request.getParent(), request.getDeletedwith()];
  const references = {
    ...(provider !== undefined && { esign: provider }),
    ...Object.fromEntries(request.getProvidersMap().entries()),
  };
  return {
    providers: mapValues(references, (reference) => new DependencyProviderResource(reference)),
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
