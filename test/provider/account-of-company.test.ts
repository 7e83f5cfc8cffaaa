/** In a preview, which company an argument `account` leads to that is not known yet, by what the engine passes of its dependencies. */
import { expect, it, vi } from "vitest";
import { type Properties, secret, UNKNOWN } from "../../provider/core/pulumi-values";
import type { Effect } from "../../provider/plan/effect";
import { Resources } from "../../provider/protocol/resources";
import { urnOf } from "../plugin/client";
import { onStage } from "./on-stage";

const world = onStage();
const companies = ["Old", "New"];

/** The webhook's ID, where it adopts one. */
async function planned(dependencies: readonly string[]): Promise<string> {
  const owner = { user_name: "U", user_email: "u@old.example" };
  const { company_id } = await world.client.companies.create({ company_name: "Old", ...owner });
  const hook = { webhook_type: "all", webhook_url: "https://r.example/x" } as const;
  const { webhook_id } = await world.client.as(company_id!).webhooks.create(hook);
  const session = world.session();
  session.run.startPreview();
  const resources = new Resources(session);
  const plan = async (kind: string, name: string, args: Properties, account: readonly string[] = []) => {
    const { inputs, failures } = await resources.check(urnOf(kind, name), {}, args, { account });
    expect(failures).toEqual([]);
    return (await resources.create(urnOf(kind, name), inputs, true)).id;
  };
  for (const name of companies)
    await plan("Company", name, { name, userName: "U", userEmail: `u@${name.toLowerCase()}.example` });
  const args = { type: "all", url: hook.webhook_url, account: UNKNOWN };
  const id = await plan("Webhook", "x", args, dependencies);
  expect(["", `${company_id}/${webhook_id}`]).toContain(id);
  return id;
}

it("the one that it depends on", async () => {
  expect(await planned([urnOf("Company", "Old"), urnOf("User", "u")])).not.toBe("");
  await world.renew();
  expect(await planned([urnOf("Company", "New")])).toBe("");
});

it("none of several: nothing says which one it is", async () => {
  expect(await planned(companies.map((name) => urnOf("Company", name)))).toBe("");
});

/** The planned effect of a user in one of two new companies, where nothing says in which. */
async function plannedUser(email: unknown): Promise<string | undefined> {
  const session = world.session();
  session.run.startPreview();
  const effects: Effect[] = [];
  vi.spyOn(session.reporting.effects, "reportPlan").mockImplementation((_, __, effect) => void effects.push(effect));
  const resources = new Resources(session);
  const plan = async (kind: string, name: string, args: Properties) => {
    const { inputs, failures } = await resources.check(urnOf(kind, name), {}, args);
    expect(failures).toEqual([]);
    await resources.create(urnOf(kind, name), inputs, true);
  };
  for (const name of ["A", "B"]) await plan("Company", name, { name, userName: "U", userEmail: `u@${name}.example` });
  await plan("User", "u", { name: "U", email, role: "user", account: UNKNOWN });
  return effects.at(-1)?.effect;
}

it.each([
  ["is created in either", "other@c.example", "create"],
  ["may be the first one's first user, which is not known", "u@a.example", "unread"],
  ["may be the last one's first user, which is not known", "u@b.example", "unread"],
  ["is planned by a secret address, too", secret("other@c.example"), "create"],
])("a user of one of two new companies %s", async (_, email, effect) => {
  expect(await plannedUser(email)).toBe(effect);
});
