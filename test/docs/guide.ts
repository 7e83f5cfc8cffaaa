/** Runs a guide: every block of `sh` in its order, as one person at one shell would, and holds the output against the text. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { bareEnv, main, root, sharedKeys } from "../cli/esign";

/** A block of commands, and lines that its output must hold. */
interface Step {
  commands: string;
  exitCode: number;
  output: string[];
}

/** The blocks of a guide. ```` ```sh (exit 1) ```` is a block that ends with 1; a `text` block is output of the block before it. */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const [, info = "", body = ""] of markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    const commands = /^sh(?: \(exit (\d+)\))?$/.exec(info);
    if (commands) steps.push({ commands: body, exitCode: Number(commands[1] ?? 0), output: [] });
    else if (info === "text") steps.at(-1)!.output.push(...body.split("\n").filter(Boolean));
    else
      expect(
        ["console", "ts", "yaml"],
        "sh, text (output of the one before), ts (type-checked), console, yaml (not run)",
      ).toContain(info);
  }
  return steps;
}

/** A home with an `esign` on its path, and an `npm install` that links what a registry would bring, in the folder or for the machine. */
export function makeHome(home: string): NodeJS.ProcessEnv {
  const bin = join(home, "bin");
  mkdirSync(join(home, "state"), { recursive: true });
  mkdirSync(bin);
  mkdirSync(join(home, "global"));
  symlinkSync(root, join(home, "global/pulumi-esign"));
  const script = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  script("esign", `exec "${process.execPath}" "${main}" "$@"`);
  script(
    "npm",
    [
      `case "$*" in root*--global) echo "${join(home, "global")}"; exit ;; install*--global*) exit ;; esac`,
      '[ "$1" = install ] || exit 1',
      "[ -e package.json ] || echo '{}' > package.json",
      "mkdir -p node_modules",
      `ln -sfn "${root}" node_modules/pulumi-esign`,
      `for scope in @pulumi @types; do ln -sfn "${root}/node_modules/$scope" node_modules/$scope; done`,
    ].join("\n"),
  );
  const env = bareEnv(home);
  return {
    ...env,
    PATH: [bin, env.PATH].join(delimiter),
    PULUMI_BACKEND_URL: `file://${join(home, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    NODE_OPTIONS: sharedKeys,
    PULUMI_HOME: join(home, ".pulumi"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@example.com",
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@example.com",
  };
}

/** Runs commands in a folder; answers how they ended, and the folder that they ended in. */
export function shell(commands: string, cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number | null; output: string; cwd: string }>((done, fail) => {
    const mark = join(env.HOME!, ".cwd");
    const script = `trap 'pwd > "${mark}"' EXIT\nset -eu\n${commands}`;
    const child = spawn("bash", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", fail);
    child.once("close", (code) => done({ code, output, cwd: readFileSync(mark, "utf8").trim() }));
  });
}

/** Runs all steps of `docs/<name>.md`. */
export async function runGuide(name: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const steps = stepsOf(readFileSync(join(root, "docs", `${name}.md`), "utf8"));
  expect(steps.length).toBeGreaterThan(0);
  let folder = cwd;
  for (const { commands, exitCode, output } of steps) {
    const ended = await shell(commands, folder, env);
    expect(ended.code, `${commands}\n${ended.output}`).toBe(exitCode);
    for (const line of output) expect(ended.output, commands).toContain(line);
    folder = ended.cwd;
  }
}
