import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeReceiver, type Received } from "pulumi-esign/receiver";

const { PORT = "3000", WEBHOOK_SECRETS = "" } = process.env;
// Secrets of the webhooks, separated by commas; "unsigned" for a service that does not sign.
const secrets = WEBHOOK_SECRETS === "unsigned" ? false : WEBHOOK_SECRETS.split(",").filter(Boolean);

// In production a table, which survives a restart.
const handled = new Set<string>();

function handle({ event, idempotencyKey }: Received): void {
  if (handled.has(idempotencyKey)) return;
  handled.add(idempotencyKey);
  switch (event.action) {
    case "signed-envelope-complete":
      console.log(`${event.envelope_fingerprint} is signed: ${event.envelope_download}`);
      break;
    case "rejected-envelope":
      console.log(`${event.contact_name} rejected ${event.envelope_fingerprint}`);
      break;
    default:
      console.log(`ignored: ${event.action === "unknown" ? event.unknown_action : event.action}`);
  }
}

const server = createServer(nodeReceiver(handle, { secrets }));
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/esign`);
});
