/** Reports a missing Pulumi SDK with instructions, instead of Node's error. Must be imported before all modules that import the SDK. */
import { missingSdk } from "../core/pulumi-sdk";

try {
  require.resolve("@pulumi/pulumi");
} catch (cause) {
  throw Object.assign(new Error(missingSdk("pulumi-esign"), { cause }), { code: "MODULE_NOT_FOUND" });
}

// With an export, the bundler runs this where it is imported, not later as CommonJS.
export const isSdkPresent = true;
