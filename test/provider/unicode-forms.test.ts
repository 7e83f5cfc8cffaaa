/** Names, addresses and texts that differ in the Unicode form of their letters alone: one object, no change, no drift. */
import { describe, expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { matcherOf, newMatcherOf } from "../../provider/objects/match-object";
import { definitions, type HandlerName } from "../../provider/resources";
import { onStage } from "./on-stage";

const world = onStage();
const [composed, decomposed] = (["NFC", "NFD"] as const).map((form) => "Zoë Å. Łukasz 한".normalize(form)) as [
  string,
  string,
];
const addressIn = (form: "NFC" | "NFD") => `zoë@müller.example`.normalize(form);

it("the forms are two texts", () => {
  expect(composed).not.toBe(decomposed);
});

/** An object as the service returns it that stores composed letters, and what declares it. */
const stored: [HandlerName, Properties, Properties][] = [
  [
    "contact",
    { contact_id: "7", contact_name: composed, contact_email: addressIn("NFC") },
    { name: decomposed, email: addressIn("NFD") },
  ],
  [
    "user",
    { user_id: "7", user_name: composed, user_email: addressIn("NFC"), role_id: "3" },
    { name: decomposed, email: addressIn("NFD"), role: "user" },
  ],
  [
    "company",
    { company_id: "7", company_name: composed, company_email: "z@m.example" },
    { name: decomposed, userName: decomposed, userEmail: "z@m.example" },
  ],
];

it.each(stored)("what a %s without a response has created is found", (handler, item, args) => {
  expect(matcherOf(definitions[handler], args)(item)).toBe("same");
  expect(newMatcherOf(definitions[handler], args)(item)).toBe(true);
});

describe("a contact", () => {
  it("that the account has is adopted without a write, and no second one created", async () => {
    await world.client.contacts.create({ contact_name: composed, contact_email: "zoe@m.example" });
    world.service.clearLog();
    const made = await world.create("contact", { name: decomposed, email: "zoe@m.example" });
    expect(world.writes()).toEqual([]);
    expect(await made.differs({ name: decomposed, email: "zoe@m.example" })).toBe(false);
  });

  it("has not drifted where the service returns the other form", async () => {
    const args = { name: decomposed, email: "zoe@m.example" };
    const made = await world.create("contact", args);
    await world.client.contacts.update({ contact_id: made.id, contact_name: composed });
    world.service.clearLog();
    const refreshed = await made.read();
    expect(refreshed.inputs).toMatchObject(args);
    await refreshed.update({ ...args, email: "zoe@n.example" });
    expect(world.writes()).toMatchObject([{ method: "PUT", fields: ["contact_email"] }]);
  });
});

it("an email text has not drifted, and an update does not write it again", async () => {
  const args = { type: "email-send", subject: `${decomposed} {contract title}` };
  const made = await world.create("brandingEmail", args);
  await world.client.branding.updateEmail({
    branding_email_type: "email-send",
    branding_email_subject: args.subject.normalize("NFC"),
  });
  world.service.clearLog();
  expect((await made.read()).inputs).toMatchObject(args);
  await made.update(args);
  expect(world.writes()).toEqual([]);
});
