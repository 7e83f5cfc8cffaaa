// Preloaded (`node -r`) into programs, plain JavaScript like watchdog.ts. The SDK records the stack of every promise that it
// creates, forty for each resource, and looks up each frame in source maps. That takes two fifths of a program's time, for a text
// that is used only with PULUMI_DEBUG_PROMISE_LEAKS. Without this variable, these stacks are empty; all others are unchanged.
(() => {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return;
  const { join } = require("node:path");
  const extensions = require("node:module")._extensions;
  extensions[".js"] = new Proxy(extensions[".js"], {
    apply: (load, self, args) => {
      Reflect.apply(load, self, args);
      const [module, file] = args;
      // Exports of other modules are not inspected: they may be undefined, and reading their members may have side effects.
      if (!file.endsWith(join("runtime", "debuggable.js")) || typeof module.exports?.debuggablePromise !== "function")
        return;
      module.exports.debuggablePromise = new Proxy(module.exports.debuggablePromise, {
        apply: (make, it, args) => {
          const limit = Error.stackTraceLimit;
          Error.stackTraceLimit = 0;
          try {
            return Reflect.apply(make, it, args);
          } finally {
            Error.stackTraceLimit = limit;
          }
        },
      });
    },
  });
})();
