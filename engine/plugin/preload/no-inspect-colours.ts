// Preloaded (`node -r`) into programs, plain JavaScript like watchdog.ts. The SDK reports an error with
// util.inspect(error, { colors: true }), for which Node 20 needs half a minute and gigabytes with some stack traces
// (it looks for node_modules in them, to underline it). Without colours it does not, and the engine would
// remove them anyway.
(() => {
  const util = require("node:util");
  util.inspect = new Proxy(util.inspect, {
    apply(target, self, args) {
      const [value, options, ...rest] = args;
      const plain = value instanceof Error && options?.colors === true ? { ...options, colors: false } : options;
      return Reflect.apply(target, self, [value, plain, ...rest]);
    },
  });
})();
