import { afterAll, beforeAll, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { temporaryFolder } from "../cli/esign";
import { makeHome, runGuide } from "./guide";

const { path: home, remove } = temporaryFolder();
let staging: Emulator;
let production: Emulator;

beforeAll(async () => {
  const email = { subject: "Bitte unterschreiben: {contract title}" };
  staging = await start({
    seed: {
      account: {
        branding: { colour: "#335577" },
        emails: { "email-send": email },
        webhooks: [{ type: "all", url: "https://hooks.example.com/" }],
      },
    },
  });
  production = await start({ seed: { account: { envelopes: [{ title: "under way" }] } } });
});
afterAll(async () => {
  await staging.close();
  await production.close();
  remove();
});

test("docs/tutorials/staging-and-production.md", { timeout: 180_000 }, async () => {
  const env = {
    ...makeHome(home),
    ESIGN_STAGING_BASE_URL: staging.url,
    ESIGN_STAGING_API_KEY: staging.keys.account,
    ESIGN_PRODUCTION_BASE_URL: production.url,
    ESIGN_PRODUCTION_API_KEY: production.keys.account,
  };
  await runGuide("tutorials/staging-and-production", home, env);
});
