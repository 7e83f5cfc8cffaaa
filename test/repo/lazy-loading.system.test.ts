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

test("a request loads what makes connections, and not the rest of the library", async () => {
  const service = await serve(() => ({ body: { http: 200, ...webhook } }));
  const code = `
    const { connect } = require(${quote(join(dist, "sdk"))});
    connect(${quote({ baseUrl: service.url, apiKey: key })}).webhooks.get({ webhook_id: 7 }).then(() => {
      console.log(loaded(/undici/) > 0, loaded(/undici.*(fetch|websocket)/));
    });`;
  expect(await print(code)).toBe("true 0\n");
});

test("a program without account folders loads nothing for files", async () => {
  const code = `require(${quote(join(dist, "provider/index.js"))}); console.log(loaded(/html-to-text|node_modules.yaml/));`;
  expect(await print(code)).toBe("0\n");
});
