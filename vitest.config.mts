import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import LongestFirst from "./tools/longest-first.mjs";

// See test/chance.ts.
const times = Number(process.env.RANDOM_TIMES || 1);

/**
 * The name of a file says how it runs. `*.system.test.ts` starts processes or a browser and needs the built package; so does
 * `*.nightly.test.ts`, which tries on real engines or at full size what others try as well. `*.slow.test.ts` starts none, and takes
 * more than two seconds or computes for more than one.
 */
const files = (ending: string) => ["test", "engine/test"].map((folder) => `${folder}/**/*${ending}`);
const system = files(".system.test.ts");
const nightly = files(".nightly.test.ts");

// What the plugin serves as well as the handlers of the dynamic form: see test/plugin/handlers.ts.
const onlyDynamic = ["move-from-plugin.test.ts"];
const bothForms = readdirSync("test/provider")
  .filter((name) => name.endsWith(".test.ts") && !name.endsWith(".system.test.ts") && !onlyDynamic.includes(name))
  .map((name) => `test/provider/${name}`)
  .filter((file) => /from "\.\/(on-stage|handlers)"/.test(readFileSync(file, "utf8")));

// `npm run test:fast` is without what takes seconds, and without the tests of `npm run check`.
const isShort = process.env.SHORT_TESTS === "yes";
const leftOut = isShort ? ["**/*.slow.test.ts", "test/repo/**"] : [];

/**
 * The package as it is built. Of system tests, some work while others wait for a deadline or for their processes (engine, program, provider
 * host). They have an order of their own, as projects with another number of workers must.
 */
const built = { env: { ESIGN_TESTS: "built" }, maxWorkers: 4, sequence: { groupOrder: 1 } } as const;

// A transformed module depends on its source and on this; the cache itself looks at the lock file and at this configuration.
const compilerOptions = createHash("sha256").update(readFileSync("tsconfig.json")).digest("hex").slice(0, 8);

export default defineConfig({
  test: {
    globalSetup: "test/temporary.ts",
    setupFiles: "test/captured-output.ts",
    // Each worker loads the modules once, for all files: a test leaves nothing behind in them.
    pool: "forks",
    isolate: false,
    // For two cores. Each further worker loads all modules, too, which takes as much as a sixth of the short tests.
    maxWorkers: 2,
    experimental: { fsModuleCache: true, fsModuleCachePath: `node_modules/.cache/test-modules-${compilerOptions}` },
    sequence: { sequencer: LongestFirst },
    // A test may take minutes on a busy machine; what never ends is found, too.
    testTimeout: 600_000 * times,
    hookTimeout: 300_000,
    // Processes that the tests use again end with their worker.
    teardownTimeout: 60_000,
    // A poll waits for what surely comes, however busy the machine is.
    expect: { poll: { timeout: 30_000 } },
    reporters: ["minimal", "./tools/progress-reporter.mjs"],
    // See test/captured-output.ts.
    silent: "passed-only",
    projects: [
      {
        extends: true,
        test: { name: "in-process", include: files(".test.ts"), exclude: [...system, ...nightly, ...leftOut] },
      },
      { extends: true, test: { name: "plugin", include: bothForms, env: { ESIGN_ADAPTER: "plugin" } } },
      { extends: true, test: { name: "system", include: system, ...built } },
      { extends: true, test: { name: "nightly", include: nightly, ...built, sequence: { groupOrder: 2 } } },
    ],
  },
});
