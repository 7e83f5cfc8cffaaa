/** An explicit provider has its own key, whatever its name: its resources are read, and verified, by that key alone. */
import { expect, it } from "vitest";
import { AccountSessions } from "../../provider/lifecycle/dry-run/account-sessions";
import { verifyStackAccount } from "../../provider/lifecycle/verify-stack-account";
import type { StateView } from "../../provider/plan/deleting-steps";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { onStage } from "./on-stage";

const world = onStage();

const type = "pulumi:providers:esign";
const providerOf = (name: string, apiKey: string): StateView => ({
  ...{ urn: `urn:pulumi:dev::p::${type}::${name}`, type, id: "1" },
  outputs: { apiKey },
});
const reference = ({ urn, id }: StateView) => `${urn}::${id}`;
const options = () => {
  const settings: Record<string, string> = { "esign:apiKey": "the-stacks-key", "esign:baseUrl": world.service.url };
  return { configuration: { get: (key: string) => settings[key] }, environment: {} };
};

const names = ["default", "default-eu", "default_eu", "defaults", "default_1_2_3", "eu"];

it.each(names)("a provider %s that a program declares has a session with its own key", async (name) => {
  const own = providerOf(name, "a-key-of-its-own");
  const made = { ...providerOf("default_0_1_0", "the-stacks-key-once"), isDefaultProvider: true };
  const sessions = new AccountSessions([own, made], options());
  const keyOf = (provider: StateView) => sessions.of(reference(provider))!.connection.client.keyFingerprint();
  expect(await keyOf(own)).toBe(keyFingerprint("a-key-of-its-own"));
  expect(await keyOf(made)).toBe(keyFingerprint("the-stacks-key"));
  expect(sessions.of("urn:pulumi:dev::p::pulumi:providers:esign::default::unknown")).toBeUndefined();
});

it.each(names)("the stack's key is not asked about the resources of a provider %s", async (name) => {
  const { id, outs } = await world.create("webhook", { type: "all", url: "https://r.example/" });
  const own = providerOf(name, world.service.keys.partner);
  const type = "esign:index:Webhook";
  const webhook = { urn: `urn:pulumi:dev::p::${type}::w`, type, id, provider: reference(own), outputs: outs };
  const before = world.service.requests().length;
  await verifyStackAccount(Promise.resolve([own, webhook]), options());
  expect(world.service.requests().length).toBe(before);
  const ofStack = [{ ...own, isDefaultProvider: true }, webhook];
  await expect(verifyStackAccount(Promise.resolve(ofStack), options())).rejects.toThrow(/key/);
});
