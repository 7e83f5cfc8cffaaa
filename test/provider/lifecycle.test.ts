/** One life for every resource. Adding a resource is adding an entry to the table. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import { definitions, type HandlerName } from "../../provider/resources/index";
import type { Client } from "../../sdk";
import { times } from "../chance";
import { isPlugin, Managed, type Stage, snapshot, wired } from "./handlers";
import { onStage } from "./on-stage";

interface Entry {
  inputs: Properties;
  /** Why a new subaccount has no such object: then its life is in the key's own account alone. */
  notInNewSubaccounts?: string;
  /** One changed argument, and the field that goes over the wire. */
  changed: Properties;
  wire: string | string[];
  /** A change that replaces the object. */
  replaced?: { inputs: Properties; by: string };
  /** Changes the object outside Pulumi; what it returns restores it. */
  drift(client: Client, id: string): Promise<() => Promise<unknown>>;
  /** The argument that shows the drift, with a value that is neither declared nor that of the drift. */
  drifted: [field: string, other: string];
  /** Deletes the object outside Pulumi; absent for what cannot be deleted. */
  remove?(client: Client, id: string): Promise<unknown>;
}

const table: Record<HandlerName, Entry> = {
  webhook: {
    inputs: { type: "signed-envelope", url: "https://receiver.example/signed" },
    changed: { url: "https://receiver.example/elsewhere" },
    wire: "webhook_url",
    drift: async (client, id) => {
      const before = await client.webhooks.get({ webhook_id: id });
      await client.webhooks.update({ webhook_id: id, webhook_url: "https://intruder.example/" });
      return () => client.webhooks.update({ webhook_id: id, webhook_url: before.webhook_url });
    },
    drifted: ["url", "https://c.example/"],
    remove: (client, id) => client.webhooks.delete({ webhook_id: id }),
  },
  branding: {
    inputs: { colour: "#558caa", logoUrl: "https://www.example.com/logo.png" },
    changed: { colour: "#aabbcc" },
    wire: "branding_colour",
    drift: async (client) => {
      const before = await client.branding.get();
      await client.branding.update({ branding_colour: "#010203" });
      return () => client.branding.update({ branding_colour: before.branding_colour! });
    },
    drifted: ["colour", "#ffffff"],
  },
  brandingEmail: {
    inputs: {
      type: "email-send",
      subject: "Please sign {contract title}",
      content: "<style>p { color: red }</style>\r\n<p>Sign at {contract url}</p>  \r\n",
      contentPlain: "Sign at {contract url}\n\n",
    },
    changed: { subject: "Please do sign {contract title}" },
    wire: "branding_email_subject",
    replaced: { inputs: { type: "email-signed" }, by: "type" },
    drift: async (client) => {
      const write = (branding_email_subject: string) =>
        client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject });
      const { branding_emails } = await client.branding.emails();
      const before = branding_emails.find((email) => email.branding_email_type === "email-send")!;
      await write("Rewritten");
      return () => write(before.branding_email_subject!);
    },
    drifted: ["subject", "C"],
  },
  company: {
    inputs: {
      name: "Harbour",
      userName: "Hanna",
      userEmail: "hanna@harbour.example",
      email: "office@harbour.example",
      deletionProtection: false,
    },
    changed: { name: "Harbour Lettings" },
    wire: "company_name",
    drift: async (client, id) => {
      await client.companies.update({ company_id: id, company_email: "other@harbour.example" });
      return () => client.companies.update({ company_id: id, company_email: "office@harbour.example" });
    },
    drifted: ["email", "c@c.example"],
    remove: (client, id) => client.companies.delete({ company_id: id }),
  },
  contact: {
    inputs: { name: "Carla & Co", email: "Carla@Client.example" },
    changed: { name: "Carla Client" },
    wire: "contact_name",
    drift: async (client, id) => {
      await client.contacts.update({ contact_id: id, contact_email: "other@client.example" });
      return () => client.contacts.update({ contact_id: id, contact_email: "Carla@Client.example" });
    },
    drifted: ["email", "c@c.example"],
    remove: (client, id) => client.contacts.delete({ contact_id: id }),
  },
  user: {
    inputs: { name: "Bo", email: "bo@harbour.example", role: "admin", deletionProtection: false },
    changed: { role: "user" },
    wire: ["user_name", "role_id"],
    drift: async (client, id) => {
      await client.users.update({ user_id: id, user_name: "Changed" });
      return () => client.users.update({ user_id: id, user_name: "Bo" });
    },
    drifted: ["name", "C"],
    remove: (client, id) => client.users.delete({ user_id: id }),
  },
  settings: {
    inputs: {
      emailPdfAttach: false,
      signatureFormatDefault: "drawn",
      signatureFormatAccepted: ["drawn", "typed"],
    },
    changed: { emailPdfAttach: true },
    wire: "setting_email_pdf_attach",
    drift: async (client) => {
      await client.settings.update({ setting_signature_format_default: "upload" });
      return () => client.settings.update({ setting_signature_format_default: "drawn" });
    },
    drifted: ["signatureFormatDefault", "typed"],
  },
};

/** What every account has cannot be created: a new subaccount must have it. */
async function assertThere(world: Stage, handler: HandlerName, inputs: Properties): Promise<void> {
  const { collection, kind, key } = definitions[handler];
  if (collection !== undefined) return;
  const id = `${inputs.account}/${key({}, inputs)}`;
  await new Managed(world, handler, id, wired(handler, {})).read().catch((error: Error) => {
    throw new Error(
      `a new subaccount has no such ${kind}: say why in \`notInNewSubaccounts\` of the entry, or choose another object (${error.message})`,
    );
  });
}

const places = Object.entries(table).flatMap(([name, entry]) => {
  const handler = name as HandlerName;
  const isOwnOnly = handler === "company" || entry.notInNewSubaccounts !== undefined;
  if (isOwnOnly) return [{ ...entry, handler, sub: false }];
  // The plugin's form in a subaccount, the other one in the key's own account; each in both with RANDOM_TIMES.
  return (times > 1 ? [false, true] : [isPlugin]).map((sub) => ({ ...entry, handler, sub }));
});
// Of an account with a logo each read shows another address.
const lives = places.flatMap((place) =>
  (place.handler === "branding" ? (["stable", "fresh"] as const) : (["stable"] as const)).map((logoAddress) => ({
    ...place,
    logoAddress,
  })),
);

describe("a new subaccount", () => {
  const stage = onStage();

  it("says of an object that a new subaccount has not what is missing in the table", async () => {
    const { company_id: account } = await stage.client.companies.create({
      company_name: "Sub",
      user_name: "Sue",
      user_email: "sue@sub.example",
    });
    const inputs = wired("brandingEmail", { type: "email-moved-account", subject: "x", account });
    await expect(assertThere(stage, "brandingEmail", inputs)).rejects.toThrow(
      /a new subaccount has no such BrandingEmail: say why in `notInNewSubaccounts` of the entry, or choose another object \(.*with ID .*email-moved-account/s,
    );
  });
});

describe.each(lives)(
  "$handler (in a subaccount: $sub, $logoAddress logo)",
  ({ handler, sub, logoAddress, drifted: [field, other], ...entry }) => {
    let client: Client;
    let inputs: Properties;

    const world = onStage();
    beforeEach(async () => {
      client = world.client;
      world.service.configure({ logoAddress });
      inputs = wired(handler, entry.inputs);
      if (sub) {
        const company = { company_name: "Sub", user_name: "Sue", user_email: "sue@sub.example" };
        const { company_id: account } = await client.companies.create(company);
        client = client.as(account);
        inputs = wired(handler, { ...inputs, account });
        await assertThere(world, handler, inputs);
      }
      world.service.clearLog();
    });

    const keyOf = (id: string) => id.split("/").at(-1)!;
    const create = async (): Promise<Managed> => {
      const { failures } = await world.phase()[handler].check({}, inputs);
      expect(failures).toEqual([]);
      return world.create(handler, inputs);
    };
    const isSettled = async (made: Managed, news = inputs) =>
      expect(await made.plan(news)).toMatchObject({ changes: false, replaces: [] });
    const isUpdated = async (made: Managed, news = inputs) =>
      expect(await made.plan(news)).toMatchObject({ changes: true, replaces: [] });

    it("is created, and the plan after it is empty", async () => {
      const made = await create();
      expect(made.id.startsWith(`${inputs.account}/`)).toBe(sub);
      expect(made.outs).toMatchObject(inputs);
      await isSettled(made);
    });

    it("is the same after a refresh, which writes nothing", async () => {
      const made = await create();
      world.service.clearLog();
      const found = await made.read();
      expect(world.writes()).toEqual([]);
      expect(found.id).toBe(made.id);
      expect(found.inputs).toEqual(inputs);
      expect(found.outs).toEqual(made.outs);
      await isSettled(found);
    });

    it("is updated with the changed field only", async () => {
      const made = await create();
      const news = { ...inputs, ...entry.changed };
      await isUpdated(made, news);
      world.service.clearLog();
      const updated = await made.update(news);
      expect(world.writes()).toMatchObject([{ method: "PUT", fields: [entry.wire].flat() }]);
      await isSettled(updated, news);
      expect((await updated.read()).inputs).toEqual(news);
    });

    it("is replaced when what it is made of changes", async () => {
      const made = await create();
      if (entry.replaced !== undefined) {
        const plan = await made.plan({ ...inputs, ...entry.replaced.inputs });
        expect(plan).toMatchObject({ changes: true, replaces: [entry.replaced.by] });
      }
      if (handler !== "company") {
        expect((await made.plan({ ...inputs, account: "99" })).replaces).toEqual(["account"]);
      }
    });

    it("shows drift, repairs it, and is clean again when it goes back by itself", async () => {
      const made = await create();
      const putBack = await entry.drift(client, keyOf(made.id));
      const drifted = await made.read();
      expect(drifted.inputs[field]).not.toEqual(inputs[field]);
      await isUpdated(drifted);

      await putBack();
      const clean = await drifted.read();
      expect(clean.inputs).toEqual(inputs);
      await isSettled(clean);

      await entry.drift(client, keyOf(made.id));
      const again = await clean.read();
      world.service.clearLog();
      const repaired = await again.update(inputs);
      expect(world.writes()).toHaveLength(1);
      const found = await repaired.read();
      expect(found.inputs).toEqual(inputs);
      await isSettled(found);
    });

    it("never overwrites a change that the plan did not show", async () => {
      const made = await create();
      const news = { ...inputs, [field]: other };
      await entry.drift(client, keyOf(made.id));
      world.service.clearLog();
      await expect(made.update(news)).rejects.toThrow(/conflict: .*outside Pulumi/);
      expect(world.writes()).toEqual([]);
      await made.update(news, world.phase({ onConflict: "overwrite" }));
      expect(world.writes()).toHaveLength(1);
    });

    it("is recreated when it is gone", async () => {
      if (entry.remove === undefined) return;
      const made = await create();
      await entry.remove(client, keyOf(made.id));
      expect((await made.read()).id).toBe("");
      await expect(made.update({ ...inputs, ...entry.changed })).rejects.toThrow(/no longer exists.*Refresh/s);
      expect((await create()).id).not.toBe(made.id);
    });

    it("is adopted when it exists, with nothing written", async () => {
      const first = await create();
      world.acknowledge(first);
      world.service.clearLog();
      // The service shows its copy of a logo under an address of its own: the same picture is behind it.
      const same = handler === "branding" ? { ...inputs, logoUrl: first.outs.logo } : inputs;
      const second = await world.create(handler, same);
      expect(second.id).toBe(first.id);
      expect(world.writes()).toEqual([]);
      await isSettled(second, same);
      if (entry.remove !== undefined) {
        expect(second.said).toMatch(/adopted/);
        world.acknowledge(second);
        await expect(world.create(handler, { ...inputs, onExisting: "fail" })).rejects.toThrow(/already exists/);
      }
    });

    it("is deleted, and deleted again; the service is as it was before", async () => {
      const before = await snapshot(client);
      const made = await create();
      for (let times = 0; times < 2; times++) {
        await made.delete();
        expect(await snapshot(client)).toEqual(before);
      }
    });

    it("is deleted after a refresh and an update, too", async () => {
      const before = await snapshot(client);
      const found = await (await create()).read();
      await (await found.update({ ...inputs, ...entry.changed })).delete();
      expect(await snapshot(client)).toEqual(before);
    });

    it("lives without the bookkeeping of its state", async () => {
      const made = await create();
      const { __esign: _, ...bare } = made.outs;
      const imported = made.having(bare);
      await isSettled(imported);
      expect((await imported.read()).inputs).toEqual(inputs);
      await (await imported.update({ ...inputs, ...entry.changed })).delete();
    });

    it("is read by its id alone", async () => {
      const found = await (await create()).having({}).read();
      const { onExisting: _, userName: __, userEmail: ___, deletionProtection: ____, ...readable } = inputs;
      for (const [name, value] of Object.entries(found.inputs)) {
        if (name === "logoUrl" || name === "colour" || name.startsWith("content")) continue;
        // Every setting that the account has.
        if (handler === "settings" && !(name in readable)) continue;
        expect({ [name]: value }).toEqual({ [name]: readable[name] });
      }
    });

    it("is an error when it is not there and asked for by its id alone", async () => {
      const singletons: Partial<Record<HandlerName, string>> = {
        branding: "17/branding",
        brandingEmail: "email-moved-account",
        settings: "17/settings",
      };
      const none = singletons[handler] ?? "17";
      await expect(new Managed(world, handler, none, wired(handler, {})).read()).rejects.toThrow(
        `with ID ${none} in this account`,
      );
    });
  },
);
