/** A deletion compares as an update does: what was changed since the state was refreshed stops it; what is gone already is no write. */
import { describe, expect, it } from "vitest";
import { onStage } from "./on-stage";

const hooks = "https://hooks.example.com";

describe.each([{}, { onConflict: "overwrite" }])("with %j", (settings) => {
  const world = onStage(settings as Record<string, string>);
  const urls = async () => (await world.client.webhooks.list().all()).map(({ webhook_url }) => webhook_url);
  const changed = async () => {
    const made = await world.create("webhook", { type: "all", url: `${hooks}/first` });
    await world.client.webhooks.update({ webhook_id: made.id, webhook_url: `${hooks}/by-hand` });
    return made;
  };

  it("a webhook whose URL was changed by hand is deleted when a refresh has shown that, or changes are overwritten", async () => {
    const made = await changed();
    if ("onConflict" in settings) {
      await made.delete();
      expect(await urls()).toEqual([]);
      return;
    }
    const writes = world.writes().length;
    await expect(made.delete()).rejects.toThrow(/conflict: url changed outside Pulumi/);
    expect([await urls(), world.writes().length]).toEqual([[`${hooks}/by-hand`], writes]);
    await (await made.read()).delete();
    expect(await urls()).toEqual([]);
  });

  it("a webhook that was changed back is deleted", async () => {
    const made = await changed();
    await world.client.webhooks.update({ webhook_id: made.id, webhook_url: `${hooks}/first` });
    await made.delete();
    expect(await urls()).toEqual([]);
  });

  it("a contact whose name was changed by hand, too", async () => {
    const made = await world.create("contact", { name: "Ann", email: "ann@b.example" });
    await world.client.contacts.update({ contact_id: made.id, contact_name: "Anna" });
    if (!("onConflict" in settings)) await expect(made.delete()).rejects.toThrow(/conflict: name changed/);
    await (await made.read()).delete();
    expect(await world.client.contacts.list().all()).toEqual([]);
  });
});
