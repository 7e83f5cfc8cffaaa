/** A proxy named in the environment. */
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { startProxy } from "../sdk/connect-proxy";
import { esign } from "./in-process";

const service = useEmulator({ tls: true, allowHosts: ["sign.invalid"] });
let proxy: Awaited<ReturnType<typeof startProxy>>;
beforeAll(async () => {
  proxy = await startProxy(service.port);
});
afterAll(() => proxy.close());

it("`esign` takes it from the environment, and `doctor` names it", async () => {
  const folder = temporaryFolder();
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = {
    ESIGN_BASE_URL: "https://sign.invalid",
    ESIGN_API_KEY: service.keys.partner,
    HTTPS_PROXY: `http://me:hush@${address}`,
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  };
  const { code, stdout, stderr } = await esign(["doctor"], { home: folder, env });
  expect(stdout).toMatch(new RegExp(`✓ address +https://sign.invalid through the proxy ${address}\n.*✓ TLS +TLSv1`));
  expect(stdout + stderr).not.toContain("hush");
  expect(code, stdout).toBe(0);
});

it("one that does not answer is what to look at, not how to set one", async () => {
  const env = { ESIGN_BASE_URL: "https://sign.invalid", ESIGN_API_KEY: service.keys.partner };
  const adviceOn = async (proxies: Record<string, string>) =>
    (await esign(["doctor"], { home: temporaryFolder(), env: { ...env, ...proxies } })).stdout;
  expect(await adviceOn({ HTTPS_PROXY: "http://127.0.0.1:9" })).toMatch(
    /through the proxy 127.0.0.1:9: the proxy of HTTPS_PROXY could not be reached.*\n +Check the base URL, HTTPS_PROXY and NO_PROXY\.\n/,
  );
  expect(await adviceOn({})).toContain("Behind a proxy, set HTTPS_PROXY.");
});
