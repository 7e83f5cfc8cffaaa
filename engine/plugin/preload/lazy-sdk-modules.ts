// Preloaded (`node -r`) into programs and providers, plain JavaScript like watchdog.ts. With each start the SDK loads a
// compiler, a package manager and a tracer, and turns the debugger on, for functions that few programs call: half of the time
// that a run takes to begin.
// Here some of its files are stood in for, and loaded when they are used.
(() => {
  // A preloaded script is one function: it must leave no names.
  const { readFileSync, realpathSync } = require("node:fs");
  const Module = require("node:module");
  const { basename, dirname, join } = require("node:path");

  let sdk = "";
  try {
    // The engine starts <sdk>/cmd/run or <sdk>/cmd/dynamic-provider.
    sdk = dirname(dirname(realpathSync(process.argv[1])));
  } catch {
    return;
  }

  /**
   * Loads the file when one of its functions is called, if `functions`, or else when one of its members is asked for. Returns what
   * loads it now.
   * @param instead members that are others than the file's
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
        has: (_, name) => name in real(),
        ownKeys: () => Reflect.ownKeys(real()),
        getOwnPropertyDescriptor: (_, name) => {
          const descriptor = Reflect.getOwnPropertyDescriptor(real(), name);
          // The proxy's own object has no members, so none can be fixed.
          return descriptor && { ...descriptor, configurable: true };
        },
      },
    );
    require.cache[module.id] = module;
    return () => real();
  };
  // The text of functions, for providers that are handed over as such, needs TypeScript.
  standIn("typescript-shim.js");
  // What packages a function in a cloud needs, npm finds out.
  standIn("runtime/closure/codePaths.js", true);
  // Programs that deploy programs.
  standIn("automation/index.js", false, { __esModule: true });
  // Spans go to a tracer whose address this engine never passes.
  const span = { end: () => {}, setAttribute: () => {}, addEvent: () => {} };
  standIn("cmd/run/tracing.js", true, { newSpan: () => span });
  // The host of providers needs three things of what runs programs: the options of its server (those of node-sdk.ts), the text of
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
  // The debugger knows where functions come from, and slows down all that is loaded while it is on. When it is turned on it tells
  // of everything that is there: once more, since the SDK listens only then.
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
