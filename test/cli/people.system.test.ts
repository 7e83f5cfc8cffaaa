/** An account with users, contacts and settings, exported, adopted, changed and destroyed: on the built-in engine. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../sdk";
import { spread } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { linkPackages } from "./esign";
import { esign as run } from "./in-process";

describe.each(spread(["yaml", "typescript"], 1))("with a program in %s", (language) => {
  const home = temporaryFolder();
  const project = join(home, "acme");
  const service = useEmulator({
    seed: {
      account: {
        user: { name: "Ada Acme", email: "ada@acme.example" },
        users: [{ name: "Bo", email: "bo@acme.example" }],
        contacts: [{ name: "Carla", email: "carla@client.example" }],
        settings: { setting_brand_new: 7 },
      },
    },
  });
  const client = () => connect({ baseUrl: service.url, apiKey: service.keys.account });

  const esign = async (args: string[], env: Record<string, string> = {}) => {
    const settings = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
    const state = { PULUMI_CONFIG_PASSPHRASE: "pw", PULUMI_BACKEND_URL: `file://${home}` };
    const options = { home, cwd: args[0] === "export" ? home : project, env: { ...settings, ...state, ...env } };
    return run([...args, ...(["export", "drift"].includes(args[0]!) ? [] : ["--engine", "embedded"])], options);
  };
  const edit = (change: (yaml: string) => string) => {
    const file = join(project, "account.yaml");
    writeFileSync(file, change(readFileSync(file, "utf8")));
  };
  const writes = () => service.requests().filter(({ method }) => method !== "GET");

  beforeAll(async () => {
    expect((await esign(["export", "--out", "acme", "--include", "all", "--language", language])).code).toBe(0);
    linkPackages(project);
    expect((await esign(["stack", "init", "production"])).code).toBe(0);
    service.clearLog();
  });

  test("the file for an import into a program in TypeScript has their identifiers", async () => {
    expect((await esign(["export", "--out", "typescript", "--include", "all"])).code).toBe(0);
    const { resources } = JSON.parse(readFileSync(join(home, "typescript/import.json"), "utf8"));
    const ours = resources.filter(({ type }: { type: string }) => /:(User|Contact|Settings)$/.test(type));
    expect(ours).toMatchObject([
      { inputs: { email: "ada@acme.example", role: "super-admin" }, id: expect.stringMatching(/^\d+$/) },
      { inputs: { email: "bo@acme.example" } },
      { inputs: { email: "carla@client.example" }, outputs: { contactId: expect.any(String) } },
      { id: "settings", inputs: { emailPdfAttach: true, other: { setting_brand_new: 7 } } },
    ]);
  });

  test("the first up adopts each, and writes nothing", async () => {
    const preview = await esign(["preview", "--expect-no-writes"]);
    expect(preview.code, preview.stdout + preview.stderr).toBe(0);
    const rows = preview.stdout.match(/^ = .* (User|Contact|Settings) .*adopt.*$/gm)!;
    expect(rows).toHaveLength(4);
    const up = await esign(["up", "--yes", "--expect-no-writes"]);
    expect(up.code, up.stdout + up.stderr).toBe(0);
    expect(writes()).toEqual([]);
    expect((await esign(["preview", "--expect-no-changes"])).code).toBe(0);
  });

  test("a change of each is one write, member by member", async () => {
    edit((yaml) =>
      yaml.replace("name: Bo\n", "name: Bo Acme\n").replace("setting_brand_new: 7", "setting_brand_new: 8"),
    );
    const preview = await esign(["preview"]);
    expect(preview.stdout).toMatch(/~ +name: "Bo" → "Bo Acme"/);
    service.clearLog();
    expect((await esign(["up", "--yes"])).code).toBe(0);
    expect(
      writes()
        .flatMap(({ fields }) => fields)
        .sort(),
    ).toEqual(["setting_brand_new", "user_name"]);
    expect((await esign(["drift", "--exit-code"])).stdout).toBe("No drift.\n");
  });

  test("the last administrator is not demoted: the preview refuses it", async () => {
    edit((yaml) => yaml.replace("role: super-admin", "role: user"));
    service.clearLog();
    const preview = await esign(["preview"]);
    expect(preview.code).toBe(1);
    expect(preview.stdout).toMatch(/User .*blocked.*last administrator/);
    const up = await esign(["up", "--yes", "--skip-preview"]);
    expect(up.code).toBe(1);
    expect(up.stdout + up.stderr).toContain("ESIGN1043");
    expect(writes()).toEqual([]);
    edit((yaml) =>
      yaml.replace("email: ada@acme.example\n    role: user", "email: ada@acme.example\n    role: super-admin"),
    );
  });

  test("users are protected; unprotected, a destroy deletes them but the last administrator", async () => {
    const refused = await esign(["destroy", "--yes"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toMatch(/protected/);
    edit((yaml) => yaml.replace(/( +)role: .*\n/g, "$&$1deletionProtection: false\n"));
    const up = await esign(["up", "--yes"]);
    expect(up.code, up.stdout + up.stderr).toBe(0);
    const preview = await esign(["destroy", "--preview-only"]);
    expect(preview.stdout).toMatch(/User .*ada.*blocked.*last administrator/);
    // What existed before the stack asks for its name.
    await esign(["destroy", "--yes", "--skip-preview"]);
    const left = await client().users.list().all();
    expect(left.map(({ user_email }) => user_email)).toEqual(["ada@acme.example"]);
    expect(String((await client().settings.get()).setting_brand_new)).toBe("7");
  });
});
