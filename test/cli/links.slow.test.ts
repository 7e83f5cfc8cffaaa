/** Commands that read or write an account's folder follow no symbolic link out of it. */
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
const at = (...path: string[]) => join(home, ...path);
const service = useEmulator({ seed: { companies: [{ name: "Acme" }] } });
let env: Record<string, string>;

beforeAll(async () => {
  env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner };
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  await client.branding.update({ branding_colour: "#123456" });
});
beforeEach(() => {
  for (const name of ["account", "outside"]) rmSync(at(name), { recursive: true, force: true });
  save(home, {
    "account/account.yaml": "branding:\n  colour: '#1A5FB4'\n",
    "account/emails/email-send/subject.txt": "Sign",
    "outside/subject.txt": "hush-hush",
    "outside/values.yaml": "portal: hush-hush\n",
  });
});

const here = (...args: string[]) => esign(args, { home, env });
const refused = expect.stringMatching(/^error: ".*" is a symbolic link to ".*outside.*"/);

describe("a file outside of the folder is not read by", () => {
  test.each([
    ["lint", "account"],
    ["lint", "account", "--format", "sarif"],
    ["emails", "render", "account", "--out", "page.html", "--no-logo"],
    ["diff", "./account", "account"],
    ["diff", "account", "./account"],
    ["promote", "account", "./account", "--dry-run"],
    ["promote", "./account", "./other"],
    ["drift", "unmanaged", "account", "--managed-by", "./account"],
    ["export", "--out", "account", "--force"],
  ])("%s %s %s %s", async (...args) => {
    save(home, { "other/account.yaml": "" });
    symlinkSync("../../../outside/subject.txt", at("account/emails/email-send/body.txt"));
    const { code, stdout, stderr } = await here(...args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: refused });
    expect(stderr).not.toContain("hush-hush");
    expect(existsSync(at("page.html"))).toBe(false);
  });

  test("a values file and sample data in the folder", async () => {
    symlinkSync("../outside/values.yaml", at("account/values.yaml"));
    const render = ["emails", "render", "account", "--no-logo", "--sample"];
    for (const args of [["lint", "account", "--values-file"], render])
      expect(await here(...args, "account/values.yaml")).toEqual({ code: 2, stdout: "", stderr: refused });
    expect((await here(...render, "outside/values.yaml")).code).toBe(0);
  });
});

describe("nothing is written through a link by", () => {
  test("export --force", async () => {
    const exported = async () => here("export", "--out", "exported", "--force", "--companies", "Acme");
    expect((await exported()).code).toBe(0);
    const company = at("exported/companies/acme");
    for (const [link, target] of [
      ["README.md", "../outside/subject.txt"],
      ["Pulumi.production.yaml", "../outside/values.yaml"],
      [".esign-export", "../outside/journal"],
      ["emails", "../outside"],
      ["companies", "../outside"],
      ["companies/acme", "../emails"],
      ["companies/acme/company.yaml", "../../account.yaml"],
    ] as const) {
      rmSync(at("exported"), { recursive: true, force: true });
      expect((await exported()).code).toBe(0);
      const kept = readFileSync(at("exported/account.yaml"), "utf8");
      rmSync(at("exported", link), { recursive: true, force: true });
      symlinkSync(target, at("exported", link));
      const { code, stderr } = await exported();
      expect([link, code, stderr]).toEqual([link, 2, expect.stringContaining(`exported/${link}" is a symbolic link`)]);
      expect(readFileSync(at("exported/account.yaml"), "utf8")).toBe(kept);
      expect(readFileSync(at("outside/subject.txt"), "utf8")).toBe("hush-hush");
      expect(existsSync(at("outside/journal"))).toBe(false);
      expect(existsSync(company)).toBe(link !== "companies");
    }
  });

  test("promote and unmanaged", async () => {
    save(home, { "account/shared.yaml": "branding:\n  colour: '#1A5FB4'\n" });
    rmSync(at("account/account.yaml"));
    symlinkSync("shared.yaml", at("account/account.yaml"));
    for (const args of [
      ["promote", "account", "./account"],
      ["drift", "unmanaged", "--managed-by", "./account", "--out", "./account"],
    ]) {
      const { code, stderr } = await here(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining("nothing is written through it")]);
    }
    expect(readFileSync(at("account/shared.yaml"), "utf8")).toContain("#1A5FB4");
  });
});
