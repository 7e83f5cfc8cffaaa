// Preloaded (`node -r`) into programs, plain JavaScript like watchdog.ts. The SDK notes the stack of every promise that it
// makes, with each frame looked up in source maps: two fifths of a program's time, for a text that is read only where
// PULUMI_DEBUG_PROMISE_LEAKS asks for it. Without that, those stacks are empty; all others are as ever.
(() => {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return;
  const wrapped = new WeakSet();
  let prepare = Error.prepareStackTrace;
  // Source map libraries set Error.prepareStackTrace, one over the other: each is wrapped.
  Object.defineProperty(Error, "prepareStackTrace", {
    configurable: true,
    enumerable: true,
    get: () => prepare,
    set(inner) {
      prepare = inner;
      if (typeof inner !== "function" || wrapped.has(inner)) return;
      prepare = (error, frames) => {
        const isOfPromise = frames[0]?.getFunctionName() === "debuggablePromise";
        return isOfPromise && frames[0]?.getFileName()?.endsWith("debuggable.js") ? "" : inner(error, frames);
      };
      wrapped.add(prepare);
    },
  });
})();
