/** Who reads an account says what is waited for: each way by which this command reaches one. */
import { expect, it, vi } from "vitest";
import { FleetServer } from "../../cli/fleet/fleet-server";
import { Sender } from "../../conformance/sender";
import { FleetClient } from "../../provider/session/fleet-client";
import { esign } from "../cli/in-process";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";

const service = useEmulator();
const throttle = () =>
  service.configure({ faults: [{ kind: "status", status: 429, retryAfter: 2, times: 1, method: "GET" }] });
const settings = () => ({ baseUrl: service.url, apiKey: service.keys.partner });
const words = / 429.*; the next attempt follows in 2 s/;

it.each([
  ["webhooks", "list"],
  ["leaks", "."],
  ["doctor", "--account-only"],
])("`esign %s`", async (...args) => {
  throttle();
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner };
  const { code, stderr } = await esign(args, { home: temporaryFolder(), env });
  expect([code, stderr]).toEqual([0, expect.stringMatching(words)]);
});

it("a fleet, of the list of companies that all stacks wait for", async () => {
  throttle();
  const server = await FleetServer.start();
  const say = vi.fn();
  server.say = say;
  expect((await new FleetClient(server.address).companies(settings()))?.companies).toEqual([]);
  server.close();
  expect(say.mock.calls).toEqual([[expect.stringMatching(words)]]);
});

it("a report on an account", async () => {
  throttle();
  const controller = new AbortController();
  const waits: string[] = [];
  const onWait = (message: string) => {
    waits.push(message);
    controller.abort();
  };
  const sender = new Sender({ ...settings(), signal: controller.signal, onWait });
  await expect(sender.get("/v1/branding")).rejects.toThrow("GET /v1/branding");
  expect(waits).toEqual(["GET /v1/branding: the service returned 429; the next attempt follows in 2 s"]);
});
