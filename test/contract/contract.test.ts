/**
 * The contract suite runs against the local service always, and against another account when these are set:
 * `ESIGN_CONTRACT_BASE_URL`, `ESIGN_CONTRACT_API_KEY`, for a partner's part `ESIGN_CONTRACT_PARTNER_KEY`; it only reads,
 * unless `ESIGN_CONTRACT_WRITES=1` allows it to create, change and delete objects of its own.
 */
import { afterAll } from "vitest";
import { type Emulator, start } from "../../emulator";
import { contract } from "./contract";

let service: Emulator | undefined;
afterAll(async () => await service?.close());

contract(
  "the local service",
  async () => {
    // With objects to read, as in an account that is used.
    const webhooks = [{ type: "all" as const, url: "https://receiver.example/hook" }];
    service = await start({ seed: { account: { webhooks, envelopes: [{ title: "Lease" }] }, companies: [{}] } });
    const { url, keys } = service;
    return { baseUrl: url, apiKey: keys.account, partnerKey: keys.partner };
  },
  true,
  true,
);

const { ESIGN_CONTRACT_BASE_URL, ESIGN_CONTRACT_API_KEY, ESIGN_CONTRACT_PARTNER_KEY, ESIGN_CONTRACT_WRITES } =
  process.env;
if (ESIGN_CONTRACT_BASE_URL !== undefined && ESIGN_CONTRACT_API_KEY !== undefined) {
  const writes = ESIGN_CONTRACT_WRITES === "1";
  contract(
    "the configured account",
    async () => ({
      baseUrl: ESIGN_CONTRACT_BASE_URL,
      apiKey: ESIGN_CONTRACT_API_KEY,
      partnerKey: ESIGN_CONTRACT_PARTNER_KEY,
    }),
    writes,
    ESIGN_CONTRACT_PARTNER_KEY !== undefined,
  );
}
