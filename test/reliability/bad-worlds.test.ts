/** Worlds that are not as they should be: what people are told, what is kept, and that nothing is written over or lost. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { onStage } from "../provider/on-stage";
import type { Wanted } from "../provider/programs";
import { disagreements, likeness } from "./agreement";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";

const world = onStage({ retries: "1", timeout: "5000" });

const program: Wanted[] = [
  { kind: "Branding", name: "branding", args: { colour: "#0a0b0c" } },
  { kind: "BrandingEmail", name: "email", args: { type: "email-send", subject: "Sign {contract title}" } },
  {
    kind: "Company",
    name: "firm",
    args: {
      name: "Firm",
      userName: "U",
      userEmail: "u@firm.example",
      email: "o@firm.example",
      deletionProtection: false,
    },
  },
  { kind: "Webhook", name: "firm-hook", args: { account: "firm", type: "all", url: "https://firm.example/" } },
  ...Array.from(
    { length: 12 },
    (_, i): Wanted => ({ kind: "Webhook", name: `hook-${i}`, args: { type: "all", url: `https://r.example/${i}` } }),
  ),
];
program.push(
  { kind: "Contact", name: "contact", args: { name: "C", email: "c@client.example" } },
  { kind: "User", name: "user", args: { name: "U", email: "u@r.example", role: "user", deletionProtection: false } },
  { kind: "Settings", name: "settings", args: { emailPdfAttach: false } },
);
const changed = program.map(
  (wanted): Wanted => ({
    ...wanted,
    args: {
      ...wanted.args,
      ...{
        Webhook: { url: `${wanted.args.url}/changed` },
        Branding: { colour: "#0d0e0f" },
        BrandingEmail: { subject: "Please sign {contract title}" },
        Company: { email: "new@firm.example" },
        Contact: { name: "Somebody else" },
        User: { name: "Somebody else" },
        Settings: { emailPdfAttach: true },
      }[wanted.kind],
    },
  }),
);
const partner = () => world.service.data().accounts.find((account) => account.partner)!.id;
const expectAgreement = (engine: Engine) =>
  expect(disagreements(world.service.data(), [...engine.state.values()])).toEqual([]);
const run = (engine: Engine, wanted: Wanted[]) => engine.up(wanted, hooksHere(world));

/** The next run, in a world that is well again, finishes and has nothing more to do after it. */
async function expectRecovery(engine: Engine, wanted: Wanted[]): Promise<void> {
  expect((await run(engine, wanted)).failures).toEqual([]);
  expectAgreement(engine);
  world.service.clearLog();
  expect((await run(engine, wanted)).steps).toEqual([]);
  // Where there is a company, its key is compared, in one list.
  const hasCompany = wanted.some(({ kind }) => kind === "Company");
  const asked = world.service.requests().map(({ operation }) => operation);
  expect(asked).toEqual(hasCompany ? ["companies.list"] : []);
}

const hasNoKey = (failures: string[]) => {
  for (const { key } of world.service.data().accounts) {
    for (const notation of [
      key,
      Buffer.from(`${key}:`).toString("base64").slice(0, 20),
      Buffer.from(key).toString("hex"),
    ])
      expect(failures.join("\n")).not.toContain(notation);
  }
};

describe("an account that is suspended halfway", () => {
  it.each([3, 6, 9, 14])("before write %i fails in words, keeps what is there, and is finished later", async (n) => {
    const before = await likeness(world.service);
    const engine = new Engine(2);
    world.service.configure({ faults: [{ kind: "error", code: 10004, from: n }] });
    const { failures } = await run(engine, program);
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures)
      expect(failure).toMatch(/^[\w-]+: \w+: cannot create: .*suspended.*\(code 10004\)\. .+/);
    hasNoKey(failures);
    const lost = disagreements(world.service.data(), [...engine.state.values()]);
    expect(lost.filter((problem) => !/is another in the account/.test(problem))).toEqual([]);
    world.service.configure({ faults: [] });
    await expectRecovery(engine, program);
    await engine.destroy(hooksHere(world));
    expect(await likeness(world.service)).toEqual(before);
  });

  it("for real: nothing counts as gone, and nothing is repeated", async () => {
    const engine = new Engine();
    await expectRecovery(engine, program);
    await world.service.suspend(partner());
    const known = [...engine.state.keys()];
    for (const phase of [engine.refresh(hooksHere(world)), run(engine, changed), engine.destroy(hooksHere(world))]) {
      const { failures } = await phase;
      expect(failures.length).toBeGreaterThan(0);
      for (const failure of failures) expect(failure).toMatch(/10004/);
      expect([...engine.state.keys()]).toEqual(known);
    }
    expect(world.service.counts().total).toBeLessThanOrEqual(4 * program.length);
    await world.service.suspend(partner(), false);
    await expectRecovery(engine, changed);
  });
});

describe("a proxy that answers HTML", () => {
  it.each([200, 403, 502])(
    "with status %i to everything: in words, with nothing kept and nothing lost",
    async (status) => {
      const engine = new Engine();
      world.service.configure({ faults: [{ kind: "html", status, commit: false }] });
      const first = await run(engine, program);
      expect(first.failures.length).toBeGreaterThan(0);
      for (const failure of first.failures) {
        expect(failure).toMatch(/^[\w-]+: \w+: cannot create: .*(HTML|not JSON|proxy)/i);
        expect(failure).not.toMatch(/<html|<body|<!doctype/i);
      }
      expect(engine.state.size).toBe(0);
      world.service.configure({ faults: [] });
      await expectRecovery(engine, program);

      const known = [...engine.state.keys()];
      world.service.configure({ faults: [{ kind: "html", status, commit: false }] });
      for (const phase of [
        () => engine.refresh(hooksHere(world)),
        () => run(engine, changed),
        () => engine.destroy(hooksHere(world)),
      ]) {
        const { failures } = await phase();
        expect(failures.length).toBeGreaterThan(0);
        hasNoKey(failures);
        // Silence is no evidence that anything is gone.
        expect([...engine.state.keys()]).toEqual(known);
      }
      world.service.configure({ faults: [] });
      await expectRecovery(engine, changed);
    },
  );

  it("instead of the answers to writes that were carried out", async () => {
    const engine = new Engine();
    world.service.configure({ faults: [{ kind: "html", method: "POST", nth: [1, 4] }] });
    await run(engine, program);
    world.service.configure({ faults: [] });
    await expectRecovery(engine, program);
  });
});

/** Passes everything on, after something was done to the answer. */
async function between(spoil: (method: string, body: Record<string, unknown>) => void) {
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
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("a service that answers other ids' objects", () => {
  it("to reads: none of theirs becomes ours", async () => {
    const engine = new Engine();
    await expectRecovery(engine, program);
    const ids = [...engine.state.values()].map(({ id }) => id);
    for (const operation of ["webhooks.get", "companies.get"] as const) {
      world.service.configure({ faults: [{ kind: "other-ids", operation }] });
      for (const phase of [() => engine.refresh(hooksHere(world)), () => run(engine, changed)]) {
        hasNoKey((await phase()).failures);
        expect([...engine.state.values()].map(({ id }) => id)).toEqual(ids);
      }
      world.service.configure({ faults: [] });
      await expectRecovery(engine, changed);
      await expectRecovery(engine, program);
    }
  });

  it.each([
    ["finished", changed],
    ["taken back", program],
  ])("to updates: in words, and %s later", async (_, next) => {
    const engine = new Engine();
    await expectRecovery(engine, program);
    const ids = [...engine.state.values()].map(({ id }) => id);
    const proxy = await between((method, body) => {
      for (const id of ["webhook_id", "company_id"]) if (method === "PUT" && id in body) body[id] = "1";
    });
    world.settings.baseUrl = proxy.url;
    const { failures } = await run(engine, changed);
    proxy.close();
    expect(failures.length).toBe(
      // What is in the company waits for it.
      program.filter(({ kind, args }) => (kind === "Webhook" || kind === "Company") && args.account === undefined)
        .length,
    );
    for (const failure of failures) expect(failure).toMatch(/^[\w-]+: \w+: cannot update: .*a different object/);
    expect([...engine.state.values()].map(({ id }) => id)).toEqual(ids);
    world.settings.baseUrl = world.service.url;
    await expectRecovery(engine, next);
  });

  it("to creations: an object of the state gets no second owner", { timeout: 60_000 }, async () => {
    const engine = new Engine();
    const [first, second] = program.slice(4) as [Wanted, Wanted];
    await expectRecovery(engine, [first]);
    const taken = engine.state.get(first.name)!.id;
    let swaps = 0;
    const proxy = await between((method, body) => {
      if (method === "POST" && swaps++ === 0) body.webhook_id = taken;
    });
    world.settings.baseUrl = proxy.url;
    await run(engine, [first, second]);
    proxy.close();
    expect(swaps).toBeGreaterThan(0);
    expect(new Set([...engine.state.values()].map(({ id }) => id)).size).toBe(engine.state.size);
    world.settings.baseUrl = world.service.url;
    await expectRecovery(engine, [first, second]);
  });
});

it("an update without a word of what was sent, which cannot be read back, is in doubt and looked at", async () => {
  const engine = new Engine();
  const [branding] = [program, changed].map(([first]) => [first!]);
  await expectRecovery(engine, branding!);
  const proxy = await between((method, body) => {
    if (method === "PUT") for (const name of Object.keys(body)) if (name !== "http") delete body[name];
  });
  world.settings.baseUrl = proxy.url;
  world.service.configure({ faults: [{ kind: "status", status: 403, operation: "branding.get", from: 2 }] });
  const { failures } = await run(engine, changed.slice(0, 1));
  proxy.close();
  expect(failures.join()).toMatch(/cannot update: .*403.*An earlier request was applied/);
  world.settings.baseUrl = world.service.url;
  world.service.configure({ faults: [] });
  await expectRecovery(engine, branding!);
});

describe("a clock that is wrong by an hour", () => {
  it.each([-3_600_000, 3_600_000])(
    "(%i ms) changes nothing, also where the service asks to wait",
    async (clockSkew) => {
      const before = await likeness(world.service);
      const engine = new Engine();
      world.service.configure({
        clockSkew,
        faults: [
          { kind: "status", status: 429, retryAfter: 1, retryAfterStyle: "date", nth: [3, 7] },
          { kind: "cut-after", method: "POST", nth: 2 },
        ],
      });
      const { failures } = await run(engine, program);
      expect(failures).toEqual([]);
      expectAgreement(engine);
      world.service.configure({ clockSkew, faults: [] });
      expect((await engine.refresh(hooksHere(world))).failures).toEqual([]);
      await expectRecovery(engine, changed);
      await engine.destroy(hooksHere(world));
      world.service.configure({ clockSkew: 0 });
      expect(await likeness(world.service)).toEqual(before);
    },
  );
});
