/**
 * The contract suite runs against the local service always, and against another account when these are set:
 * `ESIGN_CONTRACT_BASE_URL`, `ESIGN_CONTRACT_API_KEY`, for a partner's part `ESIGN_CONTRACT_PARTNER_KEY`; it only reads,
 * unless `ESIGN_CONTRACT_WRITES=1` allows it to create, change and delete objects of its own.
 */
import { afterAll } from "vitest";
import { type Emulator, start } from "../../emulator";
import { editions } from "../../sdk";
import { contract } from "./contract";

const services: Emulator[] = [];
afterAll(() => Promise.all(services.map((service) => service.close())));

for (const edition of editions) {
  contract(
    `the local service, edition ${edition}`,
    async () => {
      // With objects to read, as in an account that is used.
      const webhooks = [{ type: "all" as const, url: "https://receiver.example/hook" }];
      const seed = { account: { webhooks, envelopes: [{ title: "Lease" }] }, companies: [{}] };
      const service = await start({ edition, seed });
      services.push(service);
      const { url, keys } = service;
      return { baseUrl: url, apiKey: keys.account, partnerKey: keys.partner };
    },
    true,
    true,
    edition,
  );
}

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
    process.env.ESIGN_CONTRACT_EDITION === "current" ? "current" : "specification",
  );
}
