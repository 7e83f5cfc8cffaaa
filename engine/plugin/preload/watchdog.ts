// Preloaded (`node -r`) into every process that the engine starts, so that none outlives an engine that was killed:
// the engine holds the other end of the pipe, which closes with it, whatever ends it. Plain JavaScript that
// is valid as it stands, and no module, so that it can be preloaded from the sources as well as compiled.
(() => {
  const { ENGINE_PIPE } = process.env;
  // What such a process starts in turn gets its preloads, but other files under its numbers, such as the pipe of its messages.
  delete process.env.ENGINE_PIPE;
  if (ENGINE_PIPE === undefined) return;
  const { Socket } = require("node:net");
  const engine = new Socket({ fd: Number(ENGINE_PIPE), readable: true, writable: false });
  engine.on("error", () => process.kill(process.pid, "SIGKILL"));
  engine.on("close", () => process.kill(process.pid, "SIGKILL"));
  engine.resume();
  engine.unref();
})();
