/** `esign emulator trigger`: test events from the command line, for a receiver and for the webhooks of a running emulator. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { actionsOf } from "../../emulator/domain/enums-by-edition";
import { nodeReceiver, type Received } from "../../receiver";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder({ "secret.txt": "\ufeffhush-hush \r\n", "other.txt": "wrong", "blank.txt": " \n" });
let received: Received[] = [];
const handle = (each: Received) => void received.push(each);
const receivers = {
  open: createServer(nodeReceiver(handle, { secrets: false })),
  signed: createServer(nodeReceiver(handle, { secrets: "hush-hush" })),
};
const urls = { open: "", signed: "" };
const trigger = (...args: string[]) => esign(["emulator", "trigger", ...args], { home });

beforeAll(async () => {
  for (const name of ["open", "signed"] as const) {
    await once(receivers[name].listen(0, "127.0.0.1"), "listening");
    urls[name] = `http://127.0.0.1:${(receivers[name].address() as AddressInfo).port}/esign`;
  }
});
afterAll(() => {
  for (const server of Object.values(receivers)) server.close();
});
beforeEach(() => {
  received = [];
});

test.each(["specification", "current"] as const)(
  "every type of the edition %s is sent and understood",
  async (edition) => {
    const { code, stdout, stderr } = await trigger("all", "--to", urls.open, "--edition", edition);
    const types = [...actionsOf({ edition, unlistedValues: false } as never)];
    expect({ code, stderr, lines: stdout.split("\n").length }).toEqual({
      code: 0,
      stderr: "",
      lines: types.length + 1,
    });
    expect(received.map(({ event }) => event.action).sort()).toEqual(types.sort());
  },
);

test("what takes long says what it waits for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const slow = createServer((_, response) => {
    vi.advanceTimersByTime(2_000);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(slow, "listening");
  const { port } = slow.address() as AddressInfo;
  const { code, stderr } = await trigger("add-user", "--to", `http://127.0.0.1:${port}/`);
  slow.close();
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^no end of a delivery for 2 s; .*\n$/)]);
});

test("it is signed if there is a secret, and a wrong one shows", async () => {
  const type = "signed-envelope-complete";
  expect(await trigger(type, "--to", urls.signed, "--secret-file", "secret.txt")).toMatchObject({ code: 0 });
  expect(received).toHaveLength(1);
  const refused = await trigger(type, "--to", urls.signed, "--secret-file", "other.txt");
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringMatching(/→ http:\/\/127\.0\.0\.1:\d+\/esign {2}4\d\d/),
  ]);
  expect((await trigger(type, "--to", urls.signed)).code).toBe(1);
  expect(received).toHaveLength(1);
});

test.each<[number, RegExp]>([
  [403, /origin check.*trustedOrigins.*checkOrigin/],
  [404, /no route/],
  [405, /GET only/],
  [413, /100 kB/],
  [302, /follow no redirect/],
  [204, /exactly 200/],
  [500, /raw-body-missing/],
])("an answer of %d has its likely cause, once", async (status, words) => {
  const server = createServer((_, response) => void response.writeHead(status).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { code, stdout } = await trigger("all", "--to", to);
  expect([code, stdout.match(/likely cause of/g)]).toEqual([1, ["likely cause of"]]);
  expect(stdout).toMatch(words);
  const [delivery] = JSON.parse((await trigger("add-user", "--to", to, "--json")).stdout);
  expect(delivery).toMatchObject({ attempts: [status], likelyCause: expect.stringMatching(words) });
});

test("without --to, it goes to the webhooks of the running emulator", async () => {
  expect(await trigger("add-user")).toMatchObject({ code: 2, stderr: expect.stringContaining("--to <URL>") });
  const file = join(home, ".esign/service.json");
  const webhooks = [{ type: "add-user", url: urls.open }];
  await emulatorForTest({ file, seed: { account: { webhooks } } } as never);
  const { code, stdout } = await trigger("add-user", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ type: "add-user", url: urls.open, state: "delivered" }),
  ]);
  expect(received.map(({ event }) => event.action)).toEqual(["add-user"]);
  const unheard = await trigger("rejected-envelope");
  expect([unheard.code, unheard.stderr]).toEqual([
    2,
    expect.stringContaining("no webhook of the running emulator is for"),
  ]);
});

test.each([
  [["signed-envelope-complet", "--to", "http://127.0.0.1:9/"], 'did you mean "signed-envelope-complete"?'],
  [["all", "--to", "https://hooks.example.com/esign"], "must be on this machine"],
  [["all", "--to", "127.0.0.1:3000"], "must be a URL such as"],
  [["all", "--secret-file", "secret.txt"], "need --to"],
  [["all", "--to", "http://127.0.0.1:9/", "--secret-file", "none.txt"], "there is no file none.txt"],
  [["all", "--to", "http://127.0.0.1:9/", "--secret-file", "blank.txt"], "--secret-file is empty"],
])("%j is refused", async (args, message) => {
  save(home, {});
  const { code, stderr } = await trigger(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("an event of today's service only says how to send it, in every case", async () => {
  const events = actionsOf({ edition: "current", unlistedValues: false }).filter(
    (type) => !actionsOf({ edition: "specification", unlistedValues: false }).includes(type),
  );
  expect(events).toContain("expired-envelope");
  for (const type of events) {
    const { code, stderr } = await trigger(type, "--to", urls.open);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/today's service.*: add --edition current\n$/)]);
    expect((await trigger(type, "--to", urls.open, "--edition", "current")).code).toBe(0);
  }
  const misspelt = await trigger("expired-envelop", "--to", urls.open);
  expect(misspelt.stderr).toContain('did you mean "expired-envelope"?');
});
