/** The key of the state at another address: the account there may be another one, or the service may have moved. */
import { describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { isPlugin } from "./handlers";
import { onStage } from "./on-stage";
import { type Declared, isWrite, preview, update } from "./previewed";

const world = onStage();

const program = (): Declared[] => [
  { handler: "branding", name: "look", args: { colour: "#112233" } },
  { handler: "webhook", name: "a", args: { type: "all", url: "https://a.example/" } },
];
const looks = (): Declared[] => program().slice(0, 1);
/** The service of the state, under another name. */
const moved = () => ({ settings: { baseUrl: world.service.url.replace("127.0.0.1", "localhost") } });
/** Another service that knows the key. */
const another = async () => {
  const key = world.service.keys.partner;
  const service = await emulatorForTest({ seed: { partner: { key } } });
  return { service, settings: { baseUrl: service.url } };
};

describe.each([
  ["preview", preview],
  ["run", update],
] as const)("a %s with the key of the state, although nothing has changed", (_, run) => {
  it.each([
    ["that has an ID", program],
    ["by its content", looks],
  ])("is the wrong account at another address without the object %s, once, also of a pinned stack", async (_, made) => {
    const same = made();
    await update(world, same);
    const { service, settings } = await another();
    const expectAccount = await connect({ baseUrl: service.url, apiKey: service.keys.partner }).keyFingerprint();
    for (const more of [{}, { expectAccount }]) {
      const { refusals } = await run(world, same, { settings: { ...settings, ...more } });
      const message =
        /wrong account\? This address \(\S+\) differs from the recorded one \(\S+\), .*ESIGN1003.*\n.*`stack init <name>`.*esign:baseUrl/;
      expect(refusals).toEqual([expect.stringMatching(message)]);
      expect(refusals[0]).toContain(`${service.url}) differs from the recorded one (${world.service.url})`);
    }
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it.each([
    ["that has an ID", program],
    ["by its content", looks],
  ])("is no change where the service has moved: the account there has the object %s", async (_, made) => {
    const same = made();
    await update(world, same);
    const { refusals, effects, requests } = await run(world, same, moved());
    expect([refusals, effects, requests.filter(isWrite)]).toEqual([[], [], []]);
  });
});

describe("after a move", () => {
  // Each resource may be the last that the plugin hears of.
  it.skipIf(isPlugin)("the next write records the address: from then on nothing is read for it", async () => {
    const same = program();
    await update(world, same);
    const reads = (await preview(world, same)).requests;
    expect((await preview(world, same, moved())).requests).toEqual([...reads, "GET /v1/webhooks"]);
    same[1]!.args = { type: "all", url: "https://b.example/" };
    await update(world, same, moved());
    expect((await preview(world, same, moved())).requests).toEqual(reads);
  });

  it("what a killed run has written at the former address is its own", async () => {
    const subject = (word: string) => ({ type: "email-send", subject: `${word} {contract title}` });
    const before = await world.create("brandingEmail", subject("One"));
    await before.update(subject("Two"));
    const { settings } = moved();
    const after = await before.update(subject("Three"), world.phase(settings));
    expect((await world.template()).branding_email_subject).toBe(subject("Three").subject);
    await after.delete(world.phase(settings));
    expect((await world.template()).branding_email_subject).not.toMatch(/One|Two|Three/);
  });

  it("that no address is recorded, as of what was read by its id, is no change, and a refresh does not make it one", async () => {
    const made = await world.create("webhook", { type: "all", url: "https://a.example/" });
    const read = structuredClone(made.outs) as { __esign: Record<string, unknown> };
    expect(read.__esign.address).toBe(world.service.url);
    delete read.__esign.address;
    expect((await made.having(read).read()).outs).toEqual(read);
  });
});
