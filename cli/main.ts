#!/usr/bin/env node
/** The `esign` command. */
import "./compile-cache";
import { Exit } from "./output/exit-codes";
import { mustFinish, note } from "./output/terminal";
import { run } from "./run";

// A reader that goes away (`esign … | head`) is no error, and a terminal that does leaves nobody to tell. A file that does not
// take what is printed is one, and is said once.
let isLost = false;
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    const isGone = error.code === "EPIPE" || error.code === "EIO";
    if (!isGone && !isLost) {
      isLost = true;
      note(`error: what was to be printed is not written: ${error.message}`);
    }
    // What changes something goes on to its end.
    if (!mustFinish()) process.exit(isGone ? Exit.ok : Exit.failed);
  });

void run(process.argv.slice(2)).then((code) => {
  if (code === Exit.ok && isLost) code = Exit.failed;
  if (code !== Exit.ok) process.exitCode = code;
});
