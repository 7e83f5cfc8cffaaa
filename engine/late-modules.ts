// Preloaded (`node -r`) into programs and providers, plain JavaScript like watchdog.ts. With each start the SDK loads a
// compiler and a package manager, for functions that few programs call: a third of the time that a run takes to begin.
// Here two of its files are stood in for, and loaded when they are used.
(() => {
  const { realpathSync } = require("node:fs");
  const Module = require("node:module");
  const { dirname, join } = require("node:path");

  let sdk = "";
  try {
    // The engine starts <sdk>/cmd/run or <sdk>/cmd/dynamic-provider.
    sdk = dirname(dirname(realpathSync(process.argv[1])));
  } catch {
    return;
  }

  /** Loads the file when one of its functions is called, if `functions`, or else when one of its members is asked for. */
  const standIn = (file = "", functions = false) => {
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
    module.exports = new Proxy({}, { get: (_, name) => (functions ? late(String(name)) : real()[name]) });
    require.cache[module.id] = module;
  };
  // The text of functions, for providers that are handed over as such, needs TypeScript.
  standIn("typescript-shim.js");
  // What packages a function in a cloud needs, npm finds out.
  standIn("runtime/closure/codePaths.js", true);
})();
