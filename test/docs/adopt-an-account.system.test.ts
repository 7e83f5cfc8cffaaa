import { test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { makeHome, runGuide } from "./guide";

const home = temporaryFolder();
const service = useEmulator({
  seed: { account: { webhooks: [{ type: "signed-envelope-complete", url: "https://hooks.example.com/signed" }] } },
});

test("docs/tutorials/adopt-an-account.md", { timeout: 180_000 }, async () => {
  const env = { ...makeHome(home), ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
  await runGuide("tutorials/adopt-an-account", home, env);
});
