/** An object is declared once in an account and a run, whichever provider instances the resources have: each has a process of its own. */
import { describe, expect, it } from "vitest";
import { resourceArg } from "../../provider/core/hidden-argument";
import { type Properties, UNKNOWN } from "../../provider/core/pulumi-values";
import type { HandlerName } from "../../provider/resources/index";
import { urnOf } from "../plugin/client";
import { type Phase, wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();
const newRun = () => `127.0.0.1:${Math.random()}`;
const kinds = {
  branding: "Branding",
  brandingEmail: "BrandingEmail",
  company: "Company",
  contact: "Contact",
  settings: "Settings",
  webhook: "Webhook",
} as const;
type Kind = keyof typeof kinds & HandlerName;

/** What a check says is wrong. */
async function check(phase: Phase, kind: Kind, name: string, args: Properties, isPreview = false): Promise<string> {
  const resource = { urn: urnOf(kinds[kind], name), secrets: [], declared: 0, isPreview };
  const { failures } = await phase[kind].check({}, wired(kind, { ...args, [resourceArg]: resource }));
  return failures.map(({ reason }) => reason).join();
}

const objects: [Kind, Properties, Properties][] = [
  ["branding", { colour: "#111111" }, { colour: "#222222" }],
  [
    "brandingEmail",
    { type: "email-send", subject: "A {contract title}" },
    { type: "email-send", subject: "B {contract title}" },
  ],
  ["settings", { emailPdfAttach: true }, { emailPdfAttach: false }],
  [
    "webhook",
    { type: "all", url: "https://r.example" },
    { type: "all", url: "HTTPS://R.example/", onExisting: "fail" },
  ],
  ["contact", { name: "C", email: "c@r.example" }, { name: "D", email: "c@r.example" }],
];

describe.each(objects)("a %s", (kind, first, second) => {
  it.each([
    ["the plan", true],
    ["an update", false],
  ])("of two providers of one account is refused by %s, before a write", async (_, isPreview) => {
    const run = newRun();
    const [one, other] = [world.phase({}, run), world.phase({ retries: "1" }, run)];
    world.service.clearLog();
    expect(await check(one, kind, "first", first, isPreview)).toBe("");
    expect(await check(other, kind, "second", second, isPreview)).toBe(
      `${kinds[kind]} "first" and "second" declare the same object, through two providers of one account (ESIGN1013).\n` +
        `Remove one of them${["webhook", "contact"].includes(kind) ? ', or set onExisting: "create" on one of them' : ""}`,
    );
    expect(world.writes()).toEqual([]);
    // The same resource, which is checked again where it is replaced.
    expect(await check(one, kind, "first", first, isPreview)).toBe("");
  });

  it("may be the same resource, which another provider has now, and another run's", async () => {
    const run = newRun();
    expect(await check(world.phase({}, run), kind, "it", first)).toBe("");
    expect(await check(world.phase({}, run), kind, "it", second)).toBe("");
    expect(await check(world.phase({}, newRun()), kind, "other", second)).toBe("");
  });

  it("may be in two accounts", async () => {
    const run = newRun();
    expect(await check(world.phase({}, run), kind, "it", first)).toBe("");
    const elsewhere = world.phase({ apiKey: world.service.keys.account }, run);
    expect(await check(elsewhere, kind, "other", second)).toBe("");
  });
});

it("each that asks for an object of its own has one", async () => {
  const run = newRun();
  const own = { type: "all", url: "https://r.example/", onExisting: "create" };
  for (const name of ["a", "b"]) expect(await check(world.phase({}, run), "webhook", name, own)).toBe("");
});

it("what a removed one has written is undone by the resource that had it before, and then the original restored", async () => {
  const colour = async () => (await world.client.branding.get()).branding_colour?.toLowerCase();
  const original = await colour();
  const first = await world.create("branding", { colour: "#111111" });
  // Registered before the other one, and without a plan.
  const second = await world.create("branding", { colour: "#222222" }, world.phase({ retries: "1" }, newRun()));
  expect(await colour()).toBe("#222222");
  const run = newRun();
  expect(await first.differs({ colour: "#111111" }, world.phase({}, run))).toBe(false);
  const said = await second.delete(world.phase({ retries: "1" }, run));
  expect(said).toMatch(/not deleted.*its next update undoes what this one has changed/s);
  const next = world.phase();
  expect(await first.differs({ colour: "#111111" }, next)).toBe(true);
  const updated = await first.update({ colour: "#111111" }, next);
  expect(await colour()).toBe("#111111");
  expect(await updated.differs({ colour: "#111111" })).toBe(false);
  await updated.delete();
  expect(await colour()).toBe(original);
});

describe("in a company", () => {
  const look = (colour: string, account?: string) => ({ colour, ...(account && { account }) });

  async function firm() {
    const company = await world.create("company", { name: "N", userName: "U", userEmail: "u@n.example" });
    world.acknowledge(company);
    const { key } = world.service.data().accounts.find(({ id }) => id === company.id)!;
    const run = newRun();
    return { company, run, partner: world.phase({}, run), own: world.phase({ apiKey: key }, run) };
  }

  it("is found where the partner reaches it last", async () => {
    const { company, partner, own } = await firm();
    expect(await check(own, "branding", "own", look("#111111"))).toBe("");
    expect(await check(partner, "branding", "partner", look("#222222", company.id))).toMatch(/"own" and "partner"/);
  });

  it("is found where its own key reaches it last, and the program declares the company", async () => {
    const { company, partner, own } = await firm();
    await company.plan({ name: "N", userName: "U", userEmail: "u@n.example" }, partner);
    expect(await check(partner, "branding", "partner", look("#222222", company.id))).toBe("");
    expect(await check(own, "branding", "own", look("#111111"))).toMatch(/"partner" and "own"/);
  });

  it("is found where the run has created the company", async () => {
    const run = newRun();
    const partner = world.phase({}, run);
    const company = await world.create("company", { name: "N", userName: "U", userEmail: "u@n.example" }, partner);
    const { key } = world.service.data().accounts.find(({ id }) => id === company.id)!;
    expect(await check(partner, "branding", "partner", look("#222222", company.id))).toBe("");
    expect(await check(world.phase({ apiKey: key }, run), "branding", "own", look("#1"))).not.toBe("");
  });

  it("is found before the partner writes, where nothing else has told", async () => {
    const { company, partner, own } = await firm();
    const args = look("#222222", company.id);
    expect(await check(partner, "branding", "partner", args)).toBe("");
    expect(await check(own, "branding", "own", look("#111111"))).toBe("");
    const { inputs } = await partner.branding.check(
      {},
      wired("branding", { ...args, [resourceArg]: { urn: urnOf("Branding", "partner"), secrets: [], declared: 0 } }),
    );
    world.service.clearLog();
    await expect(partner.branding.create(wired("branding", inputs))).rejects.toThrow(/"own" and "partner".*ESIGN1013/s);
    expect(world.writes()).toEqual([]);
  });

  it("is another one in another company, and not known before that is created", async () => {
    const { company, run, partner, own } = await firm();
    const second = await world.create("company", { name: "M", userName: "V", userEmail: "v@m.example" });
    expect(await check(own, "branding", "own", look("#111111"))).toBe("");
    expect(await check(partner, "branding", "partner", look("#222222", second.id))).toBe("");
    const unknown = { ...look("#333333"), account: UNKNOWN };
    expect(await check(world.phase({}, run), "branding", "new", unknown, true)).toBe("");
    expect(company.id).not.toBe(second.id);
  });
});
