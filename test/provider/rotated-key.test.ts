/** The rotated key of a company reaches the state, and so the stack's outputs, by a plain `up`. */
import { beforeEach, expect, it } from "vitest";
import { connect } from "../../sdk";
import { Stack } from "../reliability/stack";
import { onStage } from "./on-stage";
import type { Wanted } from "./programs";

let stack: Stack;
const world = onStage({ retries: "0" });

const firm = (n: number): Wanted => ({
  kind: "Company",
  name: `firm-${n}`,
  args: { name: `Firm ${n}`, userName: "U", userEmail: `u${n}@firm.example` },
});
const program = [firm(1), firm(2)];
const accountOf = (name: string) => world.service.data().accounts.find((account) => account.name === name)!;
const keyOf = (name: string) => stack.engine.state.get(name)!.outs.apiKey;
const requests = () => world.service.requests().map(({ method, path }) => `${method} ${path}`);

async function up(wanted = program) {
  world.service.clearLog();
  const { steps, failures, said } = await stack.up(wanted);
  expect(failures).toEqual([]);
  for (const kept of stack.objects) world.acknowledge(kept);
  return { steps, said };
}

beforeEach(async () => {
  stack = new Stack(world);
  await up();
});

it("costs one list of all companies, and where one has a new key an update, which tries the key and writes nothing", async () => {
  expect((await up()).steps).toEqual([]);
  expect(requests()).toEqual(["GET /v1/companies?limit=50"]);
  const key = await world.service.rotateKey(accountOf("Firm 2").id);
  const { steps, said } = await up();
  expect(steps).toEqual(["update firm-2"]);
  expect(said.join()).toMatch(/Company \d+: this update records its new apiKey/);
  expect(said.join()).not.toContain(key);
  expect(requests()).toEqual(["GET /v1/companies?limit=50", "GET /v1/branding"]);
  expect([keyOf("firm-1"), keyOf("firm-2")]).toEqual([accountOf("Firm 1").key, key]);
  expect((await up()).steps).toEqual([]);
});

it("costs nothing where the program has no company", async () => {
  const hook: Wanted = { kind: "Webhook", name: "hook", args: { type: "all", url: "https://r.example/" } };
  stack = new Stack(world);
  await up([hook]);
  expect(await up([hook])).toEqual({ steps: [], said: [] });
  expect(requests()).toEqual([]);
});

it("brings no other change of the company into the state, nor reverts one", async () => {
  const client = connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
  const { id } = accountOf("Firm 1");
  await client.companies.update({ company_id: id, company_name: "By hand", company_email: "hand@firm.example" });
  const before = structuredClone(stack.engine.state.get("firm-1")!.outs);
  expect((await up()).steps).toEqual([]);
  const key = await world.service.rotateKey(id);
  expect((await up()).steps).toEqual(["update firm-1"]);
  expect(stack.engine.state.get("firm-1")!.outs).toEqual({ ...before, apiKey: key });
  expect(accountOf("By hand").email).toBe("hand@firm.example");
  await stack.refresh();
  expect(stack.engine.state.get("firm-1")!.outs).toMatchObject({ name: "By hand", apiKey: key });
});

it.each([{ kind: "cut-before" }, { kind: "status", status: 500 }] as const)(
  "is left for the next run where the list cannot be read ($kind)",
  async (fault) => {
    const key = await world.service.rotateKey(accountOf("Firm 1").id);
    world.service.configure({ faults: [{ ...fault, operation: "companies.list" }] as never });
    const { steps, said } = await up();
    expect(steps).toEqual([]);
    expect(said).toEqual([expect.stringMatching(/^Company: apiKey not compared with the state: /)]);
    expect(requests()).toHaveLength(1);
    world.service.configure({ faults: [] });
    await up();
    expect(keyOf("firm-1")).toBe(key);
  },
);

it("is never replaced by one that the list shows in part", async () => {
  const { key } = accountOf("Firm 1");
  accountOf("Firm 1").key = `${key.slice(0, 4)}${"*".repeat(key.length - 4)}`;
  expect(await up()).toEqual({ steps: [], said: [] });
  // Nor by an update or a refresh.
  program[0]!.args.email = "office@firm.example";
  await up();
  await stack.refresh();
  expect(stack.engine.state.get("firm-1")!.outs).toMatchObject({ email: "office@firm.example", apiKey: key });
  delete program[0]!.args.email;
});
