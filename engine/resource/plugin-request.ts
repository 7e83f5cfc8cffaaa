/**
 * The plugin that a resource requests: package, version and source. They are also inputs of the provider resource.
 *
 * Used for: version and pluginDownloadURL of RegisterResource, and provider resources of the state.
 */
import type { ValueMap } from "./property-value";

export interface PluginRequest {
  /** The package. */
  name: string;
  /** Empty for the newest. */
  version: string;
  /** Where the CLI would download it from; empty for the usual place. */
  downloadUrl: string;
}

export const newestPlugin = (name: string): PluginRequest => ({ name, version: "", downloadUrl: "" });

export const keyOf = ({ name, version, downloadUrl }: PluginRequest): string => `${name}@${version} ${downloadUrl}`;

/** The input of a provider resource that only engines use: providers do not get it. */
const INTERNAL = "__internal";

/** The inputs of a provider resource that its provider gets. */
export const settingsOf = ({ [INTERNAL]: _internal, ...settings }: ValueMap = {}): ValueMap => settings;

/** The inputs of a provider resource that its provider must not change. */
export const reservedOf = (inputs: ValueMap): ValueMap =>
  Object.fromEntries(Object.entries(inputs).filter(([key]) => key === "version" || key === INTERNAL));

/** The plugin that the inputs of a provider resource request. */
export function pluginOf(name: string, { version, [INTERNAL]: internal }: ValueMap = {}): PluginRequest {
  const downloadUrl = (internal as ValueMap | undefined)?.pluginDownloadURL;
  return {
    name,
    version: typeof version === "string" ? version : "",
    downloadUrl: typeof downloadUrl === "string" ? downloadUrl : "",
  };
}

/** The inputs of a provider resource that request a plugin. */
export const pluginInputs = ({ version, downloadUrl }: PluginRequest): ValueMap => ({
  ...(version !== "" && { version }),
  ...(downloadUrl !== "" && { [INTERNAL]: { pluginDownloadURL: downloadUrl } }),
});
