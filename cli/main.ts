#!/usr/bin/env node
/** The `esign` command: what is loaded with `start` comes after the check of Node's version and the cache. */
import "./node-version";
import "./compile-cache";

void import("./start.js").then(({ start }) => start(process.argv.slice(2)));
