/** Marker files that a power failure has emptied do not block a run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/files";
import { StackLocks } from "../backend/lock";
import { currentLogin, selectedStack, selectStack } from "../config/cli-workspace";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe.each([
  ["nothing", ""],
  ["zero bytes", "\0".repeat(200)],
])("with %s in it", (_, content) => {
  const put = (...path: string[]) => {
    const file = join(folder, ...path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };

  it("a lock is stale", async () => {
    put("locks/a.json");
    const lock = await new StackLocks("dev", join(folder, "locks")).acquire();
    expect(lock.removed).toMatchObject([{ pid: 0, stale: true }]);
    expect(readdirSync(join(folder, "locks"))).toHaveLength(1);
    await lock.release();
  });

  it("the selection of a stack, and the login, are none", async () => {
    const env = { PULUMI_HOME: folder };
    put("credentials.json");
    expect(await currentLogin(env)).toBeUndefined();
    const project = ["shop", join(folder, "Pulumi.yaml"), "file://."] as const;
    await selectStack(env, ...project, "dev");
    const [name] = readdirSync(join(folder, "workspaces"));
    const file = put("workspaces", name!);
    expect(await selectedStack(env, ...project)).toBeUndefined();
    await selectStack(env, ...project, "dev");
    expect(await selectedStack(env, ...project)).toBe("dev");
    expect(readFileSync(file, "utf8")).toContain('"file://."');
  });
});
