#!/usr/bin/env node
/** The `esign` command. */
import "./node-version";
import "./compile-cache";
import { Exit } from "./output/exit-codes";
import { mustFinish, note } from "./output/terminal";
import { run } from "./run";

// A closed pipe (`esign … | head`) or terminal is not an error. A file that cannot be written is, and is reported once.
let isLost = false;
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    const isGone = error.code === "EPIPE" || error.code === "EIO";
    if (!isGone && !isLost) {
      isLost = true;
      note(`error: cannot write the output: ${error.message}`);
    }
    // Work that changes something goes on to its end.
    if (!mustFinish()) process.exit(isGone ? Exit.ok : Exit.failed);
  });

void run(process.argv.slice(2)).then((code) => {
  if (code === Exit.ok && isLost) code = Exit.failed;
  if (code !== Exit.ok) process.exitCode = code;
});
