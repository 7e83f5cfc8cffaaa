/**
 * Whether an object existed before the stack is asked before a `destroy`: the answer stays the same whatever name the
 * resource gets, and whichever resource replaces it.
 */
import { describe, expect, it } from "vitest";
import { deletionEffect } from "../../provider/effects/deletion";
import { webhook } from "../../provider/resources/webhook";
import { connect } from "../../sdk";
import { onStage } from "../provider/on-stage";
import type { Wanted } from "../provider/programs";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";

const world = onStage();

const url = "https://r.example/esign";
const program = (name: string, more: object = {}): Wanted[] => [
  { kind: "Webhook", name, args: { type: "all", url, ...more } },
];

/** A stack with one webhook. */
class Stack {
  readonly engine = new Engine();

  get hook() {
    return [...this.engine.state.values()][0]!;
  }

  async up(wanted: Wanted[], options: { deletes?: boolean } = {}): Promise<{ steps: string[]; said: string[] }> {
    const hooks = hooksHere(world);
    const { steps, failures } = await this.engine.up(wanted, hooks, new AbortController().signal, options);
    expect(failures).toEqual([]);
    for (const kept of this.engine.state.values()) world.acknowledge(kept);
    return { steps, said: hooks.said };
  }
  async refresh(): Promise<void> {
    expect((await this.engine.refresh(hooksHere(world))).failures).toEqual([]);
  }
  /** As `up --replace`, of which the hooks are not asked for a difference. */
  async replace(): Promise<void> {
    const { hook } = this;
    this.engine.replaced.push(hook);
    this.engine.state.delete(hook.name);
    await this.up(program(hook.name));
  }
  get isAdopted(): boolean {
    const { id, outs } = this.hook;
    return deletionEffect({ definition: webhook, id, state: outs }).adopted === true;
  }
}

const lives: Record<string, (stack: Stack) => Promise<unknown>> = {
  "no other name": async () => undefined,
  "another name": (stack) => stack.up(program("b")),
  "two other names": async (stack) => {
    for (const name of ["b", "b", "c"]) await stack.up(program(name));
  },
  "two other names at once": async (stack) => {
    for (const name of ["b", "c"]) await stack.up(program(name));
  },
  "another name and back": async (stack) => {
    for (const name of ["b", "a", "b", "a"]) await stack.up(program(name));
  },
  "another name, refreshed": async (stack) => {
    await stack.up(program("b"));
    await stack.refresh();
  },
  "another name, then another URL": async (stack) => {
    await stack.up(program("b"));
    await stack.up(program("b", { url: `${url}/2` }));
  },
  "another name, killed before the deletion": async (stack) => {
    await stack.up(program("b"), { deletes: false });
    await stack.up(program("b"));
  },
  "another name, killed before the deletion, and back": async (stack) => {
    await stack.up(program("b"), { deletes: false });
    await stack.up(program("a"));
  },
  "another name, killed after the deletion": async (stack) => {
    await stack.up(program("b"), { deletes: false });
    const { engine } = stack;
    const old = engine.state.get("a")!;
    await stack.up(program("b"));
    engine.state.set("a", old);
    await stack.up(program("b"));
  },
  "a forced replacement": (stack) => stack.replace(),
  "a forced replacement, then another name": async (stack) => {
    await stack.replace();
    await stack.up(program("b"));
  },
};

describe.each([
  ["created", false],
  ["adopted", true],
])("what the stack has %s", (_, existedBefore) => {
  it.each(Object.entries(lives))("counts as that after %s", async (_, live) => {
    const { webhooks } = connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
    if (existedBefore) await webhooks.create({ webhook_type: "all", webhook_url: url });
    const stack = new Stack();
    await stack.up(program("a"));
    const { id } = stack.hook;
    await live(stack);
    const settled = program(stack.hook.name, { url: stack.hook.inputs.url });
    world.service.clearLog();
    const { steps, said } = await stack.up(settled);
    // One update at most, which writes nothing.
    for (const step of steps) expect(step).toBe(`update ${stack.hook.name}`);
    expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(said).toEqual(steps.map(() => expect.stringMatching(/records that this stack has created it, as another/)));
    expect((await stack.up(settled)).steps).toEqual([]);
    // From now on the state has it.
    world.forget();
    expect((await stack.up(settled)).steps).toEqual([]);
    expect([stack.engine.state.size, stack.hook.id, stack.isAdopted]).toEqual([1, id, existedBefore]);
  });
});

it("is not taken over by another stack of the same folder, which has adopted the object", async () => {
  const [mine, other] = [new Stack(), new Stack()];
  await mine.up(program("a"));
  await other.up(program("x"));
  expect([mine.isAdopted, other.isAdopted]).toEqual([false, true]);
  await mine.up(program("b"));
  expect((await other.up(program("x"))).steps).toEqual([]);
  expect(other.isAdopted).toBe(true);
  await mine.up(program("b"));
  expect(mine.isAdopted).toBe(false);
});
