/** The resources in what `pulumi stack export` prints, with `--show-secrets` or without. */
import type { ResourceView } from "../../engine/index";
import { toPrintableMap } from "../../engine/resource/property-value";
import { nameOf } from "../../engine/resource/urn";
import { propertiesFromLog } from "./pulumi-values";

export interface ExportedResource {
  urn: string;
  type: string;
  id?: string;
  parent?: string;
  provider?: string;
  custom?: boolean;
  protect?: boolean;
  delete?: boolean;
  deletedWith?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

export function resourcesIn(exported: string, showSecrets: boolean): ResourceView[] {
  const { deployment } = JSON.parse(exported) as { deployment?: { resources?: ExportedResource[] } };
  return (deployment?.resources ?? []).map((resource) => viewOf(resource, showSecrets));
}

export function viewOf(resource: ExportedResource, showSecrets: boolean): ResourceView {
  const { urn, type, id, parent, provider, deletedWith, custom = false, protect = false } = resource;
  const values = (properties: Record<string, unknown> | undefined) =>
    toPrintableMap(propertiesFromLog(properties), showSecrets);
  return {
    urn,
    type,
    name: nameOf(urn),
    ...(id !== undefined && { id }),
    ...(parent !== undefined && { parent }),
    ...(provider !== undefined && { provider }),
    custom,
    protect,
    delete: resource.delete === true,
    ...(deletedWith && { deletedWith }),
    inputs: values(resource.inputs),
    outputs: values(resource.outputs),
  };
}
