/** What the plan of a customer's stack does to the account, from the records of the providers. */
import { expect, it, onTestFinished } from "vitest";
import { StackEffects } from "../../cli/fleet/stack/stack-effects";
import type { StepInfo } from "../../engine/index";
import { providerKind, unevaluated } from "../../provider/plan/effect";
import { EffectReporter } from "../../provider/reporting/effect-reporter";

it("what an explicit provider serves is not read while its key is unknown, as in the plan of one stack", async () => {
  const effects = new StackEffects();
  onTestFinished(() => effects.close());
  const reporter = new EffectReporter(effects.env);
  const step = (type: string): StepInfo => ({
    urn: `urn:pulumi:dev::shop::${type}::it`,
    type,
    name: "it",
    op: "create",
    custom: true,
  });
  const [company, webhook] = ["esign:index:Company", "esign:index:Webhook"].map(step) as [StepInfo, StepInfo];
  effects.begin();
  for (const planned of [company, webhook]) effects.add({ type: "step", status: "planned", step: planned });
  reporter.reportPlan(providerKind, { urn: "urn:pulumi:dev::shop::pulumi:providers:esign::firm" }, unevaluated);
  reporter.reportPlan("Company", company, { effect: "create", writes: 1 });
  expect(await effects.plan(async () => ({ open: [], closed: [] }))).toEqual([]);
  expect(effects.count()).toEqual({
    changes: { create: 2 },
    account: { effects: { create: 1, unread: 1 }, writes: { least: 1 }, unread: 1 },
  });
});
