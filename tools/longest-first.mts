// The order of test files in a run of several projects. No file that takes long is left for one worker at the end: on a fresh clone Vitest
// knows no durations and goes by size, and some of the longest are the smallest, since their cases are elsewhere.
import { relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They wait nearly all the time, for deadlines and for each other's processes: what computes goes on beside them. */
export const waiting = [
  "test/reliability/equal-objects.system.test.ts",
  "test/reliability/killed.system.test.ts",
  "test/reliability/lagging.system.test.ts",
];

/** Over 20 s on two cores, longest first. */
export const longest = [
  "test/reliability/linear-time.system.test.ts",
  "engine/test/recordings.system.test.ts",
  "test/repo/package.system.test.ts",
  "test/provider/acceptance.system.test.ts",
  "test/cli/init.system.test.ts",
  "test/cli/automation.system.test.ts",
  "test/cli/counted-writes.system.test.ts",
  "test/reliability/walk.system.test.ts",
  "test/provider/replaced-account.system.test.ts",
  "test/reliability/lost-answers.system.test.ts",
  "test/provider/one-account.system.test.ts",
  "engine/test/programs.system.test.ts",
  "test/testing/test-stack.system.test.ts",
  "test/cli/work.system.test.ts",
  "test/provider/older-state.system.test.ts",
  "test/cli/stacks.system.test.ts",
  "test/provider/response-formats.system.test.ts",
  "test/cli/fleet-yaml.system.test.ts",
  "test/cli/main-job.system.test.ts",
  "test/cli/local.system.test.ts",
];

/** A worker loads the modules once for all files of a project that follow each other. */
const projects = ["in-process", "plugin", "system", "nightly"];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId, project }: TestSpecification): number[] => {
      const path = relative(this.ctx.config.root, moduleId).split(sep).join("/");
      const among = (list: string[]) => (list.includes(path) ? list.indexOf(path) : list.length);
      return [among(waiting), projects.indexOf(project.name), among(longest)];
    };
    const places = new Map(sorted.map((file) => [file, place(file)]));
    return sorted.sort((a, b) => compare(places.get(a) ?? [], places.get(b) ?? []));
  }
}

function compare(a: number[], b: number[]): number {
  const first = a.findIndex((place, index) => place !== b[index]);
  return first === -1 ? 0 : (a[first] ?? 0) - (b[first] ?? 0);
}
