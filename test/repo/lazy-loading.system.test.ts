/** What the built package loads: only what is used. */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { key, serve, webhook } from "../sdk/server";

const dist = resolve(__dirname, "../../dist");
/** What a program prints. `loaded` has the files that it has loaded. */
const print = async (code: string): Promise<string> => {
  const loaded = "const loaded = (pattern) => Object.keys(require.cache).filter((file) => pattern.test(file)).length;";
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", loaded + code], { cwd: dist });
  return stdout;
};
const quote = JSON.stringify;

test("what makes connections is loaded with the first request, not before", async () => {
  const service = await serve(() => ({ body: { http: 200, ...webhook } }));
  const code = `
    const client = require(${quote(join(dist, "sdk"))}).connect(${quote({ baseUrl: service.url, apiKey: key })});
    const before = loaded(/undici/);
    client.webhooks.get({ webhook_id: 7 }).then(() => console.log(before, loaded(/undici/) > 0));`;
  expect(await print(code)).toBe("0 true\n");
});

test("a program without account folders loads nothing for files", async () => {
  const code = `require(${quote(join(dist, "provider/index.js"))}); console.log(loaded(/html-to-text|node_modules.yaml/));`;
  expect(await print(code)).toBe("0\n");
});
