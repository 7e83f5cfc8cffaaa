/**
 * Loaded before everything else: Node keeps the code that it has compiled for the next run, in its own place for it below the
 * folder for temporary files (22.8 and newer; NODE_DISABLE_COMPILE_CACHE=1 forbids it). The processes that the engine starts
 * do the same, and they have most to load.
 */
import module from "node:module";

/** The members that Node 20 lacks. */
interface CompileCache {
  enableCompileCache?(): { directory?: string };
}

const directory = (module as CompileCache).enableCompileCache?.().directory;
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;
