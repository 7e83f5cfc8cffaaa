/** Nothing twice and nothing lost through a real program: answers that get lost, a service that is busy, runs that are killed. */
import { afterEach, describe, expect, it } from "vitest";
import { type Emulator, start } from "../../emulator";
import { connect } from "../../sdk";
import { Program, type Wanted } from "./programs";

let service: Emulator;
let program: Program;
afterEach(async () => {
  program.end();
  await service.close();
});

const client = () => connect({ baseUrl: service.url, apiKey: service.keys.partner });
const begin = async (options: Parameters<typeof start>[0], wanted: Wanted[]) => {
  service = await start(options);
  program = new Program("embedded");
  program.wanted = wanted;
  await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
};
const webhooks = (count: number): Wanted[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "Webhook",
    name: `hook-${i}`,
    args: { type: "all", url: `https://r.example/${i}` },
  }));
const companies = (count: number): Wanted[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "Company",
    name: `firm-${i}`,
    args: { name: `Firm ${i}`, userName: "U", userEmail: `u${i}@firm.example`, deletionProtection: false },
  }));

/** The objects of the service are those of the state: none twice, none lost, none too many. */
async function expectAgreement(): Promise<void> {
  const state = await program.state();
  const ids = (type: string) =>
    state
      .filter((resource) => resource.type.endsWith(`:${type}`))
      .map(({ id }) => id!)
      .sort();
  expect((await client().webhooks.list().all()).map(({ webhook_id }) => webhook_id).sort()).toEqual(ids("Webhook"));
  expect((await client().companies.list().all()).map(({ company_id }) => company_id).sort()).toEqual(ids("Company"));
}

const patience = { timeout: 180_000 };

describe("one run ends with exactly the wanted objects", patience, () => {
  it("when answers are lost and the service is busy", async () => {
    const count = 80;
    await begin(
      {
        faults: [
          { kind: "status", status: 429, retryAfter: 0.05, probability: 0.05 },
          { kind: "status", status: 503, retryAfter: 0.05, probability: 0.05 },
          { kind: "cut-after", method: "POST", probability: 0.3 },
        ],
      },
      [...webhooks(count - 10), ...companies(10)],
    );
    await program.operate("up");
    expect(service.counts().total).toBeLessThanOrEqual(1.5 * count);
    service.configure({ faults: [] });
    await expectAgreement();
    await program.operate("up", "--expect-no-changes");
  });
});

describe("a run that is killed", patience, () => {
  it("after the commit of a write is carried on with by the next one, to the account as it was before", async () => {
    let strike = () => {};
    const struck = new Promise<void>((resolve) => {
      strike = resolve;
    });
    let writes = 0;
    await begin(
      {
        latency: 20,
        log: ({ method }) => {
          if (method !== "GET" && ++writes === 4) strike();
        },
      },
      [
        { kind: "Branding", name: "branding", args: { colour: "#0a0b0c" } },
        { kind: "BrandingEmail", name: "email", args: { type: "email-send", subject: "Sign {contract title}" } },
        ...webhooks(3),
        ...companies(1),
      ],
    );
    const before = [await client().branding.get(), (await client().branding.emails()).branding_emails[4]];
    await program.killed(struck, "up", "--yes", "--skip-preview", "--stack", program.stack);
    // The lock of the dead run, where the engine does not see by itself that it is dead.
    await program.run("cancel", "--yes", "--stack", program.stack);
    await program.operate("up");
    await expectAgreement();
    await program.operate("destroy");
    await expectAgreement();
    const after = [await client().branding.get(), (await client().branding.emails()).branding_emails[4]];
    const timeless = (value: unknown) => JSON.stringify(value).replace(/"branding_email_updated":"[^"]*"/, "");
    expect(timeless(after)).toBe(timeless(before));
  });
});
