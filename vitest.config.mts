import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/temporary.ts",
    // See test/chance.ts.
    testTimeout: 60_000 * Number(process.env.RANDOM_TIMES || 1),
    hookTimeout: 60_000,
    // For two cores: the third works while others wait for a deadline or for their processes (engine, program, provider host).
    maxWorkers: 3,
    pool: "forks",
  },
});
