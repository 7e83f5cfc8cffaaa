// Preloaded into the embedded engine: it stands still before or after the n-th time that its state takes its new form
// on the disk (STRIKE="before 3"), reports it, and waits to be killed.
"use strict";
const { writeSync } = require("node:fs");
const files = require("node:fs/promises");
const [moment, n] = process.env.STRIKE.split(" ");
const { rename } = files;
let writes = 0;

function standStill() {
  writeSync(2, "struck\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

files.rename = async (from, to) => {
  const isHere = /[\\/]stacks[\\/].*\.json$/.test(to) && ++writes === Number(n);
  if (isHere && moment === "before") standStill();
  await rename(from, to);
  if (isHere) standStill();
};
