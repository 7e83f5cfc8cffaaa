import { defineConfig } from "vitest/config";

/** The name of a file says which: `*.system.test.ts` starts processes or a browser, and needs the built package. */
const system = "test/**/*.system.test.ts";

export default defineConfig({
  test: {
    globalSetup: "test/temporary.ts",
    // See test/chance.ts.
    testTimeout: 60_000 * Number(process.env.RANDOM_TIMES || 1),
    hookTimeout: 60_000,
    reporters: ["minimal"],
    projects: [
      {
        extends: true,
        // Each worker loads the modules once, for all files: a test leaves nothing behind in them.
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [system],
          pool: "threads",
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: [system],
          pool: "forks",
          // For two cores: the third works while others wait for a deadline or for their processes (engine, program, provider host).
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
