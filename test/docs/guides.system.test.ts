import { test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { makeHome, runGuide } from "./guide";

const service = useEmulator({
  seed: { account: { webhooks: [{ type: "signed-envelope-complete", url: "https://hooks.example.com/signed" }] } },
});

test.each([
  ["first-project", () => ({})],
  ["adopt-an-account", () => ({ ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account })],
])("docs/tutorials/%s.md", async (name, account) => {
  const home = temporaryFolder();
  await runGuide(`tutorials/${name}`, home, { ...makeHome(home), ...account() });
});
