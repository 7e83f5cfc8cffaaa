/** With the key of another account: on either engine, nothing leaves the state, and nothing is written. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { bareEnv, beginShop, esignProcess } from "./esign";
import { esign as command } from "./in-process";

const pulumi = findPulumi();
const home = temporaryFolder();
const seed = { partner: { key: "key_of-two-services" } };
const service = useEmulator({ seed });
const another = useEmulator();
const elsewhere = useEmulator({ seed });

const program = `const esign = require("pulumi-esign");
  const company = new esign.Company("c", { name: "Acme", userName: "Ann", userEmail: "ann@example.com", deletionProtection: false });
  new esign.Branding("b", { account: company, colour: "#0B7285" });
  new esign.Webhook("w", { account: company, type: "all", url: "https://h.example.com" });
  new esign.Branding("kept", { colour: "#123456", onDelete: "keep" });`;

beforeAll(() => beginShop(home));

const urnsIn = (exported: string): string[] =>
  JSON.parse(exported)
    .deployment.resources.map(({ urn }: { urn: string }) => urn)
    .sort();

function writeProgram(text: string): void {
  writeFileSync(join(home, "index.js"), text);
}

describe.each(["embedded", ...(pulumi === undefined ? [] : ["pulumi"])])("with the %s engine", (engine) => {
  const esign = async ({ url, key }: { url: string; key: string }, ...args: string[]) => {
    const outcome = await (engine === "pulumi" ? esignProcess : command)([...args, "--engine", engine, "-s", engine], {
      home,
      env: {
        PATH: `${dirname(pulumi ?? "")}${delimiter}${bareEnv(home).PATH}`,
        ESIGN_BASE_URL: url,
        ESIGN_API_KEY: key,
        PULUMI_CONFIG_PASSPHRASE: "correct-horse",
      },
    });
    return { ...outcome, all: outcome.stderr + outcome.stdout };
  };
  /** What is printed by the CLI without `esign`, which fails. */
  const barePulumi = ({ url, key }: { url: string; key: string }, ...args: string[]) =>
    new Promise<string>((resolve, reject) => {
      const account = { ESIGN_BASE_URL: url, ESIGN_API_KEY: key };
      const env = { ...bareEnv(home), PULUMI_CONFIG_PASSPHRASE: "correct-horse", ...account };
      execFile(pulumi!, [...args, "--non-interactive", "-s", engine], { cwd: home, env }, (error, stdout) =>
        error === null ? reject(new Error(stdout)) : resolve(stdout),
      );
    });
  const written = () =>
    [service, another, elsewhere].flatMap((each) => each.requests().filter(({ method }) => method !== "GET")).length;

  it("refuses before anything leaves the state", async () => {
    writeProgram(program);
    const partner = { url: service.url, key: service.keys.partner };
    expect((await esign(partner, "stack", "init")).code).toBe(0);
    const up = await esign(partner, "up", "--yes", "--skip-preview");
    expect(up.code, up.all).toBe(0);
    const before = (await esign(partner, "stack", "export")).stdout;
    const writes = written();
    // Another partner, and an account of the same service that has no companies.
    const others = { url: another.url, key: another.keys.partner };
    const refuses = async (account: typeof partner, message: string, ...args: string[]) => {
      const refused = await esign(account, ...args);
      expect(refused.all).toContain(message);
      expect([refused.code, written()]).toEqual([1, writes]);
    };
    const wrong = "wrong account? This key";
    // The key opens an account of another service: nothing has changed, and nothing was ever deployed there.
    const sameKey = { url: elsewhere.url, key: elsewhere.keys.partner };
    for (const verb of [["preview"], ["up", "--yes"]])
      await refuses(sameKey, `This address (${elsewhere.url}) differs from the recorded one (${service.url})`, ...verb);
    await refuses(others, `Nothing was deleted: ${wrong}`, "destroy", "--preview-only");
    await refuses(others, `Nothing was deleted: ${wrong}`, "destroy", "--yes");
    const withoutCompanies = { url: service.url, key: service.keys.account };
    await refuses(withoutCompanies, `Nothing was deleted: ${wrong}`, "destroy", "--yes", "--skip-preview");
    // The engine asks only about the target, which is unchanged.
    await refuses(others, `Nothing was changed: ${wrong}`, "preview", "--target", "**::kept");
    await refuses(others, `Nothing was changed: ${wrong}`, "up", "--yes", "--skip-preview", "--target", "**::b");
    // It asks about nothing at all.
    writeProgram("");
    await refuses(others, `Nothing was changed: ${wrong}`, "preview");
    await refuses(others, `Nothing was changed: ${wrong}`, "up", "--yes");
    // Without a plan, each engine in its own words.
    await refuses(others, wrong, "up", "--yes", "--skip-preview");
    // As the documentation advises who runs the CLI by itself.
    for (const verb of engine === "pulumi" ? ["up", "destroy"] : [])
      expect(await barePulumi(others, verb, "--yes", "--skip-preview", "--refresh")).toContain(wrong);
    expect(urnsIn((await esign(partner, "stack", "export")).stdout)).toEqual(urnsIn(before));
    const down = await esign(partner, "destroy", "--yes", "--skip-preview");
    expect(down.code, down.all).toBe(0);
    expect(service.data().accounts.some(({ name }) => name === "Acme")).toBe(false);
  });
});
