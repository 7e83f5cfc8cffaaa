// Preloaded (`node -r`) into every process that the engine starts, so that none outlives an engine that was killed:
// the engine holds the other end of the pipe, which closes when the engine ends for any reason. Plain JavaScript and
// no module, so that it can be preloaded both from the sources and compiled.
(() => {
  const { ENGINE_PIPE } = process.env;
  // A child of such a process inherits the preloads, but its file descriptors may be other files, such as an IPC pipe.
  delete process.env.ENGINE_PIPE;
  if (ENGINE_PIPE === undefined) return;
  const { Socket } = require("node:net");
  const engine = new Socket({ fd: Number(ENGINE_PIPE), readable: true, writable: false });
  engine.on("error", () => process.kill(process.pid, "SIGKILL"));
  engine.on("close", () => process.kill(process.pid, "SIGKILL"));
  engine.resume();
  engine.unref();
})();
