// A process that runs one program, or one provider, after the other: packages stay loaded, everything else is loaded anew for
// each. See warm-processes.ts.
"use strict";
const Module = require("node:module");
const path = require("node:path");

const send = (message) => process.connected && process.send(message);
for (const stream of ["stdout", "stderr"])
  process[stream].write = (chunk, ...rest) => {
    send({ stream, text: String(chunk) });
    rest.find((one) => typeof one === "function")?.();
    return true;
  };

// What others listen to is taken back after each run.
const on = process.on.bind(process);
const listeners = [];
process.on = (event, listener) => {
  listeners.push([event, listener]);
  return on(event, listener);
};

on("disconnect", () => process.exit());

// A program is at its end when nothing is under way any more. The SDK waits for that once, then calls the engine, and then there
// is nothing again; after an error it calls nobody, and this process ends as every other.
let emptied = 0;
on("beforeExit", () => {
  if (++emptied < 3) return;
  process.channel.ref();
  send({ code: 0 });
});

const ownExtensions = { ...Module._extensions };
const isKept = (file) => /[\\/]node_modules[\\/]/.test(file) && !/[\\/]cmd[\\/](run|dynamic-provider)[\\/]/.test(file);

on("message", ({ script, args, cwd, env }) => {
  for (const [event, listener] of listeners.splice(0)) process.off(event, listener);
  const settings = require.cache[path.join(script, "../../runtime/settings.js")];
  settings?.exports.disconnectSync();
  for (const name of ["globalStore", "stackResource"]) delete globalThis[name];
  for (const file of Object.keys(require.cache)) if (!isKept(file)) delete require.cache[file];
  // Where a relative path led to in another folder.
  for (const key of Object.keys(Module._pathCache)) delete Module._pathCache[key];
  for (const name of Object.keys(Module._extensions)) if (!(name in ownExtensions)) delete Module._extensions[name];
  Object.assign(Module._extensions, ownExtensions);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, script, ...args];
  require(script);
  if (path.basename(script) === "run") {
    emptied = 0;
    process.channel.unref();
  }
  // A provider ends with the engine that its command line names: this one serves others after that.
  else process.argv = [process.execPath, __filename];
});
