/** A proxy named in the environment. */
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, start } from "../../emulator";
import { startProxy } from "../sdk/connect-proxy";
import { temporaryFolder } from "./esign";
import { esign } from "./in-process";

let service: Emulator;
let proxy: Awaited<ReturnType<typeof startProxy>>;
beforeAll(async () => {
  service = await start({ tls: true, allowHosts: ["sign.invalid"] });
  proxy = await startProxy(service.port);
});
afterAll(async () => {
  proxy.close();
  await service.close();
});

it("`esign` takes it from the environment, and `doctor` names it", async () => {
  const folder = temporaryFolder();
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = {
    ESIGN_BASE_URL: "https://sign.invalid",
    ESIGN_API_KEY: service.keys.partner,
    HTTPS_PROXY: `http://me:hush@${address}`,
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  };
  const { code, stdout, stderr } = await esign(["doctor"], { home: folder.path, env });
  folder.remove();
  expect(stdout).toMatch(new RegExp(`✓ address +https://sign.invalid through the proxy ${address}\n.*✓ TLS +TLSv1`));
  expect(stdout + stderr).not.toContain("hush");
  expect(code, stdout).toBe(0);
});
