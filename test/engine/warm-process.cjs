// A process that runs one program, or one provider, after the other: what is loaded of the SDK stays loaded, everything else is
// loaded anew for each. See warm-processes.ts.
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

/** Called with what nobody caught. */
let fail = () => undefined;
process.setMaxListeners(0);
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => fail(error));
process.on("disconnect", () => process.exit());

const isKept = (file) =>
  /[\\/]node_modules[\\/]/.test(file) && !/[\\/]cmd[\\/]dynamic-provider[\\/]index\.js$/.test(file);

process.on("message", async ({ script, args, cwd, env }) => {
  for (const file of Object.keys(require.cache)) if (!isKept(file)) delete require.cache[file];
  // Where a relative path led to in another folder.
  for (const key of Object.keys(Module._pathCache)) delete Module._pathCache[key];
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  if (path.basename(script) === "run") await runProgram(path.dirname(path.dirname(script)), args);
  else {
    fail = (error) => console.error(error);
    process.argv = [process.execPath, script, ...args];
    require(script);
  }
});

/** As cmd/run. If it fails, the process ends as every program does: when nothing is under way any more. */
async function runProgram(sdk, args) {
  const value = (name) => args[args.indexOf(`--${name}`) + 1];
  const own = (name) => require(path.join(sdk, name));
  const [settings, { isGrpcError, RunError }] = [own("runtime/settings"), own("errors")];
  await own("runtime/state").withLocalStorage(async () => {
    const reported = new Set();
    const report = (error) => {
      if (!reported.has(error) && !isGrpcError(error))
        own("log").error(RunError.isInstance(error) ? error.message : error.stack);
      reported.add(error);
      process.exitCode ||= 32;
      process.channel.unref();
    };
    // The context of the run, whatever the one of the error.
    fail = require("node:async_hooks").AsyncLocalStorage.bind(report);
    const parallel = Number(value("parallel"));
    const [engine, monitor] = [value("engine"), value("monitor")];
    settings.resetOptions(
      value("project"),
      value("stack"),
      parallel,
      engine,
      monitor,
      args.includes("--dry-run"),
      value("organization"),
    );
    try {
      await own("runtime/stack").runInPulumiStack(async () => {
        const exported = require(path.resolve(args.at(-1)));
        return typeof exported === "function" ? exported() : exported;
      });
    } catch (error) {
      report(error);
    }
    if (reported.size > 0) return;
    await settings.disconnect(true);
    if (reported.size > 0) return;
    send({ code: process.exitCode ?? 0 });
    process.exitCode = undefined;
  });
}
