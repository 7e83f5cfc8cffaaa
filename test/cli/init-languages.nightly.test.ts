/** Projects of `esign init` in languages whose programs only the Pulumi CLI runs, from an empty folder to a deployed account. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { generateSdk, installPlugin } from "../../cli/project/new-project/languages";
import { temporaryFolder } from "../files";
import { bareEnv, esignProcess, run } from "./esign";
import { installPacked } from "./packed";

const pulumi = findPulumi();
const has = (language: string) =>
  pulumi !== undefined && existsSync(join(dirname(pulumi), `pulumi-language-${language}`));
const goEnvironment = () =>
  JSON.parse(execFileSync("go", ["env", "-json", "GOCACHE", "GOENV", "GOPATH"], { encoding: "utf8" }));

describe.each(["python", "go"] as const)("a project in %s", (language) => {
  it.runIf(has(language))("goes up on the emulator, by the commands that `init` prints", async () => {
    const home = temporaryFolder();
    const path = { PATH: `${dirname(pulumi!)}${delimiter}${bareEnv(home).PATH}` };
    const env: Record<string, string> = { ...path, ...(language === "go" && goEnvironment()) };
    const folder = join(home, "shop");
    const begun = await esignProcess(["init", "shop", "--language", language, "--no-install"], { home, env });
    expect([begun.code, begun.stdout]).toEqual([0, expect.stringContaining(`  ${generateSdk}  `)]);
    // In the place of `npm install`.
    await installPacked(folder, ["zod"]);
    for (const step of [installPlugin, generateSdk]) {
      const [command = "", ...args] = step.split(" ");
      const { code, stderr } = await run(command, args, { home, cwd: folder, env });
      expect(code, stderr).toBe(0);
    }
    const up = await esignProcess(["up", "--local", "--yes"], { home, cwd: folder, env });
    expect(up.code, up.stderr + up.stdout).toBe(0);
    expect(up.stdout + up.stderr).toContain("1 created, 2 adopted and updated. Account writes: 3.");
  });
});
