#!/usr/bin/env node
/** The `esign` command: what is loaded with `start` comes after the check of Node's version and the cache. */
import "./node-version";
import "./compile-cache";

void Promise.all([import("./start.js"), import("./run.js")]).then(([{ start }, { run }]) =>
  start(process.argv.slice(2), run),
);
