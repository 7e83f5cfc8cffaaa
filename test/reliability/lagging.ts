/**
 * Real engines at a service whose reads lag behind writes: each command follows the one before at once. Nothing is doubled, lost or
 * forgotten, and no plan shows what is not so.
 */
import { expect } from "vitest";
import { emulatorForTest } from "../emulator/use-emulator";
import type { Form } from "../provider/program-forms";
import { type EngineName, engines, formsOf, Program, type Wanted } from "../provider/programs";

export type Lag = { listLag: { ms: number } } | { readLag: number };

export const lags: [name: string, lag: Lag][] = [
  ["nothing lags", { readLag: 0 }],
  ["lists lag by 5 s", { listLag: { ms: 5_000 } }],
  ["lists lag by 7.5 s", { listLag: { ms: 7_500 } }],
  ["all reads lag by 5 s", { readLag: 5_000 }],
  ["all reads lag by 7.5 s", { readLag: 7_500 }],
];

/** Each engine with each form that this machine has. */
export const stacks = engines.flatMap((engine) =>
  formsOf(engine, "dynamic", "plugin").map((form): [EngineName, Form] => [engine, form]),
);

const firm: Wanted = {
  kind: "Company",
  name: "firm",
  args: { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false },
};
const hook: Wanted = { kind: "Webhook", name: "hook", args: { type: "all", url: "https://r.example/" } };
const inside: Wanted = { kind: "Webhook", name: "inside", args: { ...hook.args, account: "firm" } };
const person: Wanted = { kind: "Contact", name: "contact", args: { name: "C", email: "c@firm.example" } };
const colour: Wanted = { kind: "Branding", name: "branding", args: { colour: "#112233" } };
const program = [firm, hook, inside, person, colour];

/** Runs the commands of a stack one right after the other. */
export async function runWithLag(engine: EngineName, form: Form, lag: Lag): Promise<void> {
  const service = await emulatorForTest(lag);
  const stack = new Program(engine, undefined, form);
  await stack.begin({ apiKey: service.keys.partner, baseUrl: service.url });
  const partner = () => service.data().accounts.find(({ key }) => key === service.keys.partner)!;
  const firms = () => service.data().accounts.filter(({ name }) => name === "Firm");
  const present = () => ({
    firms: firms().map(({ id }) => id),
    hooks: [...partner().webhooks, ...firms().flatMap(({ webhooks }) => webhooks)].map(({ id }) => id),
    contacts: partner().contacts.map(({ id }) => id),
  });
  const recorded = async () => (await stack.state()).flatMap(({ id = "" }) => id.split("/").at(-1)!);
  const writes = () => service.requests().filter(({ method }) => method !== "GET").length;

  stack.wanted = program;
  await stack.operate("up");
  const made = present();
  expect(made).toMatchObject({ firms: [expect.any(String)], hooks: [expect.any(String), expect.any(String)] });
  let written = writes();
  // What was just made is neither gone nor changed.
  for (const args of [["up", "--refresh"], ["refresh"], ["up"]] as const) {
    await stack.operate(...(args as unknown as ["up", ...string[]]));
    expect([present(), writes()], args.join(" ")).toEqual([made, written]);
    expect(await recorded()).toEqual(expect.arrayContaining(Object.values(made).flat()));
  }
  const { output } = await stack.succeed("preview", "--refresh", "--stack", stack.stack);
  expect(output).not.toMatch(/\b[1-9]\d* (to create|created|to delete|drifted)|to create|\+ /);
  // A change is not drift, and not undone.
  stack.wanted = program.map((each) =>
    each === hook ? { ...hook, args: { ...hook.args, url: "https://r.example/2" } } : each,
  );
  await stack.operate("up");
  written = writes();
  await stack.operate("up", "--refresh");
  expect([present(), writes()]).toEqual([made, written]);
  // Another name without an alias, and a state that has forgotten it.
  const last: Wanted = { ...person, name: "c2", args: { name: "D", email: "d@firm.example" } };
  stack.wanted = [...stack.wanted, last];
  await stack.operate("up");
  stack.wanted = [...stack.wanted.slice(0, -1), { ...last, name: "renamed" }];
  await stack.operate("up");
  expect(present().contacts).toHaveLength(made.contacts.length + 1);
  const { urn } = (await stack.state()).find((each) => each.urn.endsWith("::renamed"))!;
  await stack.succeed("state", "delete", urn, "--yes", "--stack", stack.stack);
  await stack.operate("up");
  expect(present().contacts).toHaveLength(made.contacts.length + 1);
  // What is deleted right after it was made is deleted; what was just deleted is not adopted.
  await stack.operate("destroy");
  expect(present()).toEqual({ firms: [], hooks: [], contacts: [] });
  stack.wanted = program.slice(0, -1);
  await stack.operate("up");
  const again = present();
  expect([again.firms.length, again.hooks.length, again.contacts.length]).toEqual([1, 2, 1]);
  expect(Object.values(made).flat()).not.toEqual(expect.arrayContaining([again.hooks[0]!]));
  expect(await recorded()).toEqual(expect.arrayContaining(Object.values(again).flat()));
  await stack.operate("destroy", "--refresh");
  expect(present()).toEqual({ firms: [], hooks: [], contacts: [] });
}
