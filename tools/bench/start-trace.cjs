"use strict";
// Preloaded into every process of a run by start.ts: writes down when the process began and when it listened or ended.
const { appendFileSync } = require("node:fs");
const { Server } = require("node:net");

const script = process.argv[1] ?? "";
const who = script.includes("dynamic-provider") ? "provider" : /cmd.run/.test(script) ? "program" : "esign";
const note = (what, at = performance.timeOrigin + performance.now()) =>
  appendFileSync(process.env.TRACE, `${JSON.stringify({ at, who, what })}\n`);

note("begins", performance.timeOrigin);
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once("listening", () => note("listens"));
  return listen.apply(this, args);
};
process.on("exit", () => note("ends"));
globalThis.trace = note;
