/** What is fetched through a proxy keeps its process alive: a command that has nothing else to do must not end meanwhile, with code 0. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../cli/esign";
import { useEmulator } from "../emulator/use-emulator";
import { startProxy } from "./connect-proxy";

const service = useEmulator({ tls: true, allowHosts: ["five.invalid"] });
let proxy: http.Server;
beforeAll(async () => {
  proxy = await startProxy(service.port, () => 200);
});
afterAll(() => proxy.close());

it("a process in which nothing else is in progress waits for what it fetches", async () => {
  const script = `require("./sdk/http/proxy-fetch.ts").fetchThrough("https://five.invalid/v1/branding", {})
    .then((response) => response.text()).then(console.log)`;
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, ["--import", "tsx", "-e", script], {
    cwd: root,
    env: { ...process.env, HTTPS_PROXY: address, NO_PROXY: "", no_proxy: "", NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect([printed, code]).toEqual([expect.stringContaining('"http":401'), 0]);
});
