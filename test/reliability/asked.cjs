// Preloaded into the processes of a run of the Pulumi CLI: the provider's host notes when it is asked for the first time,
// which is when it loads the provider. Before that it can change nothing, and knows nothing of its engine.
"use strict";
const { writeFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");
const load = Module._load;

Module._load = function (request, ...more) {
  if (request === "pulumi-esign/hooks") writeFileSync(join(process.env.ASKED, String(process.pid)), "");
  return load.call(this, request, ...more);
};
