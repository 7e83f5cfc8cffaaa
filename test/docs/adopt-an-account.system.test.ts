import { afterAll, beforeAll, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { temporaryFolder } from "../cli/esign";
import { makeHome, runGuide } from "./guide";

const { path: home, remove } = temporaryFolder();
let service: Emulator;

beforeAll(async () => {
  service = await start({
    seed: { account: { webhooks: [{ type: "signed-envelope-complete", url: "https://hooks.example.com/signed" }] } },
  });
});
afterAll(async () => {
  await service.close();
  remove();
});

test("docs/tutorials/adopt-an-account.md", { timeout: 180_000 }, async () => {
  const env = { ...makeHome(home), ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
  await runGuide("tutorials/adopt-an-account", home, env);
});
