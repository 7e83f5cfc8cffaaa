#!/usr/bin/env node
/** The `esign` command. */
import { Exit } from "./exit";
import { run } from "./run";

// A reader that goes away (`esign … | head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(Exit.ok);
  throw error;
});

void run(process.argv.slice(2)).then((code) => {
  if (code !== Exit.ok) process.exitCode = code;
});
