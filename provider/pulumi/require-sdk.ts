/** To be imported before all that imports Pulumi's SDK: an error that says what to install, in place of Node's. */
import { missingSdk } from "../core/pulumi-sdk";

try {
  require.resolve("@pulumi/pulumi");
} catch (cause) {
  throw Object.assign(new Error(missingSdk("pulumi-esign"), { cause }), { code: "MODULE_NOT_FOUND" });
}

// With an export, the bundler runs this where it is imported, not later as CommonJS.
export const isSdkPresent = true;
