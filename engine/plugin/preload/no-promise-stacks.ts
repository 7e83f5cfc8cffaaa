// Preloaded (`node -r`) into programs, plain JavaScript like watchdog.ts. The SDK notes the stack of every promise that it
// makes, forty for each resource, with each frame looked up in source maps: two fifths of a program's time, for a text that is
// read only where PULUMI_DEBUG_PROMISE_LEAKS asks for it. Without that, those stacks are empty; all others are as ever.
(() => {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return;
  const { join } = require("node:path");
  const extensions = require("node:module")._extensions;
  extensions[".js"] = new Proxy(extensions[".js"], {
    apply: (load, self, args) => {
      Reflect.apply(load, self, args);
      const [module, file] = args;
      // Others' exports are not looked at: they may be nothing, and have members that do something when they are read.
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
