/** What the built package loads: only what is used. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { beginShop, esignProcess, root, run } from "../cli/esign";
import { save, temporaryFolder } from "../files";
import { key, serve, webhook } from "../sdk/server";

test("a program without account folders loads nothing for files, and what makes connections with the first request", async () => {
  const service = await serve(() => ({ body: { http: 200, ...webhook } }));
  const options = JSON.stringify({ baseUrl: service.url, apiKey: key });
  const code = `
    const loaded = (pattern) => Object.keys(require.cache).some((file) => pattern.test(file));
    require("./provider/index.js");
    const client = require("./sdk").connect(${options});
    const before = [loaded(/dist.provider/), loaded(/dist.account-folder/), loaded(/undici/)];
    client.webhooks.get({ webhook_id: 7 }).then(() => console.log(...before, loaded(/undici/)));`;
  const home = join(root, "dist");
  expect(await run(process.execPath, ["-e", code], { home })).toMatchObject({ stdout: "true false false true\n" });
});

/** The sources in a built file, as its comments name them. */
const listSources = `process.on("exit", () => {
  const built = Object.keys(require.cache).filter((file) => file.includes("/dist/"));
  const texts = built.map((file) => require("fs").readFileSync(file, "utf8"));
  const names = texts.flatMap((text) => [...text.matchAll(/^\\/\\/ (\\S+\\.[cm]?[jt]s)$/gm)].map(([, name]) => name));
  require("fs").writeFileSync(process.env.SOURCES, JSON.stringify(names));
});`;

describe("a command loads what it uses, and", () => {
  it.each([
    [["--version"], /^(engine|provider|sdk|account-folder)\/|\/(zod|yaml|parse5)\//],
    [
      ["config", "--help"],
      /^(engine\/(plan|deploy|monitor|backend)|provider(?!\/core\/(provider-text|setting-names))|account-folder)\/|\/(zod|parse5)\//,
    ],
    [["stack", "ls"], /^(provider\/(lifecycle|resources)|emulator)\/|\/parse5\//],
    [["refresh", "--help"], /^(engine\/(plan|deploy\/steps)|provider\/(lifecycle|resources))\/|\/parse5\//],
  ])("%j nothing of %s", async (words, others) => {
    const home = temporaryFolder();
    beginShop(home);
    save(home, { "list-sources.js": listSources });
    const sources = join(home, "sources.json");
    const node = ["--require", join(home, "list-sources.js")];
    const env = { SOURCES: sources, PULUMI_CONFIG_PASSPHRASE: "p" };
    expect(await esignProcess(words, { home, node, env })).toMatchObject({ code: 0 });
    const names = JSON.parse(readFileSync(sources, "utf8")) as string[];
    expect(names).toContain("cli/run.ts");
    expect(names.filter((name) => others.test(name))).toEqual([]);
  });
});
