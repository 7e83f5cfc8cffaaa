// Preloaded (`node -r`) into programs and providers, plain JavaScript like watchdog.ts. At each start the SDK loads a
// compiler, a package manager and a tracer, and enables the inspector, for functions that few programs call: half of the
// start-up time. This script replaces some of its files by proxies, which load the file on first use.
(() => {
  // A preloaded script is one function, so that it declares no globals.
  const { readFileSync, realpathSync } = require("node:fs");
  const Module = require("node:module");
  const { basename, dirname, join, sep } = require("node:path");

  let sdk = "";
  try {
    // The engine starts <sdk>/cmd/run or <sdk>/cmd/dynamic-provider.
    sdk = dirname(dirname(realpathSync(process.argv[1])));
  } catch {
    return;
  }

  /**
   * Loads the file when one of its functions is called, with `functions`, or else when one of its members is read. Returns a function that
   * loads it now.
   * @param instead members that replace those of the file
   */
  const standIn = (file = "", functions = false, instead = {}) => {
    const module = new Module(join(sdk, file));
    let real = () => {
      delete require.cache[module.id];
      const loaded = require(module.id);
      real = () => loaded;
      return loaded;
    };
    const late = (name = "") =>
      new Proxy(function late() {}, { apply: (_, self, args) => Reflect.apply(real()[name], self, args) });
    module.loaded = true;
    const member = (name = "") =>
      Object.hasOwn(instead, name) ? Reflect.get(instead, name) : functions ? late(name) : real()[name];
    module.exports = new Proxy(
      {},
      {
        get: (_, name) => member(String(name)),
        // This package hides secrets in debug messages, by a function that calls the present one.
        set: (_, name, value) => Reflect.set(Object.hasOwn(instead, name) ? instead : real(), name, value),
        has: (_, name) => name in real(),
        ownKeys: () => Reflect.ownKeys(real()),
        getOwnPropertyDescriptor: (_, name) => {
          const descriptor = Reflect.getOwnPropertyDescriptor(real(), name);
          // The proxy's target has no members, so none can be non-configurable.
          return descriptor && { ...descriptor, configurable: true };
        },
      },
    );
    require.cache[module.id] = module;
    return () => real();
  };
  // Serializes functions, for dynamic providers; needs TypeScript.
  standIn("typescript-shim.js");
  // Finds the packages that a cloud function needs; loads npm.
  standIn("runtime/closure/codePaths.js", true);
  // The Automation API, for programs that deploy programs.
  standIn("automation/index.js", false, { __esModule: true });
  // Debug messages, which this engine shows to no one: three for each resource, a request each, with all values in clear text.
  standIn("log/index.js", false, { __esModule: true, debug: async () => {} });
  // Tracing: this engine never passes the address of a tracer.
  const span = { end: () => {}, setAttribute: () => {}, addEvent: () => {} };
  standIn("cmd/run/tracing.js", true, { newSpan: () => span });
  // The provider host needs three members of the module that runs programs: the options of its server, the text of
  // an unknown value, and the name of the project.
  if (basename(process.argv[1]) === "dynamic-provider") {
    const size = 400 * 1024 * 1024;
    standIn("runtime/index.js", false, {
      grpcChannelOptions: {
        "grpc.enable_http_proxy": 0,
        "grpc.max_receive_message_length": size,
        "grpc.max_send_message_length": size,
        "grpc.server_max_unrequested_time_in_server": 30 * 60,
      },
    });
    const text = readFileSync(join(sdk, "runtime/rpc.js"), "utf8");
    const [, unknownValue] = /^exports\.unknownValue = "([^"]+)";$/m.exec(text) ?? [];
    if (unknownValue !== undefined) standIn("runtime/rpc.js", true, { unknownValue });
    standIn("metadata.js", true, { getProject: () => process.env.PULUMI_NODEJS_PROJECT || "" });
  }
  // A resource records the stack of its registration, for which the source maps of the SDK's own files take a tenth of a small
  // program's time. Their sources are not installed.
  if (basename(process.argv[1]) === "run") {
    const empty = { version: 3, sources: [], names: [], mappings: "" };
    const retrieveSourceMap = (file = "") => (file.startsWith(sdk + sep) ? { url: file, map: empty } : null);
    Module.createRequire(join(sdk, "cmd/run/index.js"))("source-map-support").install({ retrieveSourceMap });
  }
  // The inspector knows the source positions of functions, and slows down all code that is loaded while it is enabled. On enabling, it
  // reports all scripts: it is enabled again here, since the SDK listens only from then on.
  let session = () => {
    const begin = async () => {
      const begun = await hooks().getSessionAsync();
      begun.post("Debugger.disable");
      begun.post("Debugger.enable");
      return begun;
    };
    const begun = begin();
    session = () => begun;
    return begun;
  };
  const hooks = standIn("runtime/closure/v8Hooks.js", true, {
    isInitializedAsync: async () => undefined,
    getSessionAsync: () => session(),
  });
})();
