/** The way through a company's proxy: a real one, which opens tunnels on CONNECT to a real service with TLS. */
import { once } from "node:events";
import type http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { connect } from "../../sdk";
import { loginOf, proxyFor } from "../../sdk/http/proxy";
import { fetchThrough } from "../../sdk/http/proxy-fetch";
import { useEmulator } from "../emulator/use-emulator";
import { startProxy } from "./connect-proxy";

const names = ["one", "percent", "five", "six", "seven"];
const service = useEmulator({ tls: true, allowHosts: names.map((name) => `${name}.invalid`) });
let proxy: http.Server;
let address: string;
/** What each CONNECT asked for. */
let asked: { target: string; login: string | undefined; headers: string }[] = [];
let status = 200;

beforeAll(async () => {
  proxy = await startProxy(service.port, (request) => {
    const { host: _, ...headers } = request.headers;
    asked.push({ target: request.url!, login: headers["proxy-authorization"], headers: JSON.stringify(headers) });
    return status;
  });
  address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(() => proxy.close());
afterEach(() => {
  vi.unstubAllEnvs();
  asked = [];
  status = 200;
});

/** A client of a host that only the proxy can reach. */
function client(name: string, env: Record<string, string>, retries = 0) {
  // The local service's certificate is for this machine's names.
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  // Of which Node warns.
  vi.spyOn(process, "emitWarning").mockReturnValue();
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  return connect({ baseUrl: `https://${name}.invalid`, apiKey: service.keys.partner, retries, timeout: 5000 });
}

it("requests go through a tunnel, which is kept, and the proxy sees no key", async () => {
  const { webhooks } = client("one", { HTTPS_PROXY: `http://me:s%40crt@${address}` });
  for (const n of [1, 2, 3]) await webhooks.create({ webhook_type: "all", webhook_url: `https://r.example/${n}` });
  expect(await webhooks.list().all()).toHaveLength(3);
  expect(asked.map(({ target }) => target)).toEqual(["one.invalid:443"]);
  expect(asked[0]!.login).toBe(`Basic ${Buffer.from("me:s@crt").toString("base64")}`);
  await client("percent", { HTTPS_PROXY: `http://me:50%@${address}` }).branding.get();
  expect(asked[1]!.login).toBe(`Basic ${Buffer.from("me:50%").toString("base64")}`);
  expect(asked[0]!.headers).toContain('"proxy-connection":"keep-alive"');
  expect(asked[0]!.headers).not.toContain(Buffer.from(`${service.keys.partner}:`).toString("base64").slice(0, 20));
});

it.each([
  ["CORP\\user:hush", "CORP\\user:hush"],
  ["CORP%5Cuser:hush", "CORP\\user:hush"],
  ["me:p@ss/w?r#d", "me:p@ss/w?r#d"],
  ["me:5%ab%", Buffer.from("me:5\u00ab%", "latin1")],
  ["jürgen:größe 😀", "jürgen:größe 😀"],
  ["me", "me:"],
])("the login %s is what the proxy gets", async (text, login) => {
  const { username, password, hostname, port } = proxyFor("https://sign.example.com", {
    HTTPS_PROXY: `http://${text}@proxy.example:3128`,
  })!;
  expect([hostname, port]).toEqual(["proxy.example", "3128"]);
  expect(loginOf({ username, password } as URL).token).toBe(`Basic ${Buffer.from(login as string).toString("base64")}`);
});

it("other URLs are fetched through the same proxy, with and without a body", async () => {
  client("five", { HTTPS_PROXY: `http://me:s%40crt@${address}` });
  const { status, body } = await fetchThrough("https://five.invalid/v1/branding", { method: "HEAD" });
  expect([status, body]).toEqual([401, null]);
  const answer = await fetchThrough("https://five.invalid/v1/branding", {});
  expect(await answer.json()).toMatchObject({ http: 401 });
  expect(asked.map(({ target }) => target)).toEqual(["five.invalid:443", "five.invalid:443"]);
  expect(asked[0]!.login).toBe(`Basic ${Buffer.from("me:s@crt").toString("base64")}`);
});

it("a proxy that rejects, does not exist or has an invalid URL: an error without its password, and nothing was sent", async () => {
  status = 407;
  const call = (name: string, env: Record<string, string>) =>
    client(name, env, name === "two" ? 3 : 0)
      .branding.get()
      .catch((error) => error);
  const refused = await call("two", { HTTPS_PROXY: `http://me:hush@${address}` });
  expect(refused).toMatchObject({ kind: "connection" });
  expect(refused.message).toMatch(/proxy.*407.*login.*HTTPS_PROXY/);
  // Another attempt would be refused as well.
  expect(asked.filter(({ target }) => target.startsWith("two"))).toHaveLength(1);
  expect(refused.message).not.toContain("hush");
  const absent = await call("three", { HTTPS_PROXY: "http://me:hush@127.0.0.1:9" });
  expect(absent).toMatchObject({ kind: "connection" });
  expect(absent.message).not.toContain("hush");
  const wrong = await call("four", { HTTPS_PROXY: "socks5://me:hush@proxy" });
  expect(wrong).toMatchObject({ kind: "connection" });
  expect(wrong.message).toMatch(/HTTPS_PROXY must be the URL of an HTTP proxy/);
  expect(wrong.message).not.toContain("hush");
});

it("a proxy that cannot be reached is named, and not its password", async () => {
  const closed = net.createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, "close");
  for (const host of [`127.0.0.1:${port}`, "proxy.invalid:3128"]) {
    const call = client("eight", { HTTPS_PROXY: `http://me:hush@${host}` }).branding.get();
    const { message } = await call.catch((error: Error) => error as Error & { message: string });
    expect(message).toMatch(/the proxy of HTTPS_PROXY could not be reached \(E\w+\)/);
    expect(message).not.toContain("hush");
  }
});

it("a proxy that closes the connection is tried once per attempt, and one that does not respond ends with the call", async () => {
  let isPatient = false;
  const opened: net.Socket[] = [];
  const other = net.createServer((socket) => {
    opened.push(socket.on("error", () => undefined));
    socket.once("data", () => isPatient || socket.destroy());
  });
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const HTTPS_PROXY = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const call = client("six", { HTTPS_PROXY }, 1).branding;
  await expect(call.get()).rejects.toMatchObject({ kind: "connection" });
  expect(opened).toHaveLength(2);
  await fetchThrough("https://seven.invalid/", { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
  expect(opened).toHaveLength(3);
  isPatient = true;
  await expect(call.get(undefined, { timeout: 300 })).rejects.toMatchObject({ kind: "timeout" });
  const last = opened.at(-1)!;
  if (!last.closed) await once(last, "close");
  other.close();
});

it.each<[string, NodeJS.ProcessEnv, boolean]>([
  ["https://sign.example.com", { HTTPS_PROXY: "p:3128" }, true],
  ["https://sign.example.com", { https_proxy: "http://p:3128" }, true],
  ["https://sign.example.com", { HTTP_PROXY: "http://p:3128" }, false],
  ["https://sign.example.com", { HTTPS_PROXY: "p", NO_PROXY: "example.com" }, false],
  ["https://sign.example.com", { HTTPS_PROXY: "p", no_proxy: "other.example, .example.com" }, false],
  ["https://sign.example.com", { HTTPS_PROXY: "p", NO_PROXY: "*.example.com" }, false],
  ["https://sign.example.com", { HTTPS_PROXY: "p", NO_PROXY: "*" }, false],
  ["https://sign.example.com", { HTTPS_PROXY: "p", NO_PROXY: "ign.example.com,sign.example.com:8443" }, true],
  ["https://sign.example.com:8443", { HTTPS_PROXY: "p", NO_PROXY: "SIGN.example.com:8443" }, false],
  ["https://10.1.2.3", { HTTPS_PROXY: "p", NO_PROXY: "10.0.0.0/8" }, false],
  ["https://11.1.2.3", { HTTPS_PROXY: "p", NO_PROXY: "10.0.0.0/8,10.0.0.0/99,/8,x/8" }, true],
  ["https://10.1.2.3:8443", { HTTPS_PROXY: "p", NO_PROXY: "10.0.0.0/8:443" }, true],
  ["https://[2001:db8::7]", { HTTPS_PROXY: "p", NO_PROXY: "2001:db8::/32" }, false],
  ["https://[2001:db8::7]", { HTTPS_PROXY: "p", NO_PROXY: "2001:0DB8:0::7" }, false],
  ["https://[2001:db8::7]:8443", { HTTPS_PROXY: "p", NO_PROXY: "[2001:db8:0:0::7]:8443" }, false],
  ["https://[2001:db8::7]", { HTTPS_PROXY: "p", NO_PROXY: "[2001:db8::7]:8443,2001:db9::/32,10.0.0.0/8" }, true],
  ["https://sign.xn--bcher-kva.example", { HTTPS_PROXY: "p", NO_PROXY: "BÜCHER.example" }, false],
  ["https://sign.bücher.example", { HTTPS_PROXY: "p", NO_PROXY: ".xn--bcher-kva.example" }, false],
  ["https://sign.example.com.", { HTTPS_PROXY: "p", NO_PROXY: "example.com" }, false],
  ["https://sign.example.com", { HTTPS_PROXY: "p", NO_PROXY: "10.0.0.0/8,::1,[::1]:80" }, true],
  ["https://localhost:8443", { HTTPS_PROXY: "p" }, false],
  ["https://[::1]:8443", { HTTPS_PROXY: "p" }, false],
  ["http://127.0.0.1:8080", { HTTPS_PROXY: "p", HTTP_PROXY: "p" }, false],
])("%s with %j", (origin, environment, proxied) => {
  expect(proxyFor(origin, environment) !== undefined).toBe(proxied);
});
