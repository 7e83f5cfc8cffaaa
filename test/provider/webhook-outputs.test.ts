/** What a webhook's creation returns once, and what the service does to a webhook later. */
import { describe, expect, it } from "vitest";
import { SECRET, unwrapAll } from "../../provider/core/pulumi-values";
import { connect } from "../../sdk";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage({ edition: "current" });

const inputs = { type: "bounced-envelope", url: "http://127.0.0.1:9/hook" };
const changed = { ...inputs, url: "http://127.0.0.1:9/other" };
const client = () => connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
const sign = () => world.service.configure({ edition: "current", notifications: { signed: true, retries: 0 } });
const secretOf = (id: string) =>
  world.service
    .data()
    .accounts.flatMap((one) => one.webhooks)
    .find((one) => one.id === id)!.secret;
const days = (count: number) => world.service.advance(count * 24 * 3600_000);

async function suspend(): Promise<void> {
  await world.service.notify(world.service.data().accounts[0]!.id, "bounced-envelope");
  await world.service.waitForDeliveries();
  await days(4);
}

describe("the secret", () => {
  it("is a secret output that updates and refreshes keep, and no message contains", async () => {
    sign();
    const phase = world.phase();
    const made = await phase.webhook.create(inputs);
    const secret = secretOf(made.id)!;
    expect(made.outs.secret).toEqual({ [Object.keys(made.outs.secret as object)[0]!]: SECRET, value: secret });
    const updated = await world.phase().webhook.update(made.id, wired("webhook", made.outs), changed);
    const read = await world.phase().webhook.read(made.id, wired("webhook", updated.outs));
    expect(unwrapAll(read.props)).toMatchObject({ url: changed.url, secret });
    // A failed update leaves the state as it was.
    world.service.configure({ faults: [{ kind: "error", operation: "webhooks.update", code: 10010 }] });
    const failure = await world
      .phase()
      .webhook.update(made.id, wired("webhook", read.props!), inputs)
      .catch((error) => error);
    expect(JSON.stringify([failure, failure.message, failure.properties && ""])).not.toContain(secret);
    expect(phase.session.redact(`x ${secret}`)).not.toContain(secret);
  });

  it("is absent where the service does not sign, and of an adopted webhook", async () => {
    const made = await world
      .phase()
      .webhook.create(changed)
      .catch((error) => error);
    expect(made.message).toMatch(/10302/);
    const { said, webhook } = world.phase();
    expect((await webhook.create({ ...changed, type: "all" })).outs).not.toHaveProperty("secret");
    sign();
    await client().webhooks.create({ webhook_type: "bounced-envelope", webhook_url: inputs.url });
    expect((await world.phase().webhook.create(inputs)).outs).not.toHaveProperty("secret");
    expect(said).toEqual([]);
  });

  it("is lost with the response, which is said; a new webhook has another one", async () => {
    sign();
    world.service.configure({ faults: [{ kind: "cut-after", operation: "webhooks.create", nth: 1 }] });
    const first = world.phase({ edition: "current" });
    const made = await first.webhook.create(inputs);
    expect(made.outs).not.toHaveProperty("secret");
    expect(first.said.join()).toMatch(/found, without a secret: only a new object has one\. Run `up --replace <urn>`/);
    world.acknowledge(made);
    // A forced replacement: the engine deletes it first.
    const phase = world.phase();
    await phase.webhook.delete(made.id, wired("webhook", made.outs));
    const again = await phase.webhook.create(inputs);
    expect(unwrapAll(again.outs).secret).toBe(secretOf(again.id));
  });

  it("of a webhook that another resource adopts is in no state any more, which is said", async () => {
    sign();
    const old = await world.phase().webhook.create(inputs);
    const phase = world.phase();
    expect((await phase.webhook.create(inputs)).id).toBe(old.id);
    await phase.webhook.delete(old.id, wired("webhook", old.outs));
    expect(phase.said.join()).toMatch(/not deleted: .*, without its secret: only a new object has one/);
    expect(phase.said.join()).not.toContain(secretOf(old.id));
  });
});

describe("a suspension", () => {
  it("is read by a refresh, which warns, and is over after another URL", async () => {
    sign();
    const made = await world.phase().webhook.create(inputs);
    expect(made.outs).not.toHaveProperty("suspendedAt");
    await suspend();
    const phase = world.phase();
    const read = await phase.webhook.read(made.id, wired("webhook", made.outs));
    const { suspendedAt } = unwrapAll(read.props);
    expect(suspendedAt).toMatch(/^\d{4}-/);
    expect(phase.said.join()).toMatch(/Webhook \d+: suspended since \d{4}-.*, so it is not notified/);
    const olds = wired("webhook", read.props!);
    expect(await world.phase().webhook.diff(made.id, olds, inputs)).toMatchObject({ changes: false });
    const updated = await world.phase().webhook.update(made.id, olds, changed);
    expect(updated.outs).not.toHaveProperty("suspendedAt");
  });

  it("is said by an adoption, too", async () => {
    sign();
    await client().webhooks.create({ webhook_type: "bounced-envelope", webhook_url: inputs.url });
    await suspend();
    const { said, webhook } = world.phase();
    expect(unwrapAll((await webhook.create(inputs)).outs).suspendedAt).toMatch(/^\d{4}-/);
    expect(said.join()).toMatch(/suspended since/);
  });
});

it("a state of a version without these outputs is no change", async () => {
  const { id, outs } = await world.phase().webhook.create({ ...inputs, type: "all" });
  sign();
  const args = { ...inputs, type: "all" };
  expect(await world.phase().webhook.diff(id, wired("webhook", outs), args)).toMatchObject({
    changes: false,
    replaces: [],
  });
});
