/** Messages that no program causes: each is an error of its own resource, and the next message is served as before. */
import { DeleteRequest } from "@pulumi/pulumi/proto/provider_pb";
import { beforeEach, describe, expect, it } from "vitest";
import { type Properties, secret } from "../../provider/core/pulumi-values";
import { useEmulator } from "../emulator/use-emulator";
import { virtualClock } from "../virtual-clock";
import { urnOf } from "./client";
import { startPlugin } from "./start";

const service = useEmulator({ clock: virtualClock.date });
beforeEach(() => service.reset());
const start = () => startPlugin({ apiKey: service.keys.account, baseUrl: service.url });
const hook = urnOf("Webhook", "signed");
const args = { type: "signed-envelope", url: "https://receiver.example/esign" };

describe("an ID in a state that none of the kind has", () => {
  const ann = { name: "Ann", email: "ann@firm.example", role: "user" };
  const account = { keyFingerprint: "0123456789abcdef", address: service.url };
  const state = { ...ann, __esign: secret({ version: 1, instanceId: "b", ...account }) };

  it.each(["", "a/7", "7/a", "7/7/7", "7%2f7", "7\n", "../companies"])(
    "%j is an error of its resource only",
    async (id) => {
      const plugin = await start();
      const urn = urnOf("User", "ann");
      const problem = /^User: cannot \w+: the state entry is invalid \(its ID: .*must be a positive integer.*ESIGN1050/;
      await expect(plugin.diff(urn, id, state, { ...ann, name: "Anna" })).rejects.toThrow(problem);
      await expect(plugin.update(urn, id, state, { ...ann, name: "Anna" })).rejects.toThrow(problem);
      if (id !== "") await expect(plugin.read(urn, id, state, ann)).rejects.toThrow(problem);
      expect(service.requests()).toEqual([]);
      expect(await plugin.create(hook, args)).toHaveProperty("id");
    },
  );
});

it.each(["constructor", "toString"])("an argument called %s is unknown", async (name) => {
  const plugin = await start();
  const { failures } = await plugin.check(hook, {}, { ...args, [name]: "x" });
  expect(failures).toEqual([expect.stringMatching(`^Webhook: ${name} is not an argument of Webhook`)]);
});

it("an interrupted create whose inputs are no texts is an error that names the field", async () => {
  const plugin = await start();
  const inputs: Properties = { name: "Ann", email: { length: 3 } };
  await expect(plugin.read(urnOf("Contact", "ann"), "", inputs)).rejects.toThrow(
    /^Contact: cannot read: the state entry is invalid \(email is not a string\)/,
  );
});

it("an error of a function repeats no argument that is secret", async () => {
  const plugin = await start();
  const ask = (fingerprint: unknown) => plugin.invoke("esign:index:getEnvelope", { fingerprint });
  await expect(ask("abc-123")).rejects.toThrow(/envelopes\/abc-123/);
  await expect(ask(secret("abc-123"))).rejects.toThrow(/envelopes\/\[value\]/);
});

it.each(["Webhook", "Branding", "BrandingEmail", "Company", "Settings", "User", "Contact"])(
  "a deletion with an empty state is answered: %s",
  async (kind) => {
    const plugin = await start();
    const id = { Branding: "branding", BrandingEmail: "email-send", Settings: "settings" }[kind] ?? "7";
    const outcome = plugin.delete(urnOf(kind, "empty"), id, {}).then(
      () => "deleted",
      (error: Error) => error.message,
    );
    expect(await outcome).toMatch(/deleted|cannot delete/);
    // As some engines send it: no properties at all.
    const request = new DeleteRequest();
    request.setUrn(urnOf(kind, "empty"));
    request.setId(id);
    const bare = plugin
      .call((answer) => plugin.client.delete(request, answer))
      .then(
        () => "deleted",
        (error: Error) => error.message,
      );
    expect(await bare).toMatch(/deleted|cannot delete/);
  },
);

it("a second configuration is refused unless it is the same, and so is one that is malformed", async () => {
  const plugin = await start();
  const settings = { apiKey: service.keys.account, baseUrl: service.url };
  await plugin.configure(settings);
  await expect(plugin.configure({ ...settings, apiKey: service.keys.partner })).rejects.toThrow(/ESIGN1001/);
  await expect(plugin.configure({ ...settings, timeout: "soon" })).rejects.toThrow(/timeout.*ESIGN1001/);
  await plugin.create(hook, args);
  expect(service.data().accounts.find(({ key }) => key === service.keys.account)!.webhooks).toHaveLength(1);
});
