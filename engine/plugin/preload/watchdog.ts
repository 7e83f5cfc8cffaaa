// Preloaded (`node -r`) into every process that the engine starts, so that none outlives an engine that was killed:
// the engine holds the other end of file descriptor 3, which closes with it, whatever ends it. Plain JavaScript that
// is valid as it stands, and no module, so that it can be preloaded from the sources as well as compiled.
(() => {
  const { Socket } = require("node:net");
  const engine = new Socket({ fd: 3, readable: true, writable: false });
  engine.on("error", () => process.kill(process.pid, "SIGKILL"));
  engine.on("close", () => process.kill(process.pid, "SIGKILL"));
  engine.resume();
  engine.unref();
})();
