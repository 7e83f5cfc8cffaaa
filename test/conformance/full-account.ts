/** An emulator whose accounts have every kind of object, several of each, in every status. */
import { connect, type Edition } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";

type Options = NonNullable<Parameters<typeof emulatorForTest>[0]>;

const statuses = ["draft", "sent", "signed", "cancelled", "expired", "failed", "sent"] as const;

export async function fullAccount(edition: Edition, options: Options = {}) {
  const envelopes = statuses.map((status, i) => ({
    title: `Lease ${i}`,
    status,
    created: `2026-01-0${i + 1}T10:00:00Z`,
    meta: { order: i },
  }));
  const service = await emulatorForTest({
    edition,
    processingTime: 0,
    seed: {
      partner: {
        webhooks: [
          { type: "all", url: "https://hooks.example/all" },
          { type: "add-user", url: "https://hooks.example/users" },
        ],
        users: [{ name: "Uma", email: "uma@north.example" }],
        contacts: [{ name: "Ann", email: "ann@b.example" }],
        settings: { setting_qes_enabled: false },
        templates: [
          { title: "One", fingerprint: "one" },
          {
            title: "Two",
            fingerprint: "two",
            parties: ["A", "B"],
            mergeFields: [{ id: 4, title: "Name" }],
            fields: [{ id: 5, title: "Card", type: "split", runs: [{ cells: 4 }] }],
          },
        ],
        envelopes,
      },
      companies: [{ created: "2025-01-01T10:00:00Z", envelopes }, { created: "2025-02-01T10:00:00Z" }],
    },
    ...options,
  });
  const client = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  await client.envelopes.createFromTemplate({
    envelope_title: "NDA",
    envelope_documents: [
      {
        document_title: "NDA",
        document_template_fingerprint: "two",
        document_merge_fields: [{ field_id: 4, field_value: "Jane Doe" }],
      },
    ],
    envelope_parties: [
      { party_name: "Ben", party_email: "ben@b.example", party_id: 1 },
      { party_name: "Cleo", party_email: "cleo@b.example", party_id: 2 },
    ],
  });
  // Now, so that the lists and a history have an order.
  const old = (await client.envelopes.list().all()).find(
    (one) => one.envelope_title === `Lease ${statuses.length - 1}`,
  );
  await client.envelopes.cancel({ envelope_fingerprint: old!.envelope_fingerprint });
  await client.webhooks.create({ webhook_type: "add-contact", webhook_url: "https://hooks.example/contacts" });
  await client.users.create({ user_name: "Val", user_email: "val@north.example", role_id: "1" });
  service.clearLog();
  return service;
}
