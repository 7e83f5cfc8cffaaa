/** Workflows of GitHub Actions in the repository, whole or as examples in the docs: what they run does not get more than it needs. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Workflow {
  env?: object;
  permissions?: unknown;
  jobs: Record<string, { env?: object; permissions?: unknown; steps?: Step[] }>;
}

const files = execFileSync("git", ["ls-files", "-z", "*.yml", "*.yaml", "*.md"], { encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "" && !file.startsWith("test/fixtures/"));

/** The file, or its blocks of YAML. */
const textsOf = (file: string): string[] => {
  const text = readFileSync(file, "utf8");
  return file.endsWith(".md") ? [...text.matchAll(/^```ya?ml\n(.*?)^```/gms)].map(([, block]) => block!) : [text];
};

const workflows = files.flatMap((file) =>
  textsOf(file)
    .filter((text) => /^jobs:$/m.test(text))
    .map((text) => [file, text] as const),
);

test("there is one", () => {
  expect(workflows.map(([file]) => file)).toContain("docs/how-to/github-actions.yml");
});

test.each(workflows)("%s gives secrets only to the steps that need them, and runs only what is pinned", (_, text) => {
  const workflow = parse(text) as Workflow;
  const hasSecret = (value: unknown) => /\bsecrets\b|github\.token/.test(JSON.stringify(value ?? ""));
  expect(workflow.permissions).toEqual({});
  expect(hasSecret(workflow.env)).toBe(false);
  for (const [name, job] of Object.entries(workflow.jobs)) {
    expect([name, hasSecret(job.env), typeof job.permissions]).toEqual([name, false, "object"]);
    for (const step of job.steps ?? []) {
      const isInstall = /\b(npm|pnpm|yarn|bun) (ci|install|i|add)\b/.test(step.run ?? "");
      const isAction = step.uses !== undefined;
      if (isInstall || isAction) expect([step, hasSecret(step)]).toEqual([step, false]);
      if (isInstall) expect(step.run).toMatch(/^npm ci --ignore-scripts$/);
      if (isAction) expect(step.uses).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/);
      if (step.uses?.startsWith("actions/checkout@")) expect(step.with?.["persist-credentials"]).toBe(false);
      // An expression in a script is replaced before the shell reads it: a title of a pull request could be a command.
      expect(step.run ?? "").not.toContain("${{");
      // npx installs what is missing, unless it is told not to.
      expect(step.run ?? "").not.toMatch(/\bnpx (?!--no -- )/);
    }
  }
  // For readers, the version of each commit.
  for (const line of text.split("\n").filter((one) => one.includes("uses:")))
    expect(line).toMatch(/ # v\d+\.\d+\.\d+$/);
});

test("nothing fetches a package on the way", () => {
  const sources = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0");
  const fetching = sources.filter(
    (file) =>
      /\.(ts|mjs|cjs|md|ya?ml|json)$/.test(file) &&
      !file.startsWith("test/") &&
      existsSync(file) &&
      /\bnpx["', ]+(--yes|-y)\b/.test(readFileSync(file, "utf8")),
  );
  expect(fetching).toEqual([]);
});
