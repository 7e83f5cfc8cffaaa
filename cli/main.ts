#!/usr/bin/env node
/** The `esign` command. */
import "./compile-cache";
import { Exit } from "./exit";
import { run } from "./run";
import { isUnderWay } from "./terminal";

// A reader that goes away (`esign … | head`) is no error, and a terminal that does leaves nobody to tell.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
    // What changes something goes on to its end.
    if (!isUnderWay()) process.exit(Exit.ok);
  });

void run(process.argv.slice(2)).then((code) => {
  if (code !== Exit.ok) process.exitCode = code;
});
