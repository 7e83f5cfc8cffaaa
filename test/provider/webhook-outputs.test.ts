/** What a webhook's creation returns once, and what the service does to a webhook later. */
import { describe, expect, it } from "vitest";
import { type Properties, SECRET } from "../../provider/core/pulumi-values";
import { Managed, wired } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage({ edition: "current" });

const inputs = { type: "bounced-envelope", url: "http://127.0.0.1:9/hook" };
const changed = { ...inputs, url: "http://127.0.0.1:9/other" };
const create = (args: Properties = inputs, phase = world.phase()) => world.create("webhook", args, phase);
/** Creates one outside Pulumi. */
const createElsewhere = () =>
  world.client.webhooks.create({ webhook_type: "bounced-envelope", webhook_url: inputs.url });
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
    const { id, outs } = await phase.webhook.create(inputs);
    const secret = secretOf(id)!;
    expect(outs.secret).toEqual({ [Object.keys(outs.secret as object)[0]!]: SECRET, value: secret });
    const made = new Managed(world, "webhook", id, wired("webhook", outs));
    const read = await (await made.update(changed)).read();
    expect(read.outs).toMatchObject({ url: changed.url, secret });
    // A failed update leaves the state as it was.
    world.service.configure({ faults: [{ kind: "error", operation: "webhooks.update", code: 10010 }] });
    const failure = await read.update(inputs).catch((error) => error);
    expect(JSON.stringify([failure, failure.message, failure.properties && ""])).not.toContain(secret);
    expect(phase.session.reporting.redact(`x ${secret}`)).not.toContain(secret);
  });

  it("is absent where the service does not sign, and of an adopted webhook", async () => {
    await expect(create(changed)).rejects.toThrow(/10302/);
    const made = await create({ ...changed, type: "all" });
    expect(made.outs).not.toHaveProperty("secret");
    expect(made.said).toBe("");
    sign();
    await createElsewhere();
    expect((await create()).outs).not.toHaveProperty("secret");
  });

  it("is lost with the response, which is said; a new webhook has another one", async () => {
    sign();
    const phaseOfBoth = world.phase();
    expect((await create({ ...inputs, url: "https://r.example/signed" }, phaseOfBoth)).outs.secret).toBeDefined();
    world.service.configure({ faults: [{ kind: "cut-after", operation: "webhooks.create", nth: 1 }] });
    const made = await create(inputs, phaseOfBoth);
    expect(made.outs).not.toHaveProperty("secret");
    expect(made.said).toMatch(/found, without a secret: only a new object has one\. Run `up --replace <urn>`/);
    world.acknowledge(made);
    // A forced replacement: the engine deletes it first.
    const phase = world.phase();
    await made.delete(phase);
    const again = await create(inputs, phase);
    expect(again.outs.secret).toBe(secretOf(again.id));
  });

  it("that no webhook has is no reason to replace one", async () => {
    const phase = world.phase();
    await create({ ...inputs, type: "all", url: "https://r.example/first" }, phase);
    world.service.configure({ faults: [{ kind: "cut-after", operation: "webhooks.create", nth: 1 }] });
    const { said } = await create({ ...inputs, type: "all" }, phase);
    expect(said).toContain(
      "the object was found. If this service returns a secret at creation, it was in that response",
    );
    expect(said).not.toContain("--replace");
  });

  it("of a webhook that another resource adopts is in no state any more, which is said", async () => {
    sign();
    const old = await create();
    const phase = world.phase();
    expect((await create(inputs, phase)).id).toBe(old.id);
    const said = await old.delete(phase);
    expect(said).toMatch(/not deleted: .*, without its secret: only a new object has one/);
    expect(said).not.toContain(secretOf(old.id));
  });
});

describe("a suspension", () => {
  it("is read by a refresh, which warns, and is over after another URL", async () => {
    sign();
    const made = await create();
    expect(made.outs).not.toHaveProperty("suspendedAt");
    await suspend();
    const read = await made.read();
    expect(read.outs.suspendedAt).toMatch(/^\d{4}-/);
    expect(read.said).toMatch(/Webhook \d+: suspended since \d{4}-.*, so it is not notified/);
    expect(await read.differs(inputs)).toBe(false);
    expect((await read.update(changed)).outs).not.toHaveProperty("suspendedAt");
  });

  it("is said by an adoption, too", async () => {
    sign();
    await createElsewhere();
    await suspend();
    const made = await create();
    expect(made.outs.suspendedAt).toMatch(/^\d{4}-/);
    expect(made.said).toMatch(/suspended since/);
  });
});

it("a state of a version without these outputs is no change", async () => {
  const made = await create({ ...inputs, type: "all" });
  sign();
  expect(await made.plan({ ...inputs, type: "all" })).toMatchObject({ changes: false, replaces: [] });
});
