/** The guides of accounts that exist, and those that need long, each in a home of its own. */
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { makeHome, runGuide, shell } from "./guide";

vi.setConfig({ testTimeout: 500_000 });

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = temporaryFolder();
  env = makeHome(home);
});

describe("with an account that is exported and deployed", () => {
  const service = useEmulator({
    seed: { account: { webhooks: [{ type: "signed-envelope-complete", url: "https://hooks.example.com/signed" }] } },
  });
  beforeEach(() => service.reset());

  test("docs/tutorials/adopt-an-account.md", () =>
    runGuide("tutorials/adopt-an-account", home, {
      ...env,
      ESIGN_BASE_URL: service.url,
      ESIGN_API_KEY: service.keys.account,
    }));

  test.each(["detect-drift", "edit-email-templates", "preview-and-lint-emails", "run-ci-without-the-service"])(
    "docs/how-to/%s.md",
    async (name) => {
      const account = { ...env, ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
      // The emulator's own logo has an address of this machine, of which `esign lint --strict` warns.
      const logo = "sed -i 's|logoUrl: .*|logoUrl: https://cdn.example.com/logo.png|' account.yaml";
      const begin = `esign export --out account && cd account && ${logo} && npm install && esign stack init production`;
      const begun = await shell(`${begin} && esign up --yes --skip-preview`, home, account);
      expect(begun.code, begun.output).toBe(0);
      await runGuide(`how-to/${name}`, begun.cwd, account);
    },
  );
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
  const account = { ESIGN_BASE_URL: inUse.url, ESIGN_API_KEY: inUse.keys.account };
  await runGuide("how-to/move-in", home, { ...env, ...account });
  expect(new Set(inUse.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("docs/tutorials/provision-a-customer.md, and the pages that follow it", async () => {
  await runGuide("tutorials/provision-a-customer", home, env);
  for (const name of ["report-monthly-usage", "offboard-a-customer"])
    await runGuide(`how-to/${name}`, join(home, "partners"), env);
});

test("docs/how-to/change-many-subaccounts.md", () => runGuide("how-to/change-many-subaccounts", home, env));

describe("with two accounts", () => {
  const staging = useEmulator({
    seed: {
      account: {
        branding: { colour: "#335577" },
        emails: { "email-send": { subject: "Bitte unterschreiben: {contract title}" } },
        webhooks: [{ type: "all", url: "https://hooks.example.com/" }],
      },
    },
  });
  const production = useEmulator({ seed: { account: { envelopes: [{ title: "in progress" }] } } });

  test("docs/tutorials/staging-and-production.md", () =>
    runGuide("tutorials/staging-and-production", home, {
      ...env,
      ESIGN_STAGING_BASE_URL: staging.url,
      ESIGN_STAGING_API_KEY: staging.keys.account,
      ESIGN_PRODUCTION_BASE_URL: production.url,
      ESIGN_PRODUCTION_API_KEY: production.keys.account,
    }));
});
