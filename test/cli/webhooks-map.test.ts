import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
let endpoint: Server;
let service: Emulator;
let there: string;
let gone: string;
const asked: string[] = [];
const login = `Basic ${Buffer.from("us@er:pass%").toString("base64")}`;

beforeAll(async () => {
  endpoint = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(request.url !== "/signed-in" || request.headers.authorization === login ? 405 : 502).end();
  });
  await new Promise<void>((done) => endpoint.listen(0, "127.0.0.1", done));
  const { port } = endpoint.address() as AddressInfo;
  there = `http://127.0.0.1:${port}/esign?token=s3cret-token`;
  gone = "http://127.0.0.1:9/";
  service = await start({
    seed: {
      account: {
        webhooks: [
          { type: "all", url: there },
          { type: "add-user", url: there },
          { type: "add-user", url: gone },
          { type: "add-contact", url: there.replace("//", "//us%40er:pass%@").replace(/esign.*/, "signed-in") },
        ],
      },
    },
  });
});
afterAll(async () => {
  await service.close();
  await new Promise((done) => endpoint.close(done));
});

const run = (...args: string[]) =>
  esign(["webhooks", "map", ...args], {
    home,
    env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account },
  });

test("shows events by endpoints and double deliveries, without asking a endpoint", async () => {
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^add-user +2× +yes$/m);
  expect(stdout).toMatch(/^opened-envelope +all$/m);
  expect(stdout).toContain('"all" beside "add-user"');
  expect(stdout).not.toContain("s3cret-token");
  expect(asked).toEqual([]);
});

test("--probe asks each endpoint once, and tells who cannot be reached", async () => {
  const { stdout } = await run("--probe");
  expect(stdout).toContain("responds 405");
  expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:9\/ +cannot be reached/);
  expect(stdout.match(/cannot be reached/g)).toHaveLength(1);
  expect(asked.sort()).toEqual(["HEAD /esign?token=s3cret-token", "HEAD /signed-in"]);
});

test("of a folder: double deliveries, types that this version does not know, and events that nobody receives", async () => {
  const account = (hooks: string[]) => ({
    "account.yaml": `webhooks:\n${hooks.map((hook, i) => `  h${i}: ${hook}\n`).join("")}`,
  });
  const map = async (...hooks: string[]) => JSON.parse((await run(temporaryFolder(account(hooks)), "--json")).stdout);
  const [a, b] = ["https://a.example/", "https://b.example/"];
  const some = await map(`{ type: add-user, url: ${a} }`, `{ type: bounced-envelope, url: ${b} }`);
  expect(some.endpoints.map(({ url }: { url: string }) => url)).toEqual([a, b]);
  expect(some.endpoints[0].receives["add-user"]).toEqual(["add-user"]);
  expect(some.events).toContain("bounced-envelope");
  expect(some.events).not.toContain("all");
  expect(some.uncovered).toContain("opened-envelope");
  expect(some.uncovered).not.toContain("add-user");
  expect(some.duplicates).toEqual([]);
  const twice = ["type: all", "type: add-user"].map((type) => `{ ${type}, url: ${a} }`);
  const users = [b, "https://b.example"].map((url) => `{ type: add-user, url: "${url}" }`);
  expect(await map(...twice, ...users)).toMatchObject({
    uncovered: [],
    duplicates: [
      { event: "add-user", url: a, reason: '"all" beside "add-user"' },
      { event: "add-user", url: "https://b.example", reason: '"add-user" is registered 2 times' },
    ],
  });
});

test("more endpoints than there is room for columns are listed by endpoint", async () => {
  const many = Array.from({ length: 60 }, (_, i) => ({
    type: "add-user" as const,
    url: `https://r.example/${i + 100}`,
  }));
  const crowded = await emulatorForTest({ seed: { account: { webhooks: [...many, many[59]!] } } });
  const env = { ESIGN_BASE_URL: crowded.url, ESIGN_API_KEY: crowded.keys.account };
  const { code, stdout } = await esign(["webhooks", "map"], { home, env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^https:\/\/r\.example\/158\n {4}add-user\nhttps:\/\/r\.example\/159\n {4}add-user 2×$/m);
  expect(stdout).toMatch(/^No subscriber: .*add-contact/m);
});

test("--json holds the map for programs, and events that nobody receives are told", async () => {
  const map = JSON.parse((await run("--json")).stdout);
  expect(map).toMatchObject({
    uncovered: [],
    endpoints: [{ url: there }, { url: gone }, { url: expect.stringContaining("/signed-in") }],
    duplicates: [{ event: "add-user", url: there }],
  });
});
