/** The provider of this package for the built-in engine: served in the same process, without messages. */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { InProcessDynamicProviders, InProcessProviders } from "../../engine/resource/in-process-providers";
import type { PackageSchema } from "../../engine/resource/package-schema";
import { handlerNamedIn } from "../../provider/core/provider-text";
import { packageFolder, version } from "../output/version";

/** Where the programs of a folder find this package; undefined where they do not, or not as a file. */
function hooksFor(folder: string): string | undefined {
  try {
    return realpathSync(createRequire(join(folder, "index.js")).resolve("pulumi-esign/hooks"));
  } catch {
    return undefined;
  }
}

const dynamic: InProcessDynamicProviders = {
  isIn: (programDirectory) => {
    const found = hooksFor(programDirectory);
    return found !== undefined && found === hooksFor(packageFolder);
  },
  serves: (code) => handlerNamedIn(code) !== undefined,
  open: async (host, settings, recorded) =>
    (await import("./in-process-dynamic.js")).openDynamic(host, settings, recorded),
};

/** Another version is served by a process of that version: its programs and states may be of another time. */
export const inProcessProviders: InProcessProviders = {
  dynamic,
  serves: (plugin) => plugin.name === "esign" && (plugin.version === "" || plugin.version === version),
  schema: async () => (await import("../../provider/protocol/schema.js")).schema as PackageSchema,
  // Loaded with the first run that needs it: without the classes of programs, which load Pulumi's SDK.
  load: async (host) => (await import("./in-process-package.js")).loadPackage(host),
};
