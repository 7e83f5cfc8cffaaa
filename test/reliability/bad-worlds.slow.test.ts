/** Worlds that are not as they should be: what messages say, what is kept, and that nothing is written over or lost. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Fault } from "../../emulator";
import { times } from "../chance";
import { stage } from "../provider/handlers";
import { onStage } from "../provider/on-stage";
import type { Wanted } from "../provider/programs";
import { likeness, secretsOf } from "./agreement";
import { Stack } from "./stack";
import { blows } from "./walk";
import { branding, company, contact, email, settings, user, webhook, webhooks } from "./wanted";

const world = onStage({ retries: "1", timeout: "5000" });

const program = [
  branding(),
  email(),
  company({ email: "o@firm.example" }),
  webhook({ account: "firm", url: "https://firm.example/" }, "firm-hook"),
  ...webhooks(12),
  contact(),
  user({ role: "user" }),
  settings(),
];
const changes: Record<Wanted["kind"], (args: Wanted["args"]) => object> = {
  Webhook: ({ url }) => ({ url: `${url}/changed` }),
  Branding: () => ({ colour: "#0d0e0f" }),
  BrandingEmail: () => ({ subject: "Please sign {contract title}" }),
  Company: () => ({ email: "new@firm.example" }),
  Contact: () => ({ name: "Another" }),
  User: () => ({ name: "Another" }),
  Settings: () => ({ emailPdfAttach: true }),
};
const changed = program.map(({ args, ...wanted }) => ({ ...wanted, args: { ...args, ...changes[wanted.kind](args) } }));

/** Every verb, one after the other. */
const verbs = (stack: Stack) => ({
  refresh: () => stack.refresh(),
  up: () => stack.up(changed),
  destroy: () => stack.destroy(),
});
const expectFinished = async (stack: Stack, wanted: Wanted[]) => expect(await stack.finish(wanted)).toEqual([]);

/** A run at a service with these faults, whose messages show no key. */
async function runWith(
  faults: Fault[],
  phase: () => Promise<{ failures: string[] }>,
  { service } = world,
): Promise<string[]> {
  const secrets = secretsOf(service);
  service.configure({ faults });
  const { failures } = await phase();
  service.configure({ faults: [] });
  expect(secrets.filter((secret) => failures.join("\n").includes(secret))).toEqual([]);
  return failures;
}

/** What may last: an outage, a suspension, a key that was revoked, a proxy. */
const names = ["500", "suspended", "401", "404 of a router", "cut before", "HTML 502, not done", "HTML 200, not done"];
const lasting = blows.filter(({ name }) => names.includes(name));
// By turns from the first request on, and later; both with RANDOM_TIMES.
const outages = lasting.flatMap((blow, index) =>
  (times > 1 ? [1, 9] : [index % 2 === 0 ? 1 : 9]).map((from) => ({ ...blow, from })),
);

// Each has a service of its own, and mostly waits.
it.concurrent.each(outages)(
  "what lasts, $name, from request $from on: a message, nothing gone or twice, and all is finished later",
  async ({ fault, from }) => {
    const bad = await stage();
    bad.settings.retries = "0";
    const { service } = bad;
    const stack = new Stack(bad);
    const before = likeness(service);
    const failures = await runWith([{ ...fault, from }], () => stack.up(program), bad);
    expect(failures).not.toEqual([]);
    expect(stack.disagreements().filter((problem) => !/is another in the account/.test(problem))).toEqual([]);
    if (from === 1) expect(stack.objects).toEqual([]);
    await expectFinished(stack, program);
    const { ids } = stack;
    for (const [verb, run] of Object.entries(verbs(stack))) {
      service.clearLog();
      failures.push(...(await runWith([fault], run, bad)));
      // Silence is no evidence that anything is gone.
      expect(stack.ids, verb).toEqual(ids);
      expect(service.counts().total).toBeLessThanOrEqual(4 * program.length);
    }
    for (const failure of failures) {
      expect(failure).toMatch(
        /^[\w-]+: \w+: (cannot (create|read( the account)?|update|delete)|the API key is wrong): .+/,
      );
      expect(failure).not.toMatch(/<html|<body|<!doctype/i);
    }
    await expectFinished(stack, changed);
    await stack.destroy();
    expect(likeness(service)).toEqual(before);
    await service.close();
  },
);

/** Until the function that it returns is called, everything is passed on, after something was done to the answer. */
async function between(spoil: (method: string, body: Record<string, unknown>) => void): Promise<() => void> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = "", "content-type": type } = request.headers;
    const answer = await fetch(world.service.url + request.url, {
      method: request.method!,
      headers: { authorization, ...(type !== undefined && { "content-type": type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = (await answer.json()) as Record<string, unknown>;
    spoil(request.method!, body);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  world.settings.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => {
    world.settings.baseUrl = world.service.url;
  };
}

describe("a service that answers other ids' objects", () => {
  it("to reads: none of theirs becomes ours", async () => {
    const stack = new Stack(world);
    await expectFinished(stack, program);
    const ids = stack.ids;
    for (const operation of ["webhooks.get", "companies.get"] as const) {
      const { refresh, up } = verbs(stack);
      for (const verb of [refresh, up]) {
        await runWith([{ kind: "other-ids", operation }], verb);
        expect(stack.ids).toEqual(ids);
      }
      await expectFinished(stack, changed);
      await expectFinished(stack, program);
    }
  });

  it.each([
    ["finished", changed],
    ["reverted", program],
  ])("to updates: with a message, and %s later", async (_, next) => {
    const stack = new Stack(world);
    await expectFinished(stack, program);
    const ids = stack.ids;
    const leave = await between((method, body) => {
      for (const id of ["webhook_id", "company_id"]) if (method === "PUT" && id in body) body[id] = "1";
    });
    const { failures } = await stack.up(changed);
    // Twelve webhooks and the company; what is in the company waits for it.
    expect(failures).toHaveLength(13);
    for (const failure of failures) expect(failure).toMatch(/^[\w-]+: \w+: cannot update: .*a different object/);
    expect(stack.ids).toEqual(ids);
    leave();
    await expectFinished(stack, next);
  });

  it("to creations: an object of the state gets no second owner", async () => {
    const stack = new Stack(world);
    const [first, second] = webhooks(2) as [Wanted, Wanted];
    await expectFinished(stack, [first]);
    const [taken] = stack.ids;
    let swaps = 0;
    const leave = await between((method, body) => {
      if (method === "POST" && swaps++ === 0) body.webhook_id = taken;
    });
    await stack.up([first, second]);
    expect(swaps).toBeGreaterThan(0);
    expect(new Set(stack.ids).size).toBe(stack.objects.length);
    leave();
    await expectFinished(stack, [first, second]);
  });
});

it("an update without a word of what was sent, which cannot be read back, is in doubt and looked at", async () => {
  const stack = new Stack(world);
  await expectFinished(stack, [branding()]);
  const leave = await between((method, body) => {
    if (method === "PUT") for (const name of Object.keys(body)) if (name !== "http") delete body[name];
  });
  const faults: Fault[] = [{ kind: "status", status: 403, operation: "branding.get", from: 2 }];
  const failures = await runWith(faults, () => stack.up(changed.slice(0, 1)));
  expect(failures.join()).toMatch(/cannot update: .*403.*An earlier request was applied/);
  leave();
  await expectFinished(stack, [branding()]);
});

describe("a clock that is wrong by an hour", () => {
  it.each([-3_600_000, 3_600_000])(
    "(%i ms) changes nothing, also where the service asks to wait",
    async (clockSkew) => {
      const before = likeness(world.service);
      const stack = new Stack(world);
      world.service.configure({ clockSkew });
      const faults: Fault[] = [
        { kind: "status", status: 429, retryAfter: 1, retryAfterStyle: "date", nth: [3, 7] },
        { kind: "cut-after", method: "POST", nth: 2 },
      ];
      expect(await runWith(faults, () => stack.up(program))).toEqual([]);
      expect(stack.disagreements()).toEqual([]);
      expect((await stack.refresh()).failures).toEqual([]);
      await expectFinished(stack, changed);
      await stack.destroy();
      expect(likeness(world.service)).toEqual(before);
    },
  );
});
