/** The provider of this package for the built-in engine: served in the same process, without messages. */
import type { LocalProviders } from "../../engine/resource/local-providers";
import type { PackageSchema } from "../../engine/resource/package-schema";
import { version } from "../output/version";

/** Another version is served by a plugin of that version: its programs and states may be of another time. */
export const localProviders: LocalProviders = {
  serves: (plugin) => plugin.name === "esign" && (plugin.version === "" || plugin.version === version),
  schema: async () => (await import("../../provider/protocol/schema.js")).schema as PackageSchema,
  // Loaded with the first run that needs it: without the classes of programs, which load Pulumi's SDK.
  load: async (host) => (await import("./local-package.js")).loadPackage(host),
};
