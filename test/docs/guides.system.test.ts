import { expect, test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { makeHome, runGuide } from "./guide";

/** Those of accounts that exist: here, and in guides.nightly.test.ts. */
test.each(["first-project", "first-project-in-yaml"])("docs/tutorials/%s.md", async (name) => {
  const home = temporaryFolder();
  await runGuide(`tutorials/${name}`, home, makeHome(home));
});

const inUse = useEmulator({
  edition: "current",
  seed: {
    account: {
      branding: { colour: "#558caa", logo: "https://acme.example/logo.png" },
      emails: { "email-send": { subject: "Please sign: {contract title}" } },
      webhooks: [
        { type: "signed-envelope-complete", url: "https://hooks.example.com/signed" },
        { type: "add-contact", url: "https://hooks.example.com/contacts" },
      ],
      contacts: [{ name: "Ann", email: "ann@b.example" }],
    },
  },
});

test("docs/how-to/move-in.md: nothing is written to the account", async () => {
  const home = temporaryFolder();
  const account = { ESIGN_BASE_URL: inUse.url, ESIGN_API_KEY: inUse.keys.account };
  await runGuide("how-to/move-in", home, { ...makeHome(home), ...account });
  expect(new Set(inUse.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
});
