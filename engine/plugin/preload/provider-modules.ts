// Preloaded (`node -r`) into the process of dynamic providers, plain JavaScript like watchdog.ts: loads the modules that the code of
// these providers requires, as that code does, while the program is still loading.
(() => {
  const { createRequire } = require("node:module");
  const { join } = require("node:path");
  const { ENGINE_MODULES = "[]" } = process.env;
  delete process.env.ENGINE_MODULES;
  const load = createRequire(join(process.cwd(), "index.js"));
  for (const name of JSON.parse(ENGINE_MODULES))
    try {
      load(name).prepare?.();
    } catch {
      // The code that requires it says why.
    }
})();
