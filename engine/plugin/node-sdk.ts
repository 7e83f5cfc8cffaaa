/**
 * Finds and loads the program's own @pulumi/pulumi. The engine uses its gRPC library and its generated messages and services, so that
 * engine and program have the same version of the protocol.
 *
 * Used for: finding `cmd/run` and `cmd/dynamic-provider`, and all messages.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { EngineError, messageOf } from "../errors";
import type { ValueMap } from "../resource/property-value";

/** The tested versions, both ends included; at the upper end every patch version. A newer minor version is tried, too. */
const TESTED = { from: [3, 216, 0], to: [3, 270] } as const;

// The generated code has no usable types for a library that is found at run time.
// biome-ignore lint/suspicious/noExplicitAny: loaded from the program's own dependencies
type Loaded = any;
/** A generated message. */
export type Message = Loaded;

/** An SDK that was found but not loaded. */
export interface FoundSdk {
  version: string;
  directory: string;
  /** False if it is newer than the tested versions. */
  isTested: boolean;
}

export interface Sdk extends FoundSdk {
  /** Paths of the SDK's two executables. */
  runPath: string;
  dynamicProviderPath: string;
  grpc: Loaded;
  /** google.protobuf.Struct and Value. */
  struct: Loaded;
  empty: Loaded;
  engine: Loaded;
  engineService: Loaded;
  resource: Loaded;
  resourceService: Loaded;
  provider: Loaded;
  providerClient: Loaded;
  /** A function, since it is needed only if a plugin constructs a component with aliases. */
  alias: () => Loaded;
  /** A function, since it is needed only for policy packs. */
  analyzer: () => Loaded;
  analyzerClient: () => Loaded;
  /** A function, since it is needed only for resource hooks. */
  callback: () => Loaded;
  callbackClient: () => Loaded;
  status: Loaded;
}

/** The newest tested version, without the patch. */
export const newestTested = TESTED.to.join(".");

const INSTALL_HINT = `Install a version in that range (npm install @pulumi/pulumi@~${newestTested}.0), or use the Pulumi CLI`;

/**
 * Finds the SDK and checks its version, without loading it.
 * @param elsewhere a folder whose SDK to use if the program's folder has none; for a program that another process runs
 */
export function findSdk(programDirectory: string, elsewhere?: string): FoundSdk {
  // Checked first: otherwise Node would find the SDK of a folder above.
  if (!existsSync(programDirectory))
    throw new EngineError(`there is no folder ${programDirectory}, which "main" in Pulumi.yaml names`, "not-found");
  const require = createRequire(path.join(programDirectory, "package.json"));
  let manifest: string;
  try {
    manifest = require.resolve("@pulumi/pulumi/package.json");
  } catch (cause) {
    if (elsewhere !== undefined) return findSdk(elsewhere);
    throw new EngineError(
      `@pulumi/pulumi is not installed for ${programDirectory}: run \`npm install\` there, or \`npm install @pulumi/pulumi\` if its package.json does not name it`,
      "not-found",
      { cause },
    );
  }
  const version = String((require(manifest) as { version: string }).version);
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  const [a, b, c] = TESTED.from;
  const [x, y] = TESTED.to;
  const tooOld = major < a || (major === a && (minor < b || (minor === b && patch < c)));
  const isTested = major === x && minor <= y;
  // A newer minor version is allowed, since each SDK also works with an older Pulumi CLI. If a change in it matters, loading it or a
  // request of the program fails.
  if (tooOld || major > x)
    throw new EngineError(
      `the built-in engine is tested with @pulumi/pulumi ${TESTED.from.join(".")} to ${newestTested}; ` +
        `${programDirectory} has ${version}. ${INSTALL_HINT}`,
    );
  return { version, directory: path.dirname(manifest), isTested };
}

/**
 * A hint to append to an error of the TypeScript compiler; empty if it does not apply. If the project has no TypeScript, the SDK silently
 * uses its own old version, and a user who only forgot `npm install` gets an error about tsconfig.json.
 */
export function compilerHint(message: string, sdkDirectory: string, programDirectory: string): string {
  if (!message.includes("TSError:")) return "";
  try {
    createRequire(path.join(sdkDirectory, "index.js")).resolve("typescript");
    return "";
  } catch {
    return `\nTypeScript is not installed for ${programDirectory}, and Pulumi's own is old: run \`npm install\` there, or \`npm install typescript@5\``;
  }
}

export function loadSdk(found: FoundSdk): Sdk {
  try {
    return loadLibraries(found);
  } catch (cause) {
    if (found.isTested) throw cause;
    throw new EngineError(
      `@pulumi/pulumi ${found.version} in ${found.directory} is newer than what the built-in engine is tested with, and it has changed: ${messageOf(cause)}. ${INSTALL_HINT}`,
      undefined,
      { cause },
    );
  }
}

function loadLibraries(found: FoundSdk): Sdk {
  const require = createRequire(path.join(found.directory, "index.js"));
  const own = (name: string): Loaded => require(path.join(found.directory, "proto", name));
  if (!found.isTested) for (const program of ["run", "dynamic-provider"]) require.resolve(`./cmd/${program}`);
  return {
    ...found,
    runPath: path.join(found.directory, "cmd", "run"),
    dynamicProviderPath: path.join(found.directory, "cmd", "dynamic-provider"),
    grpc: require("@grpc/grpc-js"),
    struct: require("google-protobuf/google/protobuf/struct_pb.js"),
    empty: require("google-protobuf/google/protobuf/empty_pb.js"),
    engine: own("engine_pb.js"),
    engineService: own("engine_grpc_pb.js"),
    resource: own("resource_pb.js"),
    resourceService: own("resource_grpc_pb.js"),
    provider: own("provider_pb.js"),
    providerClient: own("provider_grpc_pb.js"),
    alias: () => own("alias_pb.js"),
    analyzer: () => own("analyzer_pb.js"),
    analyzerClient: () => own("analyzer_grpc_pb.js"),
    callback: () => own("callback_pb.js"),
    callbackClient: () => own("callback_grpc_pb.js"),
    status: own("status_pb.js"),
  };
}

/** Options for connections on this machine: messages may have any size, and a busy program may not answer a ping for seconds. */
export const CHANNEL_OPTIONS = {
  "grpc.enable_http_proxy": 0,
  "grpc.max_receive_message_length": -1,
  "grpc.server_max_unrequested_time_in_server": 30 * 60,
};

/** Converts properties in memory to a google.protobuf.Struct; `fromStruct` is the inverse. */
export const toStruct = (sdk: Sdk, m: ValueMap): Message => sdk.struct.Struct.fromJavaScript(m);
export const toValueMap = (struct: Message): ValueMap => (struct?.toJavaScript() ?? {}) as ValueMap;
