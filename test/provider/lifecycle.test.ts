/** One life for every resource. Adding a resource is adding an entry to the table. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import type { HandlerName } from "../../provider/resources/index";
import { type Client, connect } from "../../sdk";
import { wired } from "./handlers";
import { onStage } from "./on-stage";

interface Entry {
  handler: HandlerName;
  inputs: Properties;
  /** One changed argument, and the field that goes over the wire. */
  changed: Properties;
  wire: string;
  /** A change that replaces the object. */
  replaced?: { inputs: Properties; by: string };
  /** Somebody else changes the object, and puts it back. */
  drift(client: Client, id: string): Promise<() => Promise<unknown>>;
  /** The argument that shows the drift. */
  drifted: string;
  /** Somebody else deletes the object; absent for what cannot be deleted. */
  remove?(client: Client, id: string): Promise<unknown>;
}

const table: Entry[] = [
  {
    handler: "webhook",
    inputs: { type: "signed-envelope", url: "https://receiver.example/signed" },
    changed: { url: "https://receiver.example/elsewhere" },
    wire: "webhook_url",
    drift: async (client, id) => {
      const before = await client.webhooks.get({ webhook_id: id });
      await client.webhooks.update({ webhook_id: id, webhook_url: "https://intruder.example/" });
      return () => client.webhooks.update({ webhook_id: id, webhook_url: before.webhook_url });
    },
    drifted: "url",
    remove: (client, id) => client.webhooks.delete({ webhook_id: id }),
  },
  {
    handler: "branding",
    inputs: { colour: "#558caa", logoUrl: "https://www.example.com/logo.png" },
    changed: { colour: "#aabbcc" },
    wire: "branding_colour",
    drift: async (client) => {
      const before = await client.branding.get();
      await client.branding.update({ branding_colour: "#010203" });
      return () => client.branding.update({ branding_colour: before.branding_colour! });
    },
    drifted: "colour",
  },
  {
    handler: "brandingEmail",
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
      const find = async () =>
        (await client.branding.emails()).branding_emails.find((email) => email.branding_email_type === "email-send")!;
      const before = await find();
      await client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "Rewritten" });
      return () =>
        client.branding.updateEmail({
          branding_email_type: "email-send",
          branding_email_subject: before.branding_email_subject!,
        });
    },
    drifted: "subject",
  },
  {
    handler: "company",
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
    drifted: "email",
    remove: (client, id) => client.companies.delete({ company_id: id }),
  },
  {
    handler: "contact",
    inputs: { name: "Carla & Co", email: "Carla@Client.example" },
    changed: { name: "Carla Client" },
    wire: "contact_name",
    drift: async (client, id) => {
      await client.contacts.update({ contact_id: id, contact_email: "other@client.example" });
      return () => client.contacts.update({ contact_id: id, contact_email: "Carla@Client.example" });
    },
    drifted: "email",
    remove: (client, id) => client.contacts.delete({ contact_id: id }),
  },
  {
    handler: "user",
    inputs: { name: "Bo", email: "bo@harbour.example", role: "admin", deletionProtection: false },
    changed: { role: "user" },
    wire: "role_id",
    drift: async (client, id) => {
      await client.users.update({ user_id: id, user_name: "Somebody" });
      return () => client.users.update({ user_id: id, user_name: "Bo" });
    },
    drifted: "name",
    remove: (client, id) => client.users.delete({ user_id: id }),
  },
  {
    handler: "settings",
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
    drifted: "signatureFormatDefault",
  },
];

const places = table.flatMap((entry) =>
  entry.handler === "company" ? [{ ...entry, sub: false }] : [false, true].map((sub) => ({ ...entry, sub })),
);

describe.each(places)("$handler (in a sub account: $sub)", ({ handler, sub, ...entry }) => {
  let client: Client;
  let inputs: Properties;

  const world = onStage();
  beforeEach(async () => {
    const partner = connect({ baseUrl: world.service.url, apiKey: world.service.keys.partner });
    if (sub) {
      const { company_id } = await partner.companies.create({
        company_name: "Sub",
        user_name: "Sue",
        user_email: "sue@sub.example",
      });
      client = partner.as(company_id);
      inputs = wired(handler, { ...entry.inputs, account: company_id });
    } else {
      client = partner;
      inputs = wired(handler, entry.inputs);
    }
    world.service.clearLog();
  });

  const writes = () => world.service.requests().filter((request) => request.method !== "GET");
  const hooks = () => world.phase()[handler];
  const keyOf = (id: string) => id.split("/").at(-1)!;
  const create = async (): Promise<{ id: string; outs: Properties }> => {
    const { failures } = await hooks().check({}, inputs);
    expect(failures).toEqual([]);
    const made = await hooks().create(inputs);
    return { id: made.id, outs: wired(handler, made.outs) };
  };
  const plan = (id: string, outs: Properties, news = inputs) => hooks().diff(id, outs, news);
  const refresh = async (id: string, outs: Properties) => {
    const found = await hooks().read(id, outs);
    return { id: found.id, outs: wired(handler, found.props ?? {}), inputs: found.inputs };
  };

  it("is created, and the plan after it is empty", async () => {
    const { id, outs } = await create();
    expect(id.startsWith(`${inputs.account}/`)).toBe(sub);
    expect(outs).toMatchObject(inputs);
    expect(await plan(id, outs)).toMatchObject({ changes: false, replaces: [] });
  });

  it("is the same after a refresh, which writes nothing", async () => {
    const { id, outs } = await create();
    world.service.clearLog();
    const found = await refresh(id, outs);
    expect(writes()).toEqual([]);
    expect(found.id).toBe(id);
    expect(wired(handler, found.inputs!)).toEqual(inputs);
    expect(found.outs).toEqual(outs);
    expect(await plan(id, found.outs)).toMatchObject({ changes: false });
  });

  it("is updated with the changed field only", async () => {
    const { id, outs } = await create();
    const news = { ...inputs, ...entry.changed };
    expect(await plan(id, outs, news)).toMatchObject({ changes: true, replaces: [] });
    world.service.clearLog();
    const updated = await hooks().update(id, outs, news);
    expect(writes()).toMatchObject([{ method: "PUT", fields: [entry.wire] }]);
    expect(await plan(id, wired(handler, updated.outs), news)).toMatchObject({ changes: false });
    const found = await refresh(id, wired(handler, updated.outs));
    expect(wired(handler, found.inputs!)).toEqual(news);
  });

  it("is replaced when what it is made of changes", async () => {
    const { id, outs } = await create();
    const news = { ...inputs, ...(entry.replaced?.inputs ?? {}) };
    if (entry.replaced !== undefined) {
      expect(await plan(id, outs, news)).toMatchObject({ changes: true, replaces: [entry.replaced.by] });
    }
    if (handler !== "company") {
      expect((await plan(id, outs, { ...inputs, account: "99" })).replaces).toEqual(["account"]);
    }
  });

  it("shows drift, repairs it, and is clean again when it goes back by itself", async () => {
    const { id, outs } = await create();
    const putBack = await entry.drift(client, keyOf(id));
    const drifted = await refresh(id, outs);
    expect(drifted.inputs![entry.drifted]).not.toEqual(inputs[entry.drifted]);
    expect(await plan(id, drifted.outs)).toMatchObject({ changes: true, replaces: [] });

    await putBack();
    const clean = await refresh(id, drifted.outs);
    expect(wired(handler, clean.inputs!)).toEqual(inputs);
    expect(await plan(id, clean.outs)).toMatchObject({ changes: false });

    await entry.drift(client, keyOf(id));
    const again = await refresh(id, clean.outs);
    world.service.clearLog();
    const repaired = await hooks().update(id, again.outs, inputs);
    expect(writes()).toHaveLength(1);
    const found = await refresh(id, wired(handler, repaired.outs));
    expect(wired(handler, found.inputs!)).toEqual(inputs);
    expect(await plan(id, found.outs)).toMatchObject({ changes: false });
  });

  it("never overwrites a change that the plan did not show", async () => {
    const { id, outs } = await create();
    const news = {
      ...inputs,
      [entry.drifted]: {
        url: "https://c.example/",
        colour: "#ffffff",
        subject: "C",
        email: "c@c.example",
        name: "C",
        signatureFormatDefault: "typed",
      }[entry.drifted],
    };
    await entry.drift(client, keyOf(id));
    world.service.clearLog();
    await expect(hooks().update(id, outs, news)).rejects.toThrow(/conflict: .*outside Pulumi/);
    expect(writes()).toEqual([]);
    await world.phase({ onConflict: "overwrite" })[handler].update(id, outs, news);
    expect(writes()).toHaveLength(1);
  });

  it("is created anew when it is gone", async () => {
    if (entry.remove === undefined) return;
    const { id, outs } = await create();
    await entry.remove(client, keyOf(id));
    expect((await refresh(id, outs)).id).toBe("");
    await expect(hooks().update(id, outs, { ...inputs, ...entry.changed })).rejects.toThrow(
      /no longer exists.*Refresh/s,
    );
    const anew = await create();
    expect(anew.id).not.toBe(id);
  });

  it("is taken over when it exists, with nothing written", async () => {
    const first = await create();
    world.acknowledge(first);
    world.service.clearLog();
    const phase = world.phase();
    // The service answers a logo under an address of its own: only that one can be compared.
    const same = handler === "branding" ? { ...inputs, logoUrl: first.outs.logo } : inputs;
    const second = await phase[handler].create(same);
    expect(second.id).toBe(first.id);
    expect(writes()).toEqual([]);
    expect(await plan(second.id, wired(handler, second.outs), same)).toMatchObject({ changes: false });
    if (entry.remove !== undefined) {
      expect(phase.said.join()).toMatch(/adopted/);
      world.acknowledge(second);
      await expect(hooks().create({ ...inputs, onExisting: "fail" })).rejects.toThrow(/already exists/);
    }
  });

  it("is deleted, and deleted again; the service is as it was before", async () => {
    const before = await snapshot(client);
    const { id, outs } = await create();
    await hooks().delete(id, outs);
    expect(await snapshot(client)).toEqual(before);
    await hooks().delete(id, outs);
    expect(await snapshot(client)).toEqual(before);
  });

  it("is deleted after a refresh and an update, too", async () => {
    const before = await snapshot(client);
    const { id, outs } = await create();
    const found = await refresh(id, outs);
    const updated = await hooks().update(id, found.outs, { ...inputs, ...entry.changed });
    await hooks().delete(id, wired(handler, updated.outs));
    expect(await snapshot(client)).toEqual(before);
  });

  it("lives without the bookkeeping of its state", async () => {
    const { id, outs } = await create();
    const { __esign: _, ...imported } = outs;
    expect(await plan(id, imported)).toMatchObject({ changes: false });
    const found = await refresh(id, imported);
    expect(wired(handler, found.inputs!)).toEqual(inputs);
    const updated = await hooks().update(id, imported, { ...inputs, ...entry.changed });
    await hooks().delete(id, wired(handler, updated.outs));
  });

  it("is read by its id alone", async () => {
    const { id } = await create();
    const found = await refresh(id, wired(handler, {}));
    const { onExisting: _, userName: __, userEmail: ___, deletionProtection: ____, ...readable } = inputs;
    for (const [name, value] of Object.entries(found.inputs!)) {
      if (name === "logoUrl" || name === "colour" || name.startsWith("content")) continue;
      // Every setting that the account has.
      if (handler === "settings" && !(name in readable)) continue;
      expect({ [name]: value }).toEqual({ [name]: readable[name] });
    }
  });

  it("is an error when it is not there and asked for by its id alone", async () => {
    const singletons: Partial<Record<HandlerName, string>> = {
      branding: "17/branding",
      brandingEmail: "email-sent",
      settings: "17/settings",
    };
    const none = singletons[handler] ?? "17";
    await expect(refresh(none, wired(handler, {}))).rejects.toThrow(`with ID ${none} in this account`);
  });
});

/** All that the service tells of an account, but for the times of e-mails, which nothing can put back. */
async function snapshot(client: Client): Promise<unknown> {
  const { branding_emails } = await client.branding.emails();
  return {
    branding: await client.branding.get(),
    emails: branding_emails.map(({ branding_email_updated: _, ...email }) => email),
    webhooks: await client.webhooks.list().all(),
    contacts: await client.contacts.list().all(),
    users: await client.users.list().all(),
    settings: await client.settings.get(),
    companies: await client.companies
      .list()
      .all()
      .catch(() => []),
  };
}
