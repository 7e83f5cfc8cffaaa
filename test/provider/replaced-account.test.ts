/**
 * An explicit provider whose key before is rejected: its account may have been replaced, or the key rotated. What tells is what the account
 * has of the state, and one object alone may have been deleted by hand.
 */
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import type { HandlerName } from "../../provider/resources/index";
import { connect } from "../../sdk";
import type { Managed, Phase } from "./handlers";
import { onStage } from "./on-stage";

const world = onStage();
const hook = (path: string) => ({ type: "all", url: `https://r.example/${path}` });
const colour = { colour: "#0A0B0C" };
const declarations: Record<string, [HandlerName, Properties]> = {
  a: ["webhook", hook("a")],
  b: ["webhook", hook("b")],
  look: ["branding", colour],
  mail: ["brandingEmail", { type: "email-send", subject: "Ours {contract title}" }],
};
type Name = keyof typeof declarations;

/** A company, with what an explicit provider with its key has made in it. */
async function begin(names: readonly Name[]) {
  const owner = { company_name: "Firm", user_name: "U", user_email: "u@firm.example" };
  const { company_id, api_key } = await world.client.companies.create(owner);
  const before = world.phase({ apiKey: api_key! });
  const made = new Map<Name, Managed>();
  for (const name of names) {
    const one = await world.create(...declarations[name]!, before);
    world.acknowledge(one);
    made.set(name, one);
  }
  const inside = (key: string) => connect({ baseUrl: world.service.url, apiKey: key });
  return {
    made,
    rotate: () => world.service.rotateKey(company_id!),
    async replace() {
      await world.client.companies.delete({ company_id: company_id! });
      return (await world.client.companies.create(owner)).api_key!;
    },
    /** Changes one of them by hand. */
    async change(name: Name, key: string) {
      const [kind] = declarations[name]!;
      const { id } = made.get(name)!;
      if (kind === "webhook") await inside(key).webhooks.delete({ webhook_id: id });
      if (kind === "branding") await inside(key).branding.update({ branding_colour: "#FFFFFF" });
    },
    /** The next run, of a provider with that key. */
    next(key: string): Phase {
      const phase = world.phase({ apiKey: key });
      phase.session.accounts.earlierKey.set(api_key!);
      return phase;
    },
  };
}

/** What the diff of each answers, where the program registers all of them at about the same time. */
function plans(made: ReadonlyMap<Name, Managed>, phase: Phase): Promise<string[]> {
  const plan = async (name: Name, one: Managed) => {
    const { changes, replaces } = (await one.plan(declarations[name]![1], phase)) as {
      changes: boolean;
      replaces: string[];
    };
    if (!changes) return "same";
    return replaces.includes("provider") ? "replaced" : "changed";
  };
  return Promise.all(
    [...made].map(([name, one]) =>
      plan(name, one).catch(({ message }) => (/ESIGN1003/.test(message) ? `refused: ${message}` : message)),
    ),
  );
}

const refused = (count: number) => Array(count).fill(expect.stringMatching(/^refused: .*set esign:expectAccount to/s));
const all = (count: number, what: string) => Array(count).fill(what);

it.each<[string, Name[]]>([
  ["two objects with ids", ["a", "b"]],
  ["an object with an id and one without", ["a", "look"]],
  ["two without", ["look", "mail"]],
  ["four", ["a", "b", "look", "mail"]],
])("a replaced one is known by what is missing: %s", async (_, names) => {
  const { made, replace, next } = await begin(names);
  expect(await plans(made, next(await replace()))).toEqual(all(names.length, "replaced"));
});

it.each<[string, Name[], Name[]]>([
  ["the only one", ["a"], ["a"]],
  ["the only one with an id, beside one that is unchanged", ["a", "look"], ["a"]],
  ["the only one, which has no id", ["look"], ["look"]],
])("a new key is not taken for another account where an object was changed by hand: %s", async (_, names, changed) => {
  const { made, rotate, change, next } = await begin(names);
  const key = await rotate();
  for (const name of changed) await change(name, key);
  world.service.clearLog();
  expect(await plans(made, next(key))).toEqual(refused(names.length));
  expect(world.writes()).toEqual([]);
});

it("nor where others are found that are registered a moment later", async () => {
  const { made, rotate, change, next } = await begin(["a", "b", "look"]);
  const key = await rotate();
  await change("a", key);
  expect(await plans(made, next(key))).toEqual(all(3, "same"));
});

it("what is refused goes on with the new key in esign:expectAccount", async () => {
  const { made, rotate, change } = await begin(["a", "look"]);
  const key = await rotate();
  await change("a", key);
  const expectAccount = await connect({ baseUrl: world.service.url, apiKey: key }).keyFingerprint();
  const phase = world.phase({ apiKey: key, expectAccount });
  expect(await plans(made, phase)).toEqual(["same", "same"]);
  expect((await made.get("a")!.read(phase)).id).toBe("");
});

it("one that is alone in its account, and replaced, is refused as well", async () => {
  const { made, replace, next } = await begin(["a"]);
  expect(await plans(made, next(await replace()))).toEqual(refused(1));
});
