import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { temporaryFolder } from "../cli/esign";
import { makeHome, runGuide, shell } from "./guide";

/** Declares the test of a guide that begins in the folder of an account that was exported and deployed. */
export function testOnExportedAccount(name: string): void {
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

  test(`docs/${name}.md`, { timeout: 180_000 }, async () => {
    const env = { ...makeHome(home), ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
    const begun = await shell(
      "esign export --out account && cd account && npm install && esign stack init dev && esign up --yes --skip-preview",
      home,
      env,
    );
    expect(begun.code, begun.output).toBe(0);
    await runGuide(name, begun.cwd, env);
  });
}
