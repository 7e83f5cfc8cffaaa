import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/temporary.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: real processes (engine, program, provider host) already run beside each test file.
    maxWorkers: 2,
    pool: "forks",
  },
});
