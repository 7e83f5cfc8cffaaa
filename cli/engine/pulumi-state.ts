/** The resources in what `pulumi stack export` prints, with `--show-secrets` or without. */
import type { ResourceView } from "../../engine/index";
import { resourceView } from "../../engine/resource/resource-view";
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

export function viewOf({ inputs, outputs, ...resource }: ExportedResource, showSecrets: boolean): ResourceView {
  const values = { inputs: propertiesFromLog(inputs), outputs: propertiesFromLog(outputs) };
  return resourceView({ ...resource, ...values }, showSecrets);
}
