/** What a preview predicts is what the update does: of random accounts, programs and changes, each effect and each write. */
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { cases, fc } from "../chance";
import { onStage } from "./on-stage";
import { type Declared, isWrite, preview, type Run, update } from "./previewed";

const world = onStage();

const url = (n: number) => `https://r${n}.example/`;
const few = fc.integer({ min: 0, max: 2 });
const onExisting = fc.constantFrom(undefined, "adopt", "fail", "create");
const emailTypes = ["email-send", "email-reminder"] as const;
const subject = (n: number) => `Subject ${n} {contract title}`;

/** Changes in the account that Pulumi knows nothing of. */
const outside = fc.record({
  webhooks: fc.array(few, { maxLength: 3 }),
  // Of the same user, or with only the name in common.
  companies: fc.array(fc.tuple(few, fc.boolean()), { maxLength: 2 }),
  colour: fc.option(few, { nil: undefined }),
  subjects: fc.array(fc.tuple(fc.constantFrom(...emailTypes), few), { maxLength: 2 }),
});
type Outside = typeof outside extends fc.Arbitrary<infer T> ? T : never;

const declared = fc.record({
  webhooks: fc.uniqueArray(fc.record({ n: few, onExisting }), { maxLength: 3, selector: ({ n }) => n }),
  twins: fc.nat(2),
  // No second one of the same user: the API refuses that, which no list shows.
  companies: fc.uniqueArray(
    fc.record({ n: few, hasEmail: fc.boolean(), onExisting: fc.constantFrom(undefined, "adopt", "fail") }),
    { maxLength: 2, selector: ({ n }) => n },
  ),
  colour: fc.option(few, { nil: undefined }),
  subjects: fc.uniqueArray(fc.tuple(fc.constantFrom(...emailTypes), few), { maxLength: 2, selector: ([type]) => type }),
});
type Program = typeof declared extends fc.Arbitrary<infer T> ? T : never;

async function change({ webhooks, companies, colour, subjects }: Outside): Promise<void> {
  for (const n of webhooks) await world.client.webhooks.create({ webhook_type: "all", webhook_url: url(n) });
  for (const [n, isSame] of companies) {
    const company = { company_name: `Firm ${n}`, user_name: "U", user_email: email(isSame ? n : n + 10) };
    // The user may have one already.
    await world.client.companies.create(company).catch(() => undefined);
  }
  if (colour !== undefined) await world.client.branding.update({ branding_colour: hex(colour) });
  for (const [branding_email_type, n] of subjects) {
    await world.client.branding.updateEmail({ branding_email_type, branding_email_subject: subject(n) });
  }
}

const email = (user: number) => `u${user}@firm.example`;
const hex = (n: number) => `#11223${n}`;

function resources({ webhooks, twins, companies, colour, subjects }: Program): Declared[] {
  const resource = (handler: Declared["handler"], name: string, args: Properties): Declared => ({
    handler,
    name,
    args: JSON.parse(JSON.stringify(args)),
  });
  return [
    ...webhooks.map(({ n, onExisting: mode }, i) =>
      resource("webhook", `hook ${i}`, { type: "all", url: url(n), onExisting: mode }),
    ),
    ...Array.from({ length: twins }, (_, i) =>
      resource("webhook", `twin ${i}`, { type: "all", url: url(0), onExisting: "create" }),
    ),
    ...companies.map(({ n, hasEmail, onExisting: mode }, i) =>
      resource("company", `firm ${i}`, {
        ...{ name: `Firm ${n}`, userName: "U", userEmail: email(n), onExisting: mode, deletionProtection: false },
        ...(hasEmail && { email: `office${n}@firm.example` }),
      }),
    ),
    ...(colour === undefined ? [] : [resource("branding", "branding", { colour: hex(colour) })]),
    ...subjects.map(([type, n]) => resource("brandingEmail", type, { type, subject: subject(n) })),
  ];
}

/** How often each effect happened, without those that are refused and with the writes. */
const tally = ({ effects }: Run) =>
  effects
    .filter(({ effect }) => !["blocked", "conflict"].includes(effect))
    .map(({ kind, effect, writes }) => `${kind} ${effect} ${writes}`)
    .sort();
const refused = ({ effects }: Run) =>
  effects.filter(({ effect }) => ["blocked", "conflict"].includes(effect)).map(({ kind }) => kind);

async function expectPrediction(program: Declared[]): Promise<void> {
  const planned = await preview(world, program);
  expect(planned.requests.filter(isWrite)).toEqual([]);
  const done = await update(world, program);
  expect(tally(done)).toEqual(tally(planned));
  expect(done.refusals.map((reason) => reason.split(":")[0]).sort()).toEqual(refused(planned).sort());
  const writes = planned.effects.reduce((sum, effect) => sum + effect.writes, 0);
  expect(done.requests.filter(isWrite)).toHaveLength(writes);
}

it("of a first update, and of one after changes of the account and the program", async () => {
  await fc.assert(
    fc.asyncProperty(outside, declared, outside, declared, async (before, first, meanwhile, second) => {
      await world.renew();
      await change(before);
      const program = resources(first);
      await expectPrediction(program);
      await change(meanwhile);
      const states = new Map(program.map(({ handler, name, state }) => [`${handler} ${name}`, state]));
      const next = resources(second)
        .map((each) => ({ ...each, state: states.get(`${each.handler} ${each.name}`) }))
        // Whom a company was made for cannot be changed.
        .filter(({ handler, state }) => handler !== "company" || state === undefined);
      await expectPrediction(next);
    }),
    { numRuns: cases(60) },
  );
}, 120_000);
