/** Worlds that are not as they should be: what people are told, what is kept, and that nothing is written over or lost. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Fault } from "../../emulator";
import { onStage } from "../provider/on-stage";
import type { Wanted } from "../provider/programs";
import { disagreements, likeness, secretsOf } from "./agreement";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";
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

const differences = (engine: Engine) => disagreements(world.service.data(), [...engine.state.values()]);
const idsIn = (engine: Engine) => [...engine.state.values()].map(({ id }) => id);
const run = (engine: Engine, wanted: Wanted[]) => engine.up(wanted, hooksHere(world));
/** Every verb on a stack, one after the other. */
const verbs = (engine: Engine) => [
  () => engine.refresh(hooksHere(world)),
  () => run(engine, changed),
  () => engine.destroy(hooksHere(world)),
];

/** A run at a service with these faults, whose messages show no key. */
async function runWith(faults: Fault[], phase: () => Promise<{ failures: string[] }>): Promise<string[]> {
  const secrets = secretsOf(world.service);
  world.service.configure({ faults });
  const { failures } = await phase();
  world.service.configure({ faults: [] });
  expect(secrets.filter((secret) => failures.join("\n").includes(secret))).toEqual([]);
  return failures;
}

/** The next run, in a world that is well again, finishes and has nothing more to do after it. */
async function expectRecovery(engine: Engine, wanted: Wanted[]): Promise<void> {
  expect((await run(engine, wanted)).failures).toEqual([]);
  expect(differences(engine)).toEqual([]);
  world.service.clearLog();
  expect((await run(engine, wanted)).steps).toEqual([]);
  // Where there is a company, its key is compared, in one list.
  const hasCompany = wanted.some(({ kind }) => kind === "Company");
  const asked = world.service.requests().map(({ operation }) => operation);
  expect(asked).toEqual(hasCompany ? ["companies.list"] : []);
}

describe("an account that is suspended halfway", () => {
  it.each([3, 6, 9, 14])("before write %i fails in words, keeps what is there, and is finished later", async (n) => {
    const before = likeness(world.service);
    const engine = new Engine(2);
    const failures = await runWith([{ kind: "error", code: 10004, from: n }], () => run(engine, program));
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures)
      expect(failure).toMatch(/^[\w-]+: \w+: cannot create: .*suspended.*\(code 10004\)\. .+/);
    expect(differences(engine).filter((problem) => !/is another in the account/.test(problem))).toEqual([]);
    await expectRecovery(engine, program);
    await engine.destroy(hooksHere(world));
    expect(likeness(world.service)).toEqual(before);
  });

  it("for real: nothing counts as gone, and nothing is repeated", async () => {
    const engine = new Engine();
    await expectRecovery(engine, program);
    const { id } = world.service.data().accounts.find(({ partner }) => partner)!;
    await world.service.suspend(id);
    const ids = idsIn(engine);
    for (const verb of verbs(engine)) {
      const { failures } = await verb();
      expect(failures.length).toBeGreaterThan(0);
      for (const failure of failures) expect(failure).toMatch(/10004/);
      expect(idsIn(engine)).toEqual(ids);
    }
    expect(world.service.counts().total).toBeLessThanOrEqual(4 * program.length);
    await world.service.suspend(id, false);
    await expectRecovery(engine, changed);
  });
});

describe("a proxy that answers HTML", () => {
  it.each([200, 403, 502])(
    "with status %i to everything: in words, with nothing kept and nothing lost",
    async (status) => {
      const engine = new Engine();
      const html: Fault[] = [{ kind: "html", status, commit: false }];
      const first = await runWith(html, () => run(engine, program));
      expect(first.length).toBeGreaterThan(0);
      for (const failure of first) {
        expect(failure).toMatch(/^[\w-]+: \w+: cannot create: .*(HTML|not JSON|proxy)/i);
        expect(failure).not.toMatch(/<html|<body|<!doctype/i);
      }
      expect(engine.state.size).toBe(0);
      await expectRecovery(engine, program);
      const ids = idsIn(engine);
      for (const verb of verbs(engine)) {
        expect(await runWith(html, verb)).not.toEqual([]);
        // Silence is no evidence that anything is gone.
        expect(idsIn(engine)).toEqual(ids);
      }
      await expectRecovery(engine, changed);
    },
  );

  it("instead of the answers to writes that were carried out", async () => {
    const engine = new Engine();
    await runWith([{ kind: "html", method: "POST", nth: [1, 4] }], () => run(engine, program));
    await expectRecovery(engine, program);
  });
});

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
    const engine = new Engine();
    await expectRecovery(engine, program);
    const ids = idsIn(engine);
    for (const operation of ["webhooks.get", "companies.get"] as const) {
      for (const verb of verbs(engine).slice(0, 2)) {
        await runWith([{ kind: "other-ids", operation }], verb);
        expect(idsIn(engine)).toEqual(ids);
      }
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
    const ids = idsIn(engine);
    const leave = await between((method, body) => {
      for (const id of ["webhook_id", "company_id"]) if (method === "PUT" && id in body) body[id] = "1";
    });
    const { failures } = await run(engine, changed);
    // Twelve webhooks and the company; what is in the company waits for it.
    expect(failures).toHaveLength(13);
    for (const failure of failures) expect(failure).toMatch(/^[\w-]+: \w+: cannot update: .*a different object/);
    expect(idsIn(engine)).toEqual(ids);
    leave();
    await expectRecovery(engine, next);
  });

  it("to creations: an object of the state gets no second owner", async () => {
    const engine = new Engine();
    const [first, second] = webhooks(2) as [Wanted, Wanted];
    await expectRecovery(engine, [first]);
    const [taken] = idsIn(engine);
    let swaps = 0;
    const leave = await between((method, body) => {
      if (method === "POST" && swaps++ === 0) body.webhook_id = taken;
    });
    await run(engine, [first, second]);
    expect(swaps).toBeGreaterThan(0);
    expect(new Set(idsIn(engine)).size).toBe(engine.state.size);
    leave();
    await expectRecovery(engine, [first, second]);
  });
});

it("an update without a word of what was sent, which cannot be read back, is in doubt and looked at", async () => {
  const engine = new Engine();
  await expectRecovery(engine, [branding()]);
  const leave = await between((method, body) => {
    if (method === "PUT") for (const name of Object.keys(body)) if (name !== "http") delete body[name];
  });
  const faults: Fault[] = [{ kind: "status", status: 403, operation: "branding.get", from: 2 }];
  const failures = await runWith(faults, () => run(engine, changed.slice(0, 1)));
  expect(failures.join()).toMatch(/cannot update: .*403.*An earlier request was applied/);
  leave();
  await expectRecovery(engine, [branding()]);
});

describe("a clock that is wrong by an hour", () => {
  it.each([-3_600_000, 3_600_000])(
    "(%i ms) changes nothing, also where the service asks to wait",
    async (clockSkew) => {
      const before = likeness(world.service);
      const engine = new Engine();
      world.service.configure({ clockSkew });
      const faults: Fault[] = [
        { kind: "status", status: 429, retryAfter: 1, retryAfterStyle: "date", nth: [3, 7] },
        { kind: "cut-after", method: "POST", nth: 2 },
      ];
      expect(await runWith(faults, () => run(engine, program))).toEqual([]);
      expect(differences(engine)).toEqual([]);
      expect((await engine.refresh(hooksHere(world))).failures).toEqual([]);
      await expectRecovery(engine, changed);
      await engine.destroy(hooksHere(world));
      expect(likeness(world.service)).toEqual(before);
    },
  );
});
