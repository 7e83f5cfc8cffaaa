import { test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { makeHome, runGuide } from "./guide";

const home = temporaryFolder();
const staging = useEmulator({
  seed: {
    account: {
      branding: { colour: "#335577" },
      emails: { "email-send": { subject: "Bitte unterschreiben: {contract title}" } },
      webhooks: [{ type: "all", url: "https://hooks.example.com/" }],
    },
  },
});
const production = useEmulator({ seed: { account: { envelopes: [{ title: "under way" }] } } });

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
