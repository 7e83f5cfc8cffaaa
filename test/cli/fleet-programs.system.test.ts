/** `esign fleet` of a program in JavaScript: besides the processes of the program and of the provider, no stack has one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { javaScript, linkPackages } from "./esign";
import { esign } from "./in-process";

interface Report {
  outcomes: { ids: string[]; status: string; reason?: string }[];
}

it("all stacks are deployed in one process; a program that throws fails alone, and its secret is nowhere", async () => {
  const service = await emulatorForTest();
  const home = temporaryFolder();
  linkPackages(home);
  save(home, {
    "package.json": '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*" } }',
    "Pulumi.yaml": `name: shop\n${javaScript}\nstackConfigDir: stacks\nbackend: { url: "file://${home}/states" }\n`,
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const esign = require("pulumi-esign");
      require("node:fs").appendFileSync("parents", process.ppid + "\\n");
      const config = new pulumi.Config();
      const [id, token] = [config.require("id"), config.get("token")];
      if (id === "c1") throw new Error("no company for " + token);
      const account = new esign.Company(id, { name: "Company " + id, userName: "Ann", userEmail: id + "@example.com" });
      new esign.Webhook(id, { account, type: "all", url: pulumi.secret("https://h.example.com/" + token) });`,
    "customers.csv": ["id,token", ...["c0", "c1", "c2", "c3"].map((id) => `${id},hush-hush-${id}`)].join("\n"),
  });
  const env = {
    ...{ ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: "correct-horse" },
    ...{ PULUMI_HOME: join(home, "pulumi-home"), TMPDIR: temporaryFolder() },
  };
  const fleet = async (verb: string, ...more: string[]) => {
    const flags = [
      "--engine",
      "embedded",
      "--json",
      "--secret-columns",
      "token",
      "--max-failures",
      "4",
      "--parallel",
      "2",
      ...more,
    ];
    const result = await esign(["fleet", verb, "customers.csv", ...flags], { home, env });
    const { outcomes } = JSON.parse(result.stdout) as Report;
    return { ...result, outcomes, of: (id: string) => outcomes.find(({ ids }) => ids.includes(id)) };
  };
  const parents = () => readFileSync(join(home, "parents"), "utf8").trim().split("\n");

  const up = await fleet("up", "--yes");
  const one = String(process.pid);
  expect([up.code, parents()]).toEqual([1, [one, one, one, one]]);
  expect(up.outcomes.filter(({ status }) => status !== "done").map(({ ids }) => ids)).toEqual([["c1"]]);
  expect(up.of("c1")?.reason).toContain("no company for [secret]");
  const urls = service
    .data()
    .accounts.flatMap(({ name, webhooks }) => (name.startsWith("Company ") ? webhooks.map(({ url }) => url) : []));
  expect(urls.sort()).toEqual(["c0", "c2", "c3"].map((id) => `https://h.example.com/hush-hush-${id}`));

  const preview = await fleet("preview", "--expect-no-changes");
  expect([preview.of("c0")?.status, new Set(parents())]).toEqual(["done", new Set([one])]);
  // What is refreshed and destroyed runs no program.
  const count = parents().length;
  expect((await fleet("refresh", "--yes")).code).toBe(0);
  expect(parents()).toHaveLength(count);

  const files = readdirSync(home, { recursive: true, withFileTypes: true, encoding: "utf8" }).filter(
    (entry) => entry.isFile() && entry.name !== "customers.csv" && !entry.parentPath.includes("node_modules"),
  );
  for (const { parentPath, name } of files)
    expect([name, readFileSync(join(parentPath, name), "utf8").includes("hush-hush")]).toEqual([name, false]);
  expect(up.stdout + up.stderr + preview.stdout + preview.stderr).not.toContain("hush-hush");
  expect(readdirSync(env.TMPDIR).filter((name) => /esign-e|runs./.test(name))).toEqual([]);
});
