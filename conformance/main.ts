#!/usr/bin/env node
/** The `esign-conformance` command: what is loaded with `start` comes after the check of Node's version and the cache. */
import "../cli/node-version";
import "../cli/compile-cache";

void Promise.all([import("../cli/start.js"), import("./run.js")]).then(([{ start }, { run }]) =>
  start(process.argv.slice(2), run),
);
