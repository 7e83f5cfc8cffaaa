#!/usr/bin/env node
/** The `esign` command. Node's version is checked, and the cache of compiled code set up, before anything else is loaded. */
import "./node-version";
import "./compile-cache";

void Promise.all([import("./start.js"), import("./run.js")]).then(([{ start }, { run }]) =>
  start(process.argv.slice(2), run),
);
