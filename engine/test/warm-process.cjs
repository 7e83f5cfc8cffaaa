// A process that runs one program, or one provider, after the other: packages stay loaded, everything else is loaded again for
// each. See warm-processes.ts.
"use strict";
const { AsyncLocalStorage } = require("node:async_hooks");
const Module = require("node:module");
const path = require("node:path");
const vm = require("node:vm");

const send = (message) => process.connected && process.send(message);
for (const stream of ["stdout", "stderr"])
  process[stream].write = (chunk, ...rest) => {
    send({ stream, text: String(chunk) });
    rest.find((one) => typeof one === "function")?.();
    return true;
  };

// What others listen to is removed after each run.
const on = process.on.bind(process);
const listeners = [];
process.on = (event, listener) => {
  listeners.push([event, listener]);
  return on(event, listener);
};

// What an earlier run has left behind ends nothing any more: a provider that notices the end of its engine. (A call of gRPC's server has
// lost whose it is: only the current run's is called.)
const exit = process.exit.bind(process);
const current = new AsyncLocalStorage();
let run = {};
process.exit = (code) => {
  if ([undefined, run].includes(current.getStore())) exit(code);
};

on("disconnect", () => exit());

// A program is at its end when nothing is in progress any more. The SDK waits for that once, then calls the engine, and then there
// is nothing again. After an error it calls nothing, and says on leaving with which code.
let emptied = 0;
let hasFailed = false;
let isRunning = false;
// By the end of its run, which it does not wait for: what it still does fails without its engine.
let isInterrupted = false;
let sdk = "";
const ofSdk = (module) => require.cache[path.join(sdk, module)]?.exports;
for (const event of ["uncaughtException", "unhandledRejection"])
  on(event, () => {
    hasFailed = true;
  });
on("beforeExit", (code) => {
  if (!isInterrupted) {
    if (code !== 0) return;
    if (++emptied < 3) return void (hasFailed && setImmediate(() => undefined));
    for (const [event, listener] of listeners) if (hasFailed && event === "exit") listener(0);
  }
  process.channel.ref();
  if (isInterrupted) becomeIdle();
  else send({ code: process.exitCode ?? 0 });
  isRunning = isInterrupted = false;
});

// The SDK's messages wait for each other, and for good for one that could not be delivered. Debug messages are not sent: see lazy-sdk-modules.ts.
function becomeIdle() {
  const settings = ofSdk("runtime/settings.js");
  if (settings === undefined || ofSdk("log/index.js") === undefined) return send({ isIdle: true });
  const { getEngine } = settings;
  let isDelivered = false;
  settings.getEngine = () => ({
    log: (_, done) => {
      isDelivered = true;
      done();
    },
  });
  ofSdk("log/index.js").info("");
  settings.getEngine = getEngine;
  setImmediate(() => (isDelivered ? send({ isIdle: true }) : exit()));
}

const isKept = (file) => /[\\/]node_modules[\\/]/.test(file) && !/[\\/]cmd[\\/](run|dynamic-provider)[\\/]/.test(file);

// The package's own modules are run again each time, but read and compiled once.
const built = path.join(__dirname, "../../dist") + path.sep;
const parameters = ["exports", "require", "module", "__filename", "__dirname"];
const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
const compiled = new Map();
const compile = Module.prototype._compile;
Module.prototype._compile = function (content, file) {
  if (!file.startsWith(built)) return compile.call(this, content, file);
  if (!compiled.has(file))
    compiled.set(file, vm.compileFunction(content, parameters, { filename: file, importModuleDynamically }));
  const require = (name) => this.require(name);
  Object.assign(require, Module.createRequire(file), { main: process.mainModule });
  return compiled.get(file).call(this.exports, this.exports, require, this, file, path.dirname(file));
};
const { ".js": load } = Module._extensions;
Module._extensions[".js"] = (module, file) => (compiled.has(file) ? module._compile("", file) : load(module, file));
const ownExtensions = { ...Module._extensions };
let isPreloaded = false;

on("message", ({ script, preload, args, cwd, env }) => {
  run = {};
  if (script === undefined) {
    isInterrupted = isRunning;
    return isRunning ? ofSdk("runtime/settings.js")?.disconnectSync() : becomeIdle();
  }
  for (const [event, listener] of listeners.splice(0)) process.off(event, listener);
  ofSdk("runtime/settings.js")?.disconnectSync();
  sdk = path.join(script, "../..");
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
  if (!isPreloaded) for (const file of preload) require(file);
  isPreloaded = true;
  emptied = 0;
  hasFailed = false;
  process.exitCode = undefined;
  isRunning = path.basename(script) === "run";
  current.run(run, require, script);
  if (isRunning) process.channel.unref();
});
