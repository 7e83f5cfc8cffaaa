/** A run that is killed between the creation under a new name and the deletion under the old one. */
import { afterEach, expect, it } from "vitest";
import { connect } from "../../sdk";
import { type Stage, stage } from "../provider/handlers";
import type { Wanted } from "../provider/programs";
import { disagreements } from "./agreement";
import { Engine } from "./engine";
import { hooksHere } from "./hooks";

let world: Stage;
afterEach(() => world.service.close());

const named = (name: string): Wanted[] => [
  {
    kind: "Company",
    name: `${name}-firm`,
    args: { name: "F", userName: "U", userEmail: "u@f.example", deletionProtection: false },
  },
  { kind: "Webhook", name: `${name}-hook`, args: { type: "all", url: "https://a.example/" } },
  { kind: "Branding", name: `${name}-branding`, args: { colour: "#0a0b0c" } },
];

it.each(["new", "old"])("leaves two owners in the state; the program's %s one keeps the object", async (kept) => {
  world = await stage();
  const engine = new Engine();
  const colour = () => world.service.data().accounts.find(({ partner }) => partner)!.branding.colour;
  const original = colour();
  expect((await engine.up(named("old"), hooksHere(world))).failures).toEqual([]);
  // As the killed run leaves it: both names are in the state.
  expect(
    (await engine.up([...named("new")], hooksHere(world), new AbortController().signal, { deletes: false })).failures,
  ).toEqual([]);
  expect(engine.state.size).toBe(6);

  expect((await engine.up(named(kept), hooksHere(world))).failures).toEqual([]);
  expect([...engine.state.keys()].sort()).toEqual(
    named(kept)
      .map(({ name }) => name)
      .sort(),
  );
  expect(disagreements(world.service.data(), [...engine.state.values()])).toEqual([]);

  await engine.refresh(hooksHere(world));
  expect((await engine.destroy(hooksHere(world))).failures).toEqual([]);
  expect(disagreements(world.service.data(), [])).toEqual([]);
  expect(colour()).toBe(original);
});

it.each(["old 1, old 2, old 2, new 3, new 3", "a 1, a 2, b 3, c 4, d 5", "a 1, a 2, b 3, a 4, b 2"])(
  "and another text at once (%s): a destroy puts back what was there before the first of them",
  async (names) => {
    world = await stage();
    const engine = new Engine();
    const emails = () => world.service.data().accounts.find(({ partner }) => partner)!.emails;
    const original = JSON.stringify(emails());
    const email = (name: string, n: string): Wanted[] => [
      { kind: "BrandingEmail", name, args: { type: "email-send", subject: `Subject ${n} {contract title}` } },
    ];
    const emailOf = (text: string) => email(...(text.split(" ") as [string, string]));
    for (const wanted of [...names.split(", ").map(emailOf), []])
      expect((await engine.up(wanted, hooksHere(world))).failures).toEqual([]);
    const plain = (text: string) => text.replace(/"updated":("[^"]*"|\d+)/g, "");
    expect(plain(JSON.stringify(emails()))).toBe(plain(original));
  },
);

it.each(["a, refresh, b", "a, refresh, b, refresh", "a, refresh, b, refresh, c, d, refresh"])(
  "after a refresh (%s), where the service answers other values than it was sent: a destroy puts back what was there before",
  async (steps) => {
    world = await stage({ textStyle: "trimmed" });
    const engine = new Engine();
    const client = connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
    const now = async () => {
      const { branding_emails } = await client.branding.emails();
      return [await client.branding.get(), branding_emails.map((email) => ({ ...email, branding_email_updated: "" }))];
    };
    const before = { branding_email_content: "<p>Before {contract url}</p>" };
    await client.branding.updateEmail({ branding_email_type: "email-send", ...before });
    const original = await now();
    const named = (name: string): Wanted[] => [
      { kind: "Branding", name: `${name}-branding`, args: { logoUrl: "https://www.example.com/ours.png" } },
      {
        kind: "BrandingEmail",
        name: `${name}-email`,
        args: { type: "email-send", content: "  <p>{contract url}</p>" },
      },
    ];
    for (const step of steps.split(", ")) {
      const outcome = step === "refresh" ? engine.refresh(hooksHere(world)) : engine.up(named(step), hooksHere(world));
      expect((await outcome).failures).toEqual([]);
    }
    expect(await now()).not.toEqual(original);
    expect((await engine.destroy(hooksHere(world))).failures).toEqual([]);
    expect(await now()).toEqual(original);
  },
);
