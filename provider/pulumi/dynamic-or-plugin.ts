/** How this process registers resources: as dynamic ones, in programs; or as the plugin's, in components that the plugin serves. */
import { dynamicTypeOf, pluginTypeOf } from "../../definitions/kind";

/** Version of the plugin that serves the resources; undefined for dynamic ones. */
let plugin: string | undefined;

/** For all that the process registers from now on. */
export function registerWithPlugin(version: string): void {
  plugin = version;
}

export const pluginVersion = (): string | undefined => plugin;

/** The type that the resources of a kind have in the other form: a stack goes on in either, as the schema has it for generated SDKs. */
export const otherTypeOfKind = (kind: string): string =>
  plugin === undefined ? pluginTypeOf(kind) : dynamicTypeOf(kind);

/** Type of the resources of a kind, for the engine. */
export const typeOfKind = (kind: string): string => (plugin === undefined ? dynamicTypeOf(kind) : pluginTypeOf(kind));
