/** What the built package loads: only what is used. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, run } from "../cli/esign";
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
