import { expect, test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { makeHome, runGuide, shell } from "./guide";

/** Declares the test of a guide that begins in the folder of an account that was exported and deployed. */
export function testOnExportedAccount(name: string): void {
  const home = temporaryFolder();
  const service = useEmulator({
    seed: { account: { webhooks: [{ type: "signed-envelope-complete", url: "https://hooks.example.com/signed" }] } },
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
