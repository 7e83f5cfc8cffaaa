/**
 * The contract suite runs against the local service always, and against another account when these are set:
 * `ESIGN_CONTRACT_BASE_URL`, `ESIGN_CONTRACT_API_KEY`, for a partner's part `ESIGN_CONTRACT_PARTNER_KEY`; it only reads,
 * unless `ESIGN_CONTRACT_WRITES=1` allows it to create, change and delete objects of its own.
 */
import { describe } from "vitest";
import { editions } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { contract } from "./contract";

describe.each(editions)("edition %s", (edition) => {
  // With objects to read, as in an account that is used.
  const webhooks = [{ type: "all" as const, url: "https://receiver.example/hook" }];
  const seed = { account: { webhooks, envelopes: [{ title: "Lease" }] }, companies: [{}] };
  const service = useEmulator({ edition, seed });
  const find = async () => ({ baseUrl: service.url, apiKey: service.keys.account, partnerKey: service.keys.partner });
  contract("the local service", find, { writes: true, partner: true, edition });
});

const { ESIGN_CONTRACT_BASE_URL, ESIGN_CONTRACT_API_KEY, ESIGN_CONTRACT_PARTNER_KEY } = process.env;
if (ESIGN_CONTRACT_BASE_URL !== undefined && ESIGN_CONTRACT_API_KEY !== undefined) {
  const [baseUrl, apiKey, partnerKey] = [ESIGN_CONTRACT_BASE_URL, ESIGN_CONTRACT_API_KEY, ESIGN_CONTRACT_PARTNER_KEY];
  contract("the configured account", async () => ({ baseUrl, apiKey, partnerKey }), {
    writes: process.env.ESIGN_CONTRACT_WRITES === "1",
    partner: partnerKey !== undefined,
    edition: process.env.ESIGN_CONTRACT_EDITION === "current" ? "current" : "specification",
  });
}
