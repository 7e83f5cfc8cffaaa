/** Runs the command of this process, and ends it as its streams do. */
import { Exit } from "./output/exit-codes";
import { mustFinish, note } from "./output/terminal";

export async function start(args: string[], run: (args: string[]) => Promise<number>): Promise<void> {
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

  const code = await run(args);
  if (code !== Exit.ok || isLost) process.exitCode = code === Exit.ok ? Exit.failed : code;
}
