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
interface Job {
  if?: string;
  environment?: string;
  env?: object;
  permissions?: unknown;
  steps?: Step[];
}
interface Workflow {
  on?: string | string[] | Record<string, unknown>;
  env?: object;
  permissions?: unknown;
  jobs: Record<string, Job>;
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
      // npx installs what is missing, unless it has --no.
      expect(step.run ?? "").not.toMatch(/\bnpx (?!--no -- )/);
    }
  }
  // For readers, the version of each commit.
  for (const line of text.split("\n").filter((one) => one.includes("uses:")))
    expect(line).toMatch(/ # v\d+\.\d+\.\d+$/);
});

const eventsOf = ({ on = [] }: Workflow): string[] =>
  typeof on === "string" ? [on] : Array.isArray(on) ? on : Object.keys(on);

/** True for a job that a pull request may start: its program, and its packages, are the pull request's. */
const runsPullRequests = (workflow: Workflow, { if: condition = "" }: Job): boolean =>
  eventsOf(workflow).some((event) => event.startsWith("pull_request")) &&
  !/^github\.event_name == '(push|schedule|workflow_dispatch|release)'$/.test(condition);

const isSecret = (value: unknown) => /\bsecrets\./.test(JSON.stringify(value ?? ""));

test.each(workflows)(
  "%s gives the program of a pull request no key, and nothing that another job has left",
  (_, text) => {
    const workflow = parse(text) as Workflow;
    expect(eventsOf(workflow)).not.toContain("pull_request_target");
    expect(eventsOf(workflow)).not.toContain("workflow_run");
    for (const [name, job] of Object.entries(workflow.jobs)) {
      // A cache of the main branch is restored by the jobs of pull requests. Packages that npm has downloaded are public.
      for (const step of job.steps ?? []) {
        expect([name, step.uses ?? ""]).not.toEqual([name, expect.stringMatching(/^actions\/cache\b/)]);
        if (step.uses?.startsWith("actions/setup-node@")) expect([undefined, "npm"]).toContain(step.with?.cache);
      }
      if (runsPullRequests(workflow, job)) {
        expect([name, isSecret(job), job.environment]).toEqual([name, false, undefined]);
        const commands = (job.steps ?? [])
          .map(({ run = "" }) => run)
          .filter((run) => /\besign (up|preview|destroy|refresh|drift|diff)\b/.test(run));
        for (const command of commands) expect(command).toContain(" --local ");
      }
      // Secrets are of an environment, which pull requests cannot use. A release publishes with an identity of its own.
      else if (isSecret(job)) expect([name, job.environment]).toEqual([name, "production"]);
    }
  },
);

test.each(workflows)(
  "%s writes no decrypted state to a disk, and keeps none of what is beside the program",
  (_, text) => {
    const { jobs } = parse(text) as Workflow;
    for (const { run = "", uses = "", with: inputs } of Object.values(jobs).flatMap(({ steps = [] }) => steps)) {
      for (const command of run.replaceAll("\\\n", " ").split(/\n(?! *(?:\||npx .*--state -))/))
        if (command.includes("--show-secrets"))
          expect(command).toMatch(/^[^>]*--show-secrets \|\s+npx --no -- esign \w+ --state - /);
      expect(run).not.toMatch(/--show-secrets[^|]*(>|--file|tee)/);
      if (uses.startsWith("actions/upload-artifact@")) expect(JSON.stringify(inputs)).not.toContain(".esign");
    }
  },
);

test("the workflow of init is the one of the guide", () => {
  const sources = execFileSync("git", ["ls-files", "-z", "cli", "templates", "examples"], { encoding: "utf8" }).split(
    "\0",
  );
  const own = sources.filter((file) => /\.ya?ml$/.test(file) && /^jobs:$/m.test(readFileSync(file, "utf8")));
  expect(own).toEqual([]);
  expect(
    readFileSync("cli/project/new-project/workflow-from-docs.ts", "utf8") +
      readFileSync("cli/commands/init/index.ts", "utf8"),
  ).toContain("github-actions.yml");
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
