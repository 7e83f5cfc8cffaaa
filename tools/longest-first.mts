// Begins with the test files that take longest, so that none of them is left for one worker at the end. On a fresh clone Vitest knows no
// durations and goes by size, and some of the longest are the smallest: their cases are elsewhere.
import { relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Over 20 s on two cores, longest first. */
export const longest = [
  "test/reliability/equal-objects.system.test.ts",
  "test/reliability/killed.system.test.ts",
  "test/reliability/lagging.system.test.ts",
  "test/provider/replaced-account.system.test.ts",
  "test/provider/acceptance.system.test.ts",
  "engine/test/recordings.system.test.ts",
  "test/repo/package.system.test.ts",
  "test/provider/one-account.system.test.ts",
  "test/cli/fleet-yaml.system.test.ts",
  "test/cli/one-door.system.test.ts",
  "test/cli/counted-writes.system.test.ts",
  "engine/test/programs.system.test.ts",
  "test/cli/automation.system.test.ts",
  "engine/test/plugins.system.test.ts",
  "test/cli/dynamic-in-process.system.test.ts",
  "test/provider/pictures.system.test.ts",
  "test/cli/stacks.system.test.ts",
  "test/cli/init.system.test.ts",
  "test/reliability/lost-writes.system.test.ts",
  "test/reliability/walk.system.test.ts",
  "test/cli/adopt-customers.system.test.ts",
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const pathOf = ({ moduleId }: TestSpecification) => relative(this.ctx.config.root, moduleId).split(sep).join("/");
    const first = longest.flatMap((path) => sorted.filter((file) => pathOf(file) === path));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}
