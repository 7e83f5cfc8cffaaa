/** Nothing twice and nothing lost through a real program: answers that get lost, a service that is busy. Runs that are killed: test/reliability/killed.system.test.ts. */
import { afterEach, describe, expect, it } from "vitest";
import { type Emulator, start } from "../../emulator";
import { connect } from "../../sdk";
import { Program, type Wanted } from "./programs";

let service: Emulator;
let program: Program;
afterEach(async () => {
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
